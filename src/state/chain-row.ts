// The configuration of a chain: addresses and credentials of its servers, and the ERC-4337
// contracts that its accounts use.
import { define, partial, record, refine, sensitive } from '@metamask/superstruct';
import type { Infer, Struct } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { AddressStruct } from '../eth/hex';
import { findUrl, isLoopback } from '../eth/host';
import { EntryPointVersionStruct } from '../eth/user-operation';
import { list, oneOf, text } from '../schema/structs';

const MAX_URL_LENGTH = 2_048;

/** Credentials; they must not leave the machine unencrypted. */
const ApiKeyStruct = sensitive(
  define<string>(
    'a string of 1 to 256 characters',
    (value) => typeof value === 'string' && value.length >= 1 && value.length <= 256,
  ),
);

const urlStruct = (secure: string, plain: string): Struct<string, null> =>
  define<string>(
    `a URL that starts with ${secure}// (or ${plain}// on this machine) and has no credentials`,
    (value) => {
      const url = findUrl(value);
      if (!url || String(value).length > MAX_URL_LENGTH) return false;
      const { protocol, hostname, username, password } = url;
      if (username !== '' || password !== '') return false;
      return protocol === secure || (protocol === plain && isLoopback(hostname));
    },
  );

export const HttpUrlStruct = urlStruct('https:', 'http:');
const WebSocketUrlStruct = urlStruct('wss:', 'ws:');

/** ERC-7677's context: a JSON object that the paymaster understands. */
export const ContextStruct = refine(
  record(
    text(128),
    define<Json>('any', () => true),
  ),
  'an object',
  // superstruct accepts an array as an object.
  isObject,
);

const configurable = {
  rpcUrl: HttpUrlStruct,
  wsUrl: WebSocketUrlStruct,
  gasBaseUrl: HttpUrlStruct,
  gasAuth: oneOf(['basic', 'path']),
  apiKey: ApiKeyStruct,
  apiKeySecret: ApiKeyStruct,
  bundlerUrl: HttpUrlStruct,
  bundlerApiKey: ApiKeyStruct,
  entryPoint: EntryPointVersionStruct,
  factory: AddressStruct,
  paymasterUrl: HttpUrlStruct,
  paymasterContext: ContextStruct,
};

export const ChainConfigurationStruct = partial(configurable);

export type ChainConfiguration = Infer<typeof ChainConfigurationStruct>;

/** Servers, named by their address fields, that may accept several calls as one array. */
export const arrayServers = ['rpcUrl', 'bundlerUrl'] as const;

export type ArrayServer = (typeof arrayServers)[number];

export const ChainRowStruct = partial({
  ...configurable,
  /** Servers known to refuse arrays. They get single calls. */
  singleCallsOnly: list(oneOf(arrayServers), { max: arrayServers.length }),
});

export type ChainRow = Infer<typeof ChainRowStruct>;
