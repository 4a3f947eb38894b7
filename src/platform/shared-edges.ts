// What both snaps use of the platform. Beside this, the insight snap uses one stored document, so
// nothing that touches keys or the network is in its bundle.
import type { Json } from '@metamask/utils';

import { answered, heard } from './answered';
import { interfaces } from './interfaces';
import type { Interfaces } from './interfaces';
import { readShipped, toShippedPath } from './shipped';

/** What both snaps use of the platform and of the machine. */
export type SharedEdges = {
  /** The time in milliseconds since 1970. */
  now: () => number;
  /** Ask the wallet's node, which follows neither the user nor the dapp; it takes no batches. */
  requestWallet: (call: { method: string; params: Json[] }) => Promise<unknown>;
  interfaces: Interfaces;
  /** Read a text file that is shipped beside the bundle; null if it is not there. */
  readFile: (path: string) => Promise<string | null>;
};

/** These edges when the snap runs in MetaMask. */
export const sharedEdges: SharedEdges = {
  now: () => Date.now(),
  requestWallet: async (call) => heard(call.method, ethereum.request(call)),
  interfaces,
  readFile: async (path) => {
    const method = 'snap_getFile';
    const params = { path: toShippedPath(path), encoding: 'base64' as const };
    const file = await answered(method, snap.request({ method, params }));
    return file && readShipped(file);
  },
};
