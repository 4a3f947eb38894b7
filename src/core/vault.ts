// The imported keys, which are stored in the encrypted document. A document loaded here contains a
// key's address instead of the key, which is put back when the document is saved.
import { isValidPrivate, privateToAddress } from '@ethereumjs/util';
import { bytesToHex, hexToBytes, isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import type { Hex } from './hex';

export type Backend = {
  /** Loads the document. Null if there is none yet. */
  load: () => Promise<Json>;
  save: (document: Json) => Promise<void>;
  /** Current worker epoch. Promises created in an earlier epoch may never settle. Omitted if all
   * settle. */
  epoch?: () => number;
};

export type Vault = {
  /** The document without keys: instead of `privateKey`, it has `held`, the address of the key. */
  backend: Backend;
  /** Holds a key and returns its address. The key is stored with the next document that names
   * it. */
  hold: (privateKey: Hex) => Hex;
  find: (held: string) => Hex | undefined;
};

/** Prefixes of the placeholders for values that are not valid keys: 32 bytes, or anything else. */
const NO_KEY = { bytes: 'none:', other: 'malformed:' };

export function createVault(stored: Backend): Vault {
  const keys = new Map<string, Json>();
  const keep = (value: Json): string => {
    const address = findAddress(value);
    const kind = isBytes32(value) ? NO_KEY.bytes : NO_KEY.other;
    const held = address ?? `${kind}${keys.size}`;
    keys.set(held, value);
    return held;
  };
  const find = (held: string): Hex | undefined => {
    const value = keys.get(held);
    return findAddress(value) === undefined ? undefined : (value as Hex);
  };
  const takeOut = (document: Json): Json =>
    inAccounts(document, 'privateKey', (value) => ['held', keep(value)]);
  const putIn = (document: Json): Json =>
    inAccounts(document, 'held', (held) => {
      const value = typeof held === 'string' ? keys.get(held) : undefined;
      return value === undefined ? ['held', held] : ['privateKey', value];
    });
  return {
    backend: {
      ...stored,
      load: async () => takeOut(await stored.load()),
      save: async (document) => stored.save(putIn(document)),
    },
    hold: (privateKey) => keep(privateKey) as Hex,
    find,
  };
}

function findAddress(value: unknown): Hex | undefined {
  if (!isBytes32(value)) return undefined;
  const key = hexToBytes(value);
  const address = isValidPrivate(key) ? bytesToHex(privateToAddress(key)) : undefined;
  key.fill(0);
  return address;
}

function isBytes32(value: unknown): value is string {
  return typeof value === 'string' && /^0x[\da-f]{64}$/iu.test(value);
}

type Field = [name: string, value: Json];

/** Parts of the document that contain keys. Fields elsewhere may come from sites. */
const PLACES = ['accounts', 'unsettled'];

function inAccounts(
  document: Json,
  name: string,
  change: (field: Json) => Field,
): Json {
  if (!isObject(document)) return document;
  const places = Object.entries(document).map(([place, value]): Field => [
    place,
    PLACES.includes(place) ? replace(value, name, change) : value,
  ]);
  return Object.fromEntries(places);
}

function replace(value: Json, name: string, change: (field: Json) => Field): Json {
  if (Array.isArray(value)) return value.map((each) => replace(each, name, change));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([key, each]): Field =>
    key === name ? change(each) : [key, replace(each, name, change)],
  );
  return Object.fromEntries(fields);
}
