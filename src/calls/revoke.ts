// tollkeeper_getPermissions [{ account, chainId }] → { permissions, logs }: finds the permissions
// that others have on an account's assets. tollkeeper_revoke [{ account, chainId, permissions }] →
// { id }: revokes permissions in a batch of calls, like wallet_sendCalls.
import { tuple } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { defineMethod } from '../context';
import type { AppContext } from '../context';
import { ChainIdStruct } from '../eth/chain';
import { withQuantities } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { PermissionStruct, toRevocations } from '../permissions/permission';
import type { Permission } from '../permissions/permission';
import {
  AccountStruct,
  assertNamed,
  assertSameChain,
  assertServed,
  parseEnvelope,
} from '../request';
import type { SiteRequest } from '../request';
import { parse } from '../schema/parse';
import { list, paramObject } from '../schema/structs';
import { MAX_BATCH_CALLS } from '../state/sent-transaction';
import { chooseCallsRoute } from './send';

const accountAndChain = { account: AccountStruct, chainId: ChainIdStruct };

export const GetPermissionsParamsStruct = tuple([paramObject(accountAndChain)]);

export const RevokeParamsStruct = tuple([
  paramObject({
    ...accountAndChain,
    permissions: list(PermissionStruct, { min: 1, max: MAX_BATCH_CALLS }),
  }),
]);

/** Cost of a search, in lookups. It can take a hundred log requests, and one call per
 * permission. */
const SEARCH_COST = 40;

/** Maximum wait for logs if a site asks, in ms. */
const SITE_WAIT_MS = 8_000;

/** Throws `UnauthorizedError` if the account was not granted. */
export async function getPermissions(
  { origin, method, params }: SiteRequest,
  { grants, permissions, rateLimit }: AppContext,
): Promise<Json> {
  const { account: outer, scope, params: own } = parseEnvelope(method, params);
  const root = `${method}: params`;
  const [{ account: named, chainId }] = parse(own, GetPermissionsParamsStruct, root);
  const account = await grants.require(origin, [named]);
  if (outer !== undefined) assertNamed(account, outer, `${root}.account`);
  assertSameChain(scope, chainId);
  assertServed(account, chainId);
  rateLimit(origin, 'read', SEARCH_COST);
  const found = await permissions.find(account, chainId, SITE_WAIT_MS);
  return {
    permissions: found.permissions.map(toPermissionJson),
    logs: withQuantities(found.logs),
  };
}

/** Converts a permission to the form that tollkeeper_revoke accepts. */
export function toPermissionJson(permission: Permission): Json {
  const given = Object.entries(permission).filter(([, value]) => value !== undefined);
  return withQuantities(Object.fromEntries(given) as Record<string, Json | bigint>);
}

export const tollkeeperRevoke = defineMethod({
  parse: (params) => parse(params, RevokeParamsStruct, 'tollkeeper_revoke: params')[0],
  accounts: ({ account }) => [account as Hex],
  countCalls: ({ permissions }) => permissions.length,
  choose: async ({ account: named, chainId, permissions }, context) => {
    const { account: record } = context;
    // The envelope may name a different account.
    assertNamed(record, named, 'account');
    assertServed(record, chainId);
    const { node } = await context.connect(chainId);
    const now = BigInt(Math.floor(context.now() / 1_000));
    const intents = await toRevocations(permissions, { record, node, now });
    const wanted = { chainId, intents, atomicRequired: false, isRevoking: true };
    return chooseCallsRoute(wanted, context);
  },
});
