// What both snaps use of the platform. The insight snap uses nothing else, so nothing that
// touches keys, state or the network is in its bundle.
import type { Json } from '@metamask/utils';

import { answered, heard } from './answered';
import { printLine } from './boundary';
import { interfaces } from './interfaces';
import type { Interfaces } from './interfaces';
import { readShipped, toShippedPath } from './shipped';

/** What the insight snap uses of the platform and of the machine. */
export type InsightEdges = {
  /** The time in milliseconds since 1970. */
  now: () => number;
  /** Ask the wallet's node, which follows neither the user nor the dapp; it takes no batches. */
  requestWallet: (call: { method: string; params: Json[] }) => Promise<unknown>;
  interfaces: Interfaces;
  /** Read a text file that is shipped beside the bundle; null if it is not there. */
  readFile: (path: string) => Promise<string | null>;
  /** Fetch the locale of the wallet's screens, as the wallet writes it: `de`, `zh_CN`. */
  fetchLocale: () => Promise<string>;
  /** Writes a line of the log. */
  print: (line: string) => void;
};

/** The edges of the insight snap when it runs in MetaMask. */
export const insightEdges: InsightEdges = {
  now: () => Date.now(),
  requestWallet: async (call) => heard(call.method, ethereum.request(call)),
  interfaces,
  readFile: async (path) => {
    const method = 'snap_getFile';
    const params = { path: toShippedPath(path), encoding: 'base64' as const };
    const file = await answered(method, snap.request({ method, params }));
    return file && readShipped(file);
  },
  // MetaMask installs a snap that asks for snap_getPreferences only if it is allowlisted.
  fetchLocale: async () => {
    const method = 'snap_getLocale';
    return answered(method, snap.request({ method }));
  },
  print: printLine,
};
