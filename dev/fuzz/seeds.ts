// Calls that are right: the contract's examples, the params that forms refuse, and those of
// the Account Management API.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import { companionGroups, siteGroups } from '../docs/contract';
import type { Group } from '../docs/contract/row';
import { ACCOUNT_ID, SMART_ID } from '../docs/contract/samples';
import { requestsFor } from '../wallet/keyring-requests';
import type { Seed } from './call';
import type { Random } from './random';
import type { Stage } from './route';
import { wrongParams } from './wrong-params';

const listExamples = (groups: readonly Group[]): Seed[] =>
  groups.flatMap(({ rows }) =>
    rows.flatMap(({ name, examples }) =>
      examples.map(({ params }) => ({ method: name, params })),
    ),
  );

const siteExamples = listExamples(siteGroups);

const signingMethods =
  /^(?:personal_sign|eth_sign|eth_(?:prepare|patch|sign)UserOperation)/u;

const refusedParams: Seed[] = wrongParams.map(([method, params]) => ({
  method,
  params: JSON.parse(params) as Json,
}));

const moreSite: Seed[] = [
  {
    method: 'eth_signTransaction',
    params: [{ from: '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f' }],
  },
  {
    method: 'eth_sign',
    params: ['0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f', '0x00'],
  },
];

/** Calls that sites may make, and others that only the companion may. */
export const siteSeeds: readonly Seed[] = [
  ...siteExamples,
  ...refusedParams,
  ...moreSite,
];

/** Calls of the companion alone. */
export const companionSeeds: readonly Seed[] = listExamples(companionGroups);

/** Requests of the Account Management API for an account. */
export function keyringSeeds(random: Random, { accounts }: Stage): Seed[] {
  const account = random.pick(accounts) as unknown as KeyringAccount;
  const rows = Object.values(requestsFor(account)).map(({ request }) => ({
    method: request.method,
    params: request.params,
  }));
  const submit = rows.find(({ method }) => method === 'keyring_submitRequest');
  const frame = submit?.params as Record<string, Json>;
  const submissions = siteExamples
    .filter(({ method }) => signingMethods.test(method))
    .map(({ method, params }) => ({
      method: 'keyring_submitRequest',
      params: {
        ...frame,
        scope: random.pick(['', 'eip155:1', 'eip155:0x1', 'eip155:10']),
        id: `9c190a38-8a7c-4f84-a390-53cd8b5f${random.below(9_000) + 1_000}`,
        request: { method, params: params ?? [] },
      },
    }));
  return [...rows, ...submissions];
}

/** Put the stage's ids and servers where the examples have theirs. */
export function placeOn<Value extends Json>(
  value: Value,
  random: Random,
  { accounts, url }: Stage,
): Value {
  const [first, second] = accounts;
  const text = JSON.stringify(value)
    .replaceAll(ACCOUNT_ID, first?.id ?? '')
    .replaceAll(SMART_ID, second?.id ?? '')
    .replaceAll('https://node.example', `${url}/node`);
  const placed = random.chance(0.15) ? text.replaceAll('"0x1"', '"0xa"') : text;
  return JSON.parse(placed) as Value;
}
