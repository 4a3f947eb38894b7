// What a request waits for when it meets a stopped worker, which is what most requests do:
// MetaMask stops a snap after 30 idle seconds. Beside an empty snap, and beside the snaps
// that `--peer NAME=FOLDER` names. Each answers in turn, so that a slow moment of the machine
// falls on all of them.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { checkManifest } from '@metamask/snaps-utils/node';

import { compare, measureTime, undisturbed, type Bench, type Row } from './measure';
import { openSide, OWN, peerSnap, type Side } from './peers/simple';
import { listAccounts } from './signing';
import { TEXT } from './signing-cases';

/** At most so many times what an empty snap takes to list its accounts. */
const limits: Record<string, number> = {
  'tollkeeper: keyring_listAccounts': 1.25,
  'tollkeeper: personal_sign': 1.45,
};
const EMPTY = 'module.exports.onKeyringRequest = async () => [];\n';

export async function* benchWorker(peers: ReadonlyMap<string, string>): Bench {
  const folder = await mkdtemp(resolve('dist/empty-'));
  const sides = new Map<string, Side>();
  try {
    await writeEmptySnap(folder);
    sides.set('empty', await openSide({ folder, origin: OWN.origin }));
    sides.set('tollkeeper', await openSide(OWN));
    for (const [name, path] of peers) sides.set(name, await openSide(peerSnap(path)));
    const name = "A stopped worker's first answer";
    yield { name, ours: '', theirs: 'empty snap', rows: await measure(sides) };
  } finally {
    for (const { wallet } of sides.values()) await wallet.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(sides: ReadonlyMap<string, Side>): Promise<Row[]> {
  const contestants: Record<string, () => Promise<number>> = {};
  for (const [name, { wallet, createAccount }] of sides) {
    const first = (request: () => Promise<unknown>) => async (): Promise<number> => {
      await wallet.stopSnap();
      return (await measureTime(request))[1];
    };
    contestants[`${name}: keyring_listAccounts`] = first(async () =>
      listAccounts(wallet),
    );
    if (name === 'empty') continue;
    const { address } = await createAccount({});
    contestants[`${name}: personal_sign`] = first(async () =>
      wallet.keyring.signPersonalMessage(address.toLowerCase(), TEXT),
    );
  }
  const { 'empty: keyring_listAccounts': theirs = NaN, ...others } = await compare(
    contestants,
    { rounds: 21, summarize: undisturbed },
  );
  return Object.entries(others).map(([what, ours]) => {
    const atMost = limits[what];
    const bound = atMost === undefined ? undefined : { atMost };
    return { what, ours, theirs, unit: 'ms', bound };
  });
}

/** Writes the manifest of the development build over a bundle that does nothing. */
async function writeEmptySnap(folder: string): Promise<void> {
  await cp(OWN.folder, folder, { recursive: true });
  await writeFile(join(folder, 'dist/bundle.js'), EMPTY);
  const path = join(folder, 'snap.manifest.json');
  await checkManifest(path, { updateAndWriteManifest: true, sourceCode: EMPTY });
}
