// The platform of a test wallet: an in-memory version of MetaMask's snap API.
import { bytesToHex, stringToBytes } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import english from '../../../locales/ui/en.json';
import proxies from '../../../src/accounts/proxies.json';
import { PROXIES_FILE } from '../../../src/accounts/repository';
import { keccak256 } from '../../../src/eth/hex';
import type { Edges } from '../../../src/platform/edges';
import { createInterfaces } from './dialogs';
import type { Screens } from './dialogs';

type EdgesOptions = Pick<
  Edges,
  'requestWallet' | 'showDialog' | 'answerDialog' | 'sleep'
> & {
  screens: Screens;
  phrase: string;
  /** Reads a file shipped with the snap, such as a clear-signing descriptor. */
  readFile: (path: string) => Promise<string | null>;
  /** Calls `onCronjob` with a method after some seconds. */
  wake: (method: string, seconds: number) => void;
};

/** Files bundled with the code, so pages need not load them. */
const bundled: Record<string, object> = {
  'locales/ui/en.json': english,
  [PROXIES_FILE]: proxies,
};

export function createEdges({
  screens,
  phrase,
  readFile,
  wake,
  ...others
}: EdgesOptions): Edges {
  return {
    ...others,
    now: () => Date.now(),
    fetch: async (...args) => fetch(...args),
    createSockets: () => ({
      open: async () => Promise.reject(new Error('There are no sockets in tests.')),
      closeOthers: async () => Promise.resolve(),
      handle: async () => Promise.resolve(),
    }),
    createStateBackend: (_isEncrypted, epoch) => {
      let document: Json = null;
      return {
        epoch,
        load: async () => Promise.resolve(structuredClone(document)),
        save: async (next) => {
          document = structuredClone(next);
          return Promise.resolve();
        },
      };
    },
    getEntropy: async (salt, source = '') => {
      const salted = stringToBytes([phrase, source, salt].join('|'));
      return Promise.resolve(bytesToHex(keccak256(salted)));
    },
    listEntropySources: async () =>
      Promise.resolve([{ id: '', name: 'Test', type: 'mnemonic', primary: true }]),
    emitKeyringEvent: async () => Promise.resolve(),
    interfaces: createInterfaces(screens),
    readFile: async (path) =>
      path in bundled ? JSON.stringify(bundled[path]) : readFile(path),
    fetchLocale: async () => Promise.resolve('en'),
    notify: async () => Promise.resolve(),
    isLocked: async () => Promise.resolve(false),
    alarm: {
      findNext: async () => Promise.resolve(undefined),
      set: async (method, seconds) => Promise.resolve(wake(method, seconds)),
    },
    // Only the home page reads these, and tests never show it.
    wakes: {
      has: async () => Promise.resolve(true),
      add: async () => Promise.resolve(),
    },
    print: () => undefined,
  };
}

/** Reads a shipped file in Node; null in a page, or if there is no such file. */
export async function readPackaged(path: string): Promise<string | null> {
  const { process } = globalThis as { process?: NodeJS.Process };
  if (!process?.getBuiltinModule) return null;
  const { readFile } = process.getBuiltinModule('node:fs/promises');
  const { inflateRawSync } = process.getBuiltinModule('node:zlib');
  // JavaScript bundlers would copy a file referenced by `new URL(…, import.meta.url)`.
  const here = import.meta.url;
  return readFile(new URL(`../files/${path}.deflate`, here)).then(
    (bytes) => String(inflateRawSync(bytes)),
    () => null,
  );
}
