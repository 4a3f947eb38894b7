// Beside MetaMask's own keyring snaps, built from their sources (docs/internals/benchmarks.md says
// how) and given by path: times by MetaMask's route, requests to servers, bytes.
// npm run bench -- peers --peer simple-keyring=PATH --peer account-abstraction-keyring=PATH
// Without the second keyring, user operations are left out.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { bundleBudget, weigh, type Weight } from '../../build/size';
import type { Bench, Row } from '../measure';
import { measureSimple, peerSnap, type Figure } from './simple';
import { measureUserOperations } from './user-operations';

/** At most so many times what another snap takes, on Node 20 and on later ones: under SES, Node 20
 * stores into typed arrays slowly. */
const limits: Record<string, [node20: number, later: number]> = {
  'cold start: install to first answer': [1.5, 1.5],
  personal_sign: [0.65, 0.75],
  'eth_signTypedData_v4: mail': [0.85, 1],
  'eth_signTypedData_v4: Permit2': [0.7, 0.8],
  'eth_signTypedData_v4: Seaport order': [0.2, 0.4],
  'eth_signTransaction of type 0x2': [0.95, 1.4],
  'first transaction of a fresh worker': [1.2, 1.2],
  createAccount: [1.5, 1.5],
  'listAccounts, 1,000 accounts': [1.1, 1.1],
  'personal_sign: 1,000 accounts beside one, Tollkeeper alone': [1.1, 1.1],
  eth_signUserOperation: [0.5, 0.5],
};

export const SIMPLE = 'simple-keyring';
const ABSTRACTION = 'account-abstraction-keyring';

/** Measures beside the keyrings that are given; throws without the simple one. */
export async function* benchPeers(peers: ReadonlyMap<string, string>): Bench {
  const simple = peers.get(SIMPLE);
  if (simple === undefined) throw new Error(`--peer ${SIMPLE}=PATH is needed.`);
  const abstraction = peers.get(ABSTRACTION);
  const figures = [
    ...(await measureSimple(peerSnap(simple))),
    ...(abstraction ? await measureUserOperations(peerSnap(abstraction)) : []),
  ];
  const name = "MetaMask's example keyrings";
  const ours = 'tollkeeper';
  yield { name, ours, theirs: 'theirs', rows: figures.map(toRow) };
  yield { name, ours, theirs: 'micro-eth-signer', rows: figures.flatMap(toFloor) };
  yield { name: 'bundle', ours, theirs: 'beside', rows: await weighBundles(peers) };
}

function toRow({ floor: _floor, ...figure }: Figure): Row {
  const [node20, later] = limits[figure.what] ?? [];
  const atMost = Number.parseInt(process.versions.node, 10) <= 20 ? node20 : later;
  return { ...figure, bound: atMost === undefined ? undefined : { atMost } };
}

function toFloor({ floor, ...figure }: Figure): Row[] {
  return floor === undefined ? [] : [{ ...figure, theirs: floor }];
}

async function weighBundles(peers: ReadonlyMap<string, string>): Promise<Row[]> {
  const own = await weighBundle('.');
  const weights: [name: string, weight: Weight][] = [['at most', bundleBudget]];
  for (const [name, folder] of peers) weights.push([name, await weighBundle(folder)]);
  return (['raw', 'gzipped'] as const).flatMap((kind) =>
    weights.map(([name, { [kind]: theirs }]) => ({
      what: `${kind}, ${name}`,
      ours: own[kind],
      theirs,
      unit: 'bytes',
      bound: name === 'at most' ? { atMost: 1 } : undefined,
    })),
  );
}

async function weighBundle(folder: string): Promise<Weight> {
  return weigh(await readFile(join(folder, 'dist/bundle.js')));
}
