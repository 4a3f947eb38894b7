// Beside MetaMask's simple keyring, built from its sources (docs/internals/benchmarks.md says how) and
// given by path: times by MetaMask's route, and bytes.
// npm run bench -- peers --peer simple-keyring=PATH
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { buildElsewhere } from '../../build/elsewhere';
import { countShares } from '../../build/shares';
import { bundleBudget, weigh, type Weight } from '../../build/size';
import { OWN } from '../../docs/tables';
import type { Bench, Row } from '../measure';
import { measureSimple, peerSnap, type Figure } from './simple';

/**
 * What the ratio of ours to another snap's must not exceed, on Node 20 and on later ones:
 * under SES, Node 20 stores into typed arrays slowly, which later engines do not.
 */
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
};

/** What it is given by. */
export const SIMPLE = 'simple-keyring';

/** Packages that weigh less stand together. */
const SMALL = 2_000;

/**
 * Measures beside the simple keyring.
 *
 * @throws {Error} If it is not given.
 */
export async function* benchPeers(peers: ReadonlyMap<string, string>): Bench {
  const folder = peers.get(SIMPLE);
  if (folder === undefined) throw new Error(`--peer ${SIMPLE}=PATH is needed.`);
  const figures = await measureSimple(peerSnap(folder));
  const name = "MetaMask's simple keyring";
  const ours = 'tollkeeper';
  yield { name, ours, theirs: 'theirs', rows: figures.map(toRow) };
  yield { name, ours, theirs: 'micro-eth-signer', rows: figures.flatMap(toFloor) };
  yield { name: 'bundle', ours, theirs: 'beside', rows: await weighBundles(folder) };
  yield { name: 'bundle by package', ours, theirs: 'all', rows: await listShares() };
}

function toRow({ floor: _floor, ...figure }: Figure): Row {
  const [node20, later] = limits[figure.what] ?? [];
  const atMost = Number.parseInt(process.versions.node, 10) <= 20 ? node20 : later;
  return { ...figure, bound: atMost === undefined ? undefined : { atMost } };
}

function toFloor({ floor, ...figure }: Figure): Row[] {
  return floor === undefined ? [] : [{ ...figure, theirs: floor }];
}

async function weighBundles(folder: string): Promise<Row[]> {
  const [own, other] = [await weighBundle('.'), await weighBundle(folder)];
  return (['raw', 'gzipped'] as const).flatMap((kind) => [
    {
      what: `${kind}, at most`,
      ours: own[kind],
      theirs: bundleBudget[kind],
      unit: 'bytes',
      bound: { atMost: 1 },
    },
    { what: `${kind}, ${SIMPLE}`, ours: own[kind], theirs: other[kind], unit: 'bytes' },
  ]);
}

async function weighBundle(folder: string): Promise<Weight> {
  return weigh(await readFile(join(folder, 'dist/bundle.js')));
}

/** Weighs the packages in the bundle of the current folder. */
async function listShares(): Promise<Row[]> {
  const { bundle, map } = await buildElsewhere();
  const shares = [...countShares(bundle, map, OWN)];
  const theirs = sumOf(shares);
  const large = shares.filter(([, bytes]) => bytes >= SMALL);
  const others = `${shares.length - large.length} others`;
  return [...large, [others, theirs - sumOf(large)] as const].map(([what, ours]) => ({
    what,
    ours,
    theirs,
    unit: 'bytes',
  }));
}

function sumOf(shares: readonly (readonly [string, number])[]): number {
  return shares.reduce((sum, [, bytes]) => sum + bytes, 0);
}
