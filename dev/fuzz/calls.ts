// Draws calls like the examples of openrpc.json and the Account Management API, valid or with
// mistakes.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import fc, { type Arbitrary } from 'fast-check';

import {
  companionMethods,
  type ContractMethod,
  listExamples,
  siteMethods,
} from '../docs/contract';
import { requestsFor } from '../wallet/keyring-requests';
import {
  anyIndex,
  anyJunk,
  anyName,
  anySpoil,
  anyText,
  chance,
  mix,
  sometimes,
} from './values';

export type Seed = { method: string; params: Json | undefined };

export type Call = { method: string; params?: Json } & Record<string, Json>;

export type Place = { accounts: readonly KeyringAccount[]; url: string };

/** Methods, params that they refuse, and the error code; undefined for params that are neither an
 * array nor an object. */
export const wrongParams: readonly [string, string, string | undefined][] = [
  ['eth_accounts', '"x"', undefined],
  ['wallet_getPermissions', '1', undefined],
  ['wallet_revokePermissions', '[{}]', '-32602'],
  ['eth_chainId', '[1]', '-32602'],
  ['eth_sign', '[]', '4200'],
  ['wallet_signAuthorization', '[]', '-32602'],
  ['eth_fillTransaction', '[{ "to": 1 }]', '-32602'],
  ['eth_sendRawTransaction', '["0x02"]', '-32602'],
  ['eth_getTransactionReceipt', '["0x"]', '-32602'],
  ['eth_getTransactionByHash', '[]', '-32602'],
  ['eth_getUncleByBlockNumberAndIndex', '["soon", "0x0"]', '-32602'],
  ['eth_getUncleByBlockHashAndIndex', '["0x00", "0x0"]', '-32602'],
  ['eth_prepareUserOperation', '[]', '-32602'],
  ['eth_patchUserOperation', '[{}]', '-32602'],
  ['eth_estimateUserOperationGas', '["x"]', '-32602'],
  ['eth_getUserOperationReceipt', '["0x"]', '-32602'],
  ['eth_getUserOperationByHash', '["0x"]', '-32602'],
  ['eth_supportedEntryPoints', '[1]', '-32602'],
  ['wallet_getCapabilities', '["x"]', '-32602'],
  ['wallet_getCallsStatus', '["unknown"]', '5730'],
  ['wallet_showCallsStatus', '["unknown"]', '5730'],
  ['tollkeeper_replaceTransaction', '["0x", {}]', '-32602'],
  ['gas_suggestedGasFees', '["x"]', '-32602'],
  ['gas_baseFeePercentile', '[]', '-32602'],
  ['tollkeeper_getFeeLevels', '[1]', '-32602'],
  ['rollup_estimateGas', '[1]', '-32602'],
  ['rpc.discover', '"x"', undefined],
];

const SENDER = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f';

export const siteSeeds: readonly Seed[] = [
  ...toSeeds(siteMethods),
  ...wrongParams.map(([method, params]) => ({
    method,
    params: JSON.parse(params) as Json,
  })),
  { method: 'eth_signTransaction', params: [{ from: SENDER }] },
  { method: 'eth_sign', params: [SENDER, '0x00'] },
];

export const companionSeeds: readonly Seed[] = toSeeds(companionMethods);

function toSeeds(methods: readonly ContractMethod[]): Seed[] {
  return methods.flatMap((method) =>
    listExamples(method).map(({ params }) => ({ method: method.name, params })),
  );
}

const SIGNING = /^(?:personal_sign|eth_sign|eth_(?:prepare|patch|sign)UserOperation)/u;

export function keyringSeeds({ accounts }: Place): Arbitrary<Seed> {
  const rows = accounts
    .flatMap((account) => Object.values(requestsFor(account)))
    .map(({ request: { method, params } }) => ({ method, params }));
  const frames = rows.filter(({ method }) => method === 'keyring_submitRequest');
  const submissions = fc
    .record({
      frame: fc.constantFrom(...frames),
      signing: fc.constantFrom(
        ...toSeeds(siteMethods).filter(({ method }) => SIGNING.test(method)),
      ),
      scope: fc.constantFrom('', 'eip155:1', 'eip155:0x1', 'eip155:10'),
      number: anyIndex,
    })
    .map(({ frame, signing: { method, params = [] }, scope, number }) => ({
      method: frame.method,
      params: {
        ...(frame.params as Record<string, Json>),
        scope,
        id: `9c190a38-8a7c-4f84-a390-53cd8b5f${(number % 9_000) + 1_000}`,
        request: { method, params },
      },
    }));
  return mix<Seed>([1, fc.constantFrom(...rows)], [1, submissions]);
}

export function callsLike(seed: Arbitrary<Seed>): Arbitrary<Call> {
  const wrongMethod = fc
    .tuple(
      seed,
      fc.oneof(
        fc.constantFrom(
          (method: string) => method.toUpperCase(),
          (method: string) => `${method} `,
          (method: string) => method.slice(1),
        ),
        anyName.map((name) => () => name),
        fc
          .tuple(
            fc.constantFrom('keyring_', 'tollkeeper_', 'snap_', 'wallet_', 'eth_', ''),
            anyText,
          )
          .map(
            ([prefix, text]) =>
              () =>
                prefix + text.slice(0, 300),
          ),
      ),
    )
    .map(([{ method, params }, rename]) => toCall(rename(method), params));
  const wrongFrame = fc
    .tuple(
      seed,
      fc.record<Record<string, Json>>(
        {
          id: fc.constantFrom<Json>(null, 0, -1, 1.5, '', 'x'.repeat(999)),
          jsonrpc: fc.constantFrom<Json>('2.0', '1.0', 2),
          origin: fc.constant('metamask'),
          scope: fc.constant('eip155:1'),
        },
        { requiredKeys: [] },
      ),
      sometimes(10, fc.tuple(anyName, anyJunk)),
    )
    .map(([{ method, params }, frame, more]) => ({
      ...toCall(method, params),
      ...frame,
      ...(more && { [more[0]]: more[1] }),
    }));
  const right = seed.map(({ method, params }) => toCall(method, params));
  const spoiled = fc
    .tuple(seed, anySpoil, chance(10))
    .map(([{ method, params = [] }, spoil, isRaw]) =>
      toCall(method, toLegal(spoil(params), isRaw)),
    );
  const swapped = fc
    .tuple(seed, seed)
    .map(([{ method }, { params }]) => toCall(method, params));
  const junk = fc
    .tuple(seed, anyJunk, chance(10))
    .map(([{ method }, value, isRaw]) => toCall(method, toLegal(value, isRaw)));
  return mix<Call>(
    [12, spoiled],
    [3, right],
    [1, swapped],
    [1, junk],
    [1, seed.map(({ method }) => ({ method }))],
    [1, wrongMethod],
    [1, wrongFrame],
  );
}

function toCall(method: string, params: Json | undefined): Call {
  return params === undefined ? { method } : { method, params };
}

// The platform passes on only arrays and objects.
function toLegal(params: Json, isRaw: boolean): Json {
  return isRaw || (typeof params === 'object' && params !== null) ? params : [params];
}

/** Replaces the example's node URL with the server's, and moves some calls to another chain. */
export function placeCalls<Value extends Json>(
  calls: Arbitrary<Value>,
  { url }: Place,
): Arbitrary<Value> {
  return fc.tuple(calls, chance(15)).map(([call, isOnOtherChain]) => {
    const text = JSON.stringify(call).replaceAll('https://node.example', `${url}/node`);
    return JSON.parse(
      isOnOtherChain ? text.replaceAll('"0x1"', '"0xa"') : text,
    ) as Value;
  });
}
