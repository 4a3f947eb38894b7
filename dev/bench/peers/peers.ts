// Beside MetaMask's own keyring snaps, built from their sources (CONTRIBUTING.md says how)
// and given by path: bytes, times by MetaMask's route, requests to servers. Both sides run
// in turns in one process, on this Node and on those that are named:
// npm run bench -- peers --peer simple-keyring=PATH --peer account-abstraction-keyring=PATH
//   --node PATH
import { availableParallelism, cpus } from 'node:os';

import { writeBytes, writeShares } from './bytes';
import type { Peers } from './figures';
import { writeFigures } from './print';
import type { Run } from './print';
import { runWith } from './run';

const SIMPLE = 'simple-keyring';
const ABSTRACTION = 'account-abstraction-keyring';

/** Whether what is given suffices. */
export function arePeers(given: ReadonlyMap<string, string>): boolean {
  return given.has(SIMPLE) && given.has(ABSTRACTION);
}

/**
 * Run the bench.
 *
 * @throws {Error} If one of the two snaps is not given.
 */
export async function benchPeers(
  given: ReadonlyMap<string, string>,
  nodes: readonly string[],
): Promise<number> {
  const simple = given.get(SIMPLE);
  const abstraction = given.get(ABSTRACTION);
  if (simple === undefined || abstraction === undefined) {
    throw new Error(`--peer ${SIMPLE}=PATH and --peer ${ABSTRACTION}=PATH are needed.`);
  }
  const peers: Peers = { [SIMPLE]: simple, [ABSTRACTION]: abstraction };
  const runs: Run[] = [];
  for (const node of [process.execPath, ...nodes]) {
    runs.push(await runWith(node, peers));
  }
  const bytes = await writeBytes(peers);
  const figures = writeFigures(runs);
  const tables = [describeMachine(runs), figures.text, bytes.text, await writeShares()];
  process.stdout.write(`\n${tables.join('\n\n')}\n`);
  return bytes.missed + figures.missed;
}

function describeMachine(runs: readonly Run[]): string {
  const [cpu] = cpus();
  const versions = runs.map(({ nodeVersion }) => nodeVersion).join(' and ');
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${availableParallelism()} × ${cpu?.model ?? 'unknown'}, Node ${versions}:`;
}
