// npm run fuzz: plays malformed requests and answers against the built snap in MetaMask's own
// SnapController. Ends with 1 if a case failed. `--count N --seed S`, or `--seed S --path P` to
// play one that failed again.
import { parseArgs } from 'node:util';

import { runCases } from './play';
import { count, describe, describeFailure, type Summary } from './summary';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    path: { type: 'string' },
  },
});

const { path } = values;
const seed = Number(values.seed);

// MetaMask's packages print each crash; it is reported below.
Object.assign(console, { error: () => undefined, warn: () => undefined });

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const summary: Summary = { rows: {}, failed: [] };
const start = Date.now();
const seconds = (): number => Math.round((Date.now() - start) / 1000);
let done = 0;

await runCases({
  seed,
  path,
  count: path === undefined ? Number(values.count) : 1,
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
