// npm run bench: every bench, or those that are named. Ends with 1 if a ratio is missed.
// `--peer NAME=PATH` names builds of others, for the benches that compare with them.
import { parseArgs } from 'node:util';

import { benchAccounts } from './accounts';
import { benchClient } from './client';
import { benchDapp } from './dapp';
import { benchFees } from './fees';
import { benchInsight } from './insight';
import { printTable, type Bench } from './measure';
import { benchPeers, SIMPLE } from './peers/peers';
import { benchService } from './service';
import { benchSigning } from './signing';
import { benchUserOperations } from './user-operations';
import { benchWorker } from './worker';

const { values, positionals: names } = parseArgs({
  options: { peer: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
});
const peers = new Map(values.peer.map(readPeer));

const benches: Record<string, (peers: ReadonlyMap<string, string>) => Bench> = {
  accounts: benchAccounts,
  client: benchClient,
  dapp: benchDapp,
  fees: benchFees,
  insight: benchInsight,
  service: benchService,
  signing: benchSigning,
  'user-operations': benchUserOperations,
  worker: benchWorker,
  // Others' snaps are built elsewhere: a run of all benches leaves them out.
  ...((peers.has(SIMPLE) || names.includes('peers')) && { peers: benchPeers }),
};

let missed = 0;
for (const name of names.length > 0 ? names : Object.keys(benches)) {
  const bench = benches[name];
  if (!bench) throw new Error(`There is no bench ${name}.`);
  for await (const table of bench(peers)) missed += await printTable(table);
}
process.stdout.write(missed === 0 ? '\nall ratios kept\n' : `\n${missed} missed\n`);
process.exitCode = missed === 0 ? 0 : 1;

function readPeer(peer: string): [name: string, path: string] {
  const [name = '', ...path] = peer.split('=');
  if (name !== '' && path.length > 0) return [name, path.join('=')];
  throw new Error(`--peer ${peer}: NAME=PATH was expected.`);
}
