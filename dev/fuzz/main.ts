// npm run fuzz: sends malformed requests and answers to the built snap in MetaMask's own
// SnapController. Exits with 1 if a case fails.
import { readArgs, readWhole } from '../args';
import { ensureBuilt } from '../build/built';
import { runCases } from './play';
import { count, describe, describeFailure, type Summary } from './summary';

const { values } = readArgs(
  `npm run fuzz [-- --count 10000] [--seed 1] [--path PATH]

Plays malformed requests and answers against the built snap. --seed S --path P plays a case that
failed again.`,
  {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    path: { type: 'string' },
  },
);

const { path } = values;
const seed = readWhole(values.seed, '--seed');
const all = readWhole(values.count, '--count');

await ensureBuilt();

// MetaMask's packages print every crash, which is reported below instead.
Object.assign(console, { error: () => undefined, warn: () => undefined });

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const summary: Summary = { rows: {}, failed: [] };
const start = Date.now();
const seconds = (): number => Math.round((Date.now() - start) / 1000);
let done = 0;

await runCases({
  seed,
  path,
  count: path === undefined ? all : 1,
  lanes: path === undefined ? 4 : 1,
  onResult: (result) => {
    done += 1;
    count(summary, result);
    if (result.failure) write(describeFailure(result));
    if (done % 1_000 === 0) write(`${done} cases, ${seconds()} s`);
    if (path !== undefined) write(JSON.stringify(result, null, 2));
  },
});

write(`\n${done} cases, seed ${seed}, ${seconds()} s\n\n${describe(summary)}`);
process.exitCode = summary.failed.length === 0 ? 0 : 1;
