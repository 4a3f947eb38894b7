// Everything that is measured beside other keyring snaps, in one process.
import { measureAccounts } from './accounts';
import { measureColdStart } from './cold-start';
import type { Figure } from './figure';
import { peerSnap, withSides } from './side';
import { measureSigning } from './signing';
import { measureUserOperations } from './user-operations';

/** Folders of the two keyrings, by the names that they are given to the bench with. */
export type Peers = { 'simple-keyring': string; 'account-abstraction-keyring': string };

/** Measure. Nothing is left running. */
export async function takeFigures(peers: Peers): Promise<Figure[]> {
  const simple = peerSnap(peers['simple-keyring']);
  const abstraction = peerSnap(peers['account-abstraction-keyring']);
  return [
    // In wallets of its own: an installation drops what others would measure.
    await withSides(simple, measureColdStart),
    ...(await withSides(simple, measureSigning)),
    ...(await measureAccounts(simple)),
    ...(await measureUserOperations(abstraction)),
  ];
}
