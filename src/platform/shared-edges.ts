// The parts of the platform that both snaps use. Besides these, the insight snap uses only one
// stored document and the language, so its bundle contains nothing that touches keys or, except
// through MetaMask's nodes, the network.
import type { ComponentOrElement, InterfaceContext } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { ask, withLimit } from './answered';

/** The wallet's interfaces: contents of a dialog or a page, which can be redrawn while shown. All
 * methods but `create` throw if the interface is no longer shown. */
export type Interfaces = {
  /** Returns the id of the new interface. */
  create: (content: JSXElement, context?: InterfaceContext) => Promise<string>;
  /** Keeps the interface's context unless a new one is given. */
  update: (
    id: string,
    content: JSXElement,
    context?: InterfaceContext,
  ) => Promise<void>;
  fetchContext: (id: string) => Promise<InterfaceContext | null>;
  /** The values by the names of fields and forms. */
  fetchValues: (id: string) => Promise<Record<string, Json>>;
};

export type SharedEdges = {
  /** The time in ms since 1970. */
  now: () => number;
  /** Calls the wallet's node. The snap's network is independent of those that the user and the dapp
   * chose. Batches are not supported. */
  requestWallet: (call: { method: string; params: Json[] }) => Promise<unknown>;
  interfaces: Interfaces;
  /** Reads a text file that is shipped with the bundle. Null if it is missing. */
  readFile: (path: string) => Promise<string | null>;
};

const interfaces: Interfaces = {
  create: async (content, context) => {
    const params = { ui: content as ComponentOrElement, ...given(context) };
    return ask({ method: 'snap_createInterface', params });
  },
  update: async (id, content, context) => {
    const params = { id, ui: content as ComponentOrElement, ...given(context) };
    await ask({ method: 'snap_updateInterface', params });
  },
  fetchContext: async (id) =>
    ask({ method: 'snap_getInterfaceContext', params: { id } }),
  fetchValues: async (id) => ask({ method: 'snap_getInterfaceState', params: { id } }),
};

function given(context?: InterfaceContext): { context?: InterfaceContext } {
  return context === undefined ? {} : { context };
}

export const sharedEdges: SharedEdges = {
  now: () => Date.now(),
  requestWallet: async (call) => withLimit(call.method, ethereum.request(call)),
  interfaces,
  readFile: async (path) => {
    const params = { path: toShippedPath(path), encoding: 'base64' } as const;
    const file = await ask({ method: 'snap_getFile', params });
    return file && readShipped(file);
  },
};

/** The folder of shipped files, relative to the manifest. The files are compressed, because
 * MetaMask reads, hashes, encodes and stores all of them on installation. */
export const SHIPPED = 'dist/files';

export function toShippedPath(path: string): string {
  return `${SHIPPED}/${path}.deflate`;
}

/** Reads text from its shipped form, in Base64. Throws if it cannot be decoded. */
export async function readShipped(base64: string): Promise<string> {
  // Evaluated on the first read, because the module fills tables that many workers never need.
  const { inflateSync } = await import(/* webpackMode: "eager" */ 'fflate');
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new TextDecoder(undefined, { fatal: true }).decode(inflateSync(bytes));
}
