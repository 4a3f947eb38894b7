// npm run fuzz: plays malformed requests and answers against the built snap in MetaMask's own
// SnapController. Ends with 1 if a case failed. `--count`, `--seed`, `--only ROUTE`;
// `--case NUMBER` plays a case again, after those of its wallet before it; `--peer FOLDER`
// plays another keyring snap.
import { parseArgs } from 'node:util';

import { PEER_ROUTES, setPeerScene } from './peer';
import { BATCH, runCases } from './run';
import { setScene } from './scene';
import { count, createSummary, describe, describeFailure } from './summary';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
    case: { type: 'string' },
    lanes: { type: 'string', default: '4' },
    peer: { type: 'string' },
  },
});

const seed = Number(values.seed);
const one = values.case === undefined ? undefined : Number(values.case);
const from = one === undefined ? 0 : one - (one % BATCH);
const { peer } = values;
const to = one === undefined ? Number(values.count) : one + 1;

// MetaMask's packages print each crash; it is told of below.
Object.assign(console, { error: () => undefined, warn: () => undefined });

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const summary = createSummary();
const start = Date.now();
const seconds = (): number => Math.round((Date.now() - start) / 1000);
let done = 0;

// Ctrl-C ends it with what has been seen.
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stop.abort());
}

await runCases({
  ...{ seed, from, to },
  ...(peer === undefined
    ? { setScene, only: values.only }
    : { setScene: async () => setPeerScene(peer), only: PEER_ROUTES }),
  lanes: one === undefined ? Number(values.lanes) : 1,
  signal: stop.signal,
  onResult: (result) => {
    done += 1;
    count(summary, result);
    if (result.failure && peer === undefined) write(describeFailure(result));
    if (done % 1_000 === 0) write(`${done} cases, ${seconds()} s`);
    if (result.id === one) write(JSON.stringify(result, null, 2));
  },
});

write(`\n${done} cases, seed ${seed}, ${seconds()} s\n\n${describe(summary)}`);
process.exitCode = summary.failed.length === 0 ? 0 : 1;
