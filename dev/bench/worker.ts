// What a request waits for when it meets a stopped worker, which is what most requests do:
// MetaMask stops a snap after 30 idle seconds. Beside an empty snap, and beside the snaps
// that `--peer NAME=FOLDER` names. Each answers in turn, so that a slow moment of the machine
// falls on all of them.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';

import { join, resolve } from 'node:path';

import { checkManifest } from '@metamask/snaps-utils/node';

import { compare, measureTime } from './measure';
import { openSide, OWN, peerSnap } from './peers/side';
import type { Side, Snap } from './peers/side';
import { TEXT } from './signing-cases';
import { printTable } from './measure';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 21);

/** At most so many times what an empty snap takes to list its accounts. */
const LIST = { atMost: 1.25 };
const SIGN = { atMost: 1.45 };

const EMPTY = 'module.exports.onKeyringRequest = async () => [];\n';

/** Measure, and answer how many ratios are missed. */
export async function benchWorker(peers: ReadonlyMap<string, string>): Promise<number> {
  const folder = await mkdtemp(resolve('dist/empty-'));
  const sides = new Map<string, Side>();
  try {
    await writeEmptySnap(folder);
    sides.set('empty', await openSide({ folder, origin: OWN.origin }));
    const snaps: [string, Snap][] = [...peers].map(([name, path]) => [
      name,
      // A build of this project lets its companion page manage accounts.
      name.startsWith('own') ? { ...OWN, folder: path } : peerSnap(path),
    ]);
    for (const [name, snap] of [['tollkeeper', OWN] as [string, Snap], ...snaps]) {
      sides.set(name, await openSide(snap));
    }
    return await measure(sides);
  } finally {
    for (const { wallet } of sides.values()) await wallet.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(sides: ReadonlyMap<string, Side>): Promise<number> {
  const contestants: Record<string, () => Promise<number>> = {};
  for (const [name, { wallet, listAccounts, createAccount }] of sides) {
    const first = (request: () => Promise<unknown>) => async (): Promise<number> => {
      await wallet.stopSnap();
      return (await measureTime(request))[1];
    };
    contestants[`${name}: keyring_listAccounts`] = first(listAccounts);
    if (name === 'empty') continue;
    const { address } = await createAccount({});
    contestants[`${name}: personal_sign`] = first(async () =>
      wallet.keyring.signPersonalMessage(address.toLowerCase(), TEXT),
    );
  }
  const times = await compare(contestants, ROUNDS);
  const theirs = times['empty: keyring_listAccounts'] ?? NaN;
  const rows = Object.entries(times)
    .filter(([what]) => !what.startsWith('empty'))
    .map(([what, ours]) => ({ what, ours, theirs, unit: 'ms', ...boundOf(what) }));
  const title = {
    name: "A stopped worker's first answer",
    ours: '',
    theirs: 'empty snap',
  };
  return printTable(title, rows);
}

function boundOf(what: string): { bound?: { atMost: number } } {
  if (!what.startsWith('tollkeeper')) return {};
  return { bound: what.endsWith('listAccounts') ? LIST : SIGN };
}

// The manifest of the development build over a bundle that does nothing.
async function writeEmptySnap(folder: string): Promise<void> {
  await cp(OWN.folder, folder, { recursive: true });
  await mkdir(join(folder, 'dist'), { recursive: true });
  await writeFile(join(folder, 'dist/bundle.js'), EMPTY);
  const path = join(folder, 'snap.manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  await writeFile(path, JSON.stringify(manifest, null, 2));
  await checkManifest(path, { updateAndWriteManifest: true, sourceCode: EMPTY });
}
