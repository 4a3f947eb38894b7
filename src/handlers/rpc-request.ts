// onRpcRequest: dapps and the companion, by wallet_invokeSnap. The platform filters no
// method here, so the table of permissions does.
import type { Json } from '@metamask/utils';

import type { Keyring } from '../keyring/keyring';
import {
  getPermissions,
  requestAccounts,
  requestPermissions,
  revokePermissions,
} from './accounts-request';
import type { AccountsRequestServices } from './accounts-request';
import { getCallsStatus, showCallsStatus } from './calls-request';
import type { CallsRequestServices } from './calls-request';
import { getCapabilities } from './capabilities-request';
import type { CapabilitiesServices } from './capabilities-request';
import { handleDiscover } from './discover';
import type { DiscoverServices } from './discover';
import { handleLookUp, isLookUp } from './look-up-request';
import type { LookUpRequestServices } from './look-up-request';
import { handleManagement, isManagement } from './management-request';
import type { ManagementServices } from './management-request';
import { requirePermitted, classifyOrigin } from './permissions';
import { assertSize } from './request-size';
import { handleSendRaw } from './send-raw-request';
import type { SendRawServices } from './send-raw-request';
import { handleSigningRequest } from './signing-request';
import type { SigningServices } from './signing-request';

/** What the handler needs. */
export type RpcRequestServices = AccountsRequestServices &
  SigningServices &
  LookUpRequestServices &
  SendRawServices &
  CallsRequestServices &
  CapabilitiesServices &
  DiscoverServices &
  ManagementServices & { companionOrigin: string | undefined; keyring: Keyring };

type Call = { origin: string; method: string; params: Json };

type Handler = (call: Call, services: RpcRequestServices) => Promise<Json>;

const DISCOVER = 'rpc.discover';

/** What a site is asked for at every visit: empty where nothing was granted to it. */
const grantedLists: readonly string[] = ['eth_accounts', 'wallet_getPermissions'];

const handlers: Record<string, Handler> = {
  eth_requestAccounts: async ({ origin }, services) =>
    requestAccounts(origin, services),
  eth_accounts: async ({ origin }, { grants }) =>
    (await grants.list(origin)).map(({ address }) => address),
  wallet_getPermissions: async ({ origin }, services) =>
    getPermissions(origin, services),
  wallet_requestPermissions: async (call, services) =>
    requestPermissions(call, services),
  wallet_revokePermissions: async (call, services) => revokePermissions(call, services),
  eth_sendRawTransaction: async (call, services) => handleSendRaw(call, services),
  wallet_getCapabilities: async (call, services) => getCapabilities(call, services),
  wallet_getCallsStatus: async (call, services) => getCallsStatus(call, services),
  wallet_showCallsStatus: async (call, services) => showCallsStatus(call, services),
};

/** Answer a dapp's request. */
export async function handleRpcRequest(
  {
    origin,
    request,
  }: { origin: string; request: { method: string; params?: unknown } },
  services: RpcRequestServices,
): Promise<Json> {
  const { method } = request;
  requirePermitted('rpc', method, classifyOrigin(origin, services.companionOrigin));
  assertSize(method, request.params);
  const call = { origin, method, params: (request.params ?? []) as Json };
  // Before anything is read that a locked wallet's user would be asked for.
  if (method === DISCOVER) return handleDiscover(call, services);
  if (grantedLists.includes(method) && !(await services.grants.mayHave(origin))) {
    return [];
  }
  await services.keyring.settle();
  const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
  if (handler) return handler(call, services);
  if (isManagement(method)) return handleManagement(call, services);
  return isLookUp(method)
    ? handleLookUp(call, services)
    : handleSigningRequest(call, services);
}
