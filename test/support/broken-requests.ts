// Breaks a single field of a keyring request in every way, at any depth.
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import type { KeyringRpc } from '../../dev/wallet/keyring-requests';

/** The value of broken fields, which no error may quote. */
export const SECRET = 'ab'.repeat(32);

export function brokenOf(request: KeyringRpc): KeyringRpc[] {
  const { jsonrpc, id, method, params } = request;
  const frames = [
    { id, method, params },
    { jsonrpc: '1.0', id, method, params },
    { jsonrpc, id: { [SECRET]: SECRET }, method, params },
    { ...request, [SECRET]: SECRET },
  ];
  const broken =
    params === undefined ? [[SECRET]] : [...brokenParams(params), undefined];
  return [
    ...frames,
    ...broken.map((wrong) => ({ ...request, params: wrong })),
  ] as KeyringRpc[];
}

// Fields that the API's structs do not restrict, or that are checked later.
const FREE = [
  'options',
  'address',
  'methods',
  'method',
  'scope',
  'origin',
  'next',
  'data',
];

// A JSON-RPC id can be anything.
const isFree = (name: string, value: Json): boolean =>
  FREE.includes(name) || (name === 'id' && typeof value === 'number');

function brokenParams(params: Json): Json[] {
  if (!isObject(params) || Array.isArray(params)) return [];
  const fields = params as Record<string, Json>;
  return [
    SECRET,
    null,
    { ...fields, [SECRET]: SECRET },
    ...Object.entries(fields).flatMap(([name, value]) => [
      Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name)),
      ...(isFree(name, value)
        ? []
        : [
            ...(typeof value === 'number' ? [] : [{ ...fields, [name]: 7 }]),
            { ...fields, [name]: SECRET },
          ]),
      ...(name === 'data' ? [] : brokenParams(value)).map((wrong) => ({
        ...fields,
        [name]: wrong,
      })),
    ]),
  ];
}
