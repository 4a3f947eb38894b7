// Bytes of the bundle beside other keyring snaps', and what it is made of.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { buildElsewhere } from '../../build/elsewhere';
import { countShares } from '../../build/shares';
import { bundleBudget, weigh } from '../../build/size';
import type { Weight } from '../../build/size';
import { OWN } from '../../docs/bundle-table';
import { toTable } from '../../docs/table';
import type { Peers } from './figures';

const BUNDLE = 'dist/bundle.js';

/** Packages that weigh less stand together. */
const SMALL = 2_000;

/** Write a table of the bundles; answers also with how many budgets are exceeded. */
export async function writeBytes(
  peers: Peers,
): Promise<{ text: string; missed: number }> {
  const own = await weighBundle('.');
  const others = Object.entries(peers);
  const weights = await Promise.all(others.map(async ([, path]) => weighBundle(path)));
  const head = ['Bundle', 'Tollkeeper', 'Must be', ...others.map(([name]) => name)];
  let missed = 0;
  const rows = (['raw', 'gzipped'] as const).map((kind) => {
    const isOver = own[kind] > bundleBudget[kind];
    if (isOver) missed += 1;
    const ours = toShown(own[kind]);
    return [
      `bytes, ${kind}`,
      isOver ? `**${ours}**, missed` : ours,
      `≤ ${toShown(bundleBudget[kind])}`,
      ...weights.map((weight) => toShown(weight[kind])),
    ];
  });
  return { text: toTable(head, rows), missed };
}

/** Write a table of the packages in the bundle of the current folder. */
export async function writeShares(): Promise<string> {
  const { bundle, map } = await buildElsewhere();
  const shares = [...countShares(bundle, map, OWN)];
  const all = sumOf(shares);
  const large = shares.filter(([, bytes]) => bytes >= SMALL);
  const others = `${shares.length - large.length} others`;
  const rows = [...large, [others, all - sumOf(large)] as const].map(
    ([name, bytes]) => [name, toShown(bytes), `${((100 * bytes) / all).toFixed(1)} %`],
  );
  return toTable(['Package', 'Bytes', 'Share'], rows);
}

function sumOf(shares: readonly (readonly [string, number])[]): number {
  return shares.reduce((sum, [, bytes]) => sum + bytes, 0);
}

async function weighBundle(folder: string): Promise<Weight> {
  return weigh(await readFile(join(folder, BUNDLE)));
}

function toShown(bytes: number): string {
  return bytes.toLocaleString('en');
}
