// Who may call what: one row a method. The platform's origin decides, never one that
// stands in the params.
import { UnauthorizedError, UnsupportedMethodError } from '../errors';

/** Kinds of callers. `snap` is another snap, which nothing is open to. */
export type OriginClass = 'metamask' | 'companion' | 'dapp' | 'snap';

/** How a call reaches us: `wallet_invokeSnap` or the Account Management API. */
export type Route = 'rpc' | 'keyring';

const everySite: readonly OriginClass[] = ['dapp', 'companion'];
const companion: readonly OriginClass[] = ['companion'];
const metamask: readonly OriginClass[] = ['metamask'];
const managers: readonly OriginClass[] = ['metamask', 'companion'];

/** Methods by route and name, with those who may call them. */
export const permissions: Record<Route, Record<string, readonly OriginClass[]>> = {
  rpc: {
    eth_requestAccounts: everySite,
    eth_accounts: everySite,
    wallet_getPermissions: everySite,
    wallet_requestPermissions: everySite,
    wallet_revokePermissions: everySite,
    eth_sign: everySite,
    personal_sign: everySite,
    eth_signTransaction: everySite,
    eth_signTypedData: everySite,
    eth_signTypedData_v1: everySite,
    eth_signTypedData_v3: everySite,
    eth_signTypedData_v4: everySite,
    eth_prepareUserOperation: everySite,
    eth_patchUserOperation: everySite,
    eth_signUserOperation: everySite,
    eth_estimateUserOperationGas: everySite,
    eth_sendUserOperation: everySite,
    eth_getUserOperationReceipt: everySite,
    eth_getUserOperationByHash: everySite,
    eth_supportedEntryPoints: everySite,
    eth_chainId: everySite,
    wallet_getCapabilities: everySite,
    wallet_sendCalls: everySite,
    wallet_getCallsStatus: everySite,
    wallet_showCallsStatus: everySite,
    eth_fillTransaction: everySite,
    eth_sendTransaction: everySite,
    eth_sendRawTransaction: everySite,
    tollkeeper_replaceTransaction: everySite,
    eth_getTransactionReceipt: everySite,
    eth_getTransactionByHash: everySite,
    eth_getUncleByBlockNumberAndIndex: everySite,
    eth_getUncleByBlockHashAndIndex: everySite,
    rollup_estimateGas: everySite,
    gas_suggestedGasFees: everySite,
    gas_baseFeePercentile: everySite,
    tollkeeper_getFeeLevels: everySite,
    'rpc.discover': everySite,
    tollkeeper_setChain: companion,
    tollkeeper_getChains: companion,
    tollkeeper_createAccounts: companion,
    tollkeeper_restoreAccounts: companion,
    tollkeeper_getProgress: companion,
    tollkeeper_cancelProgress: companion,
    tollkeeper_getDeployments: companion,
    tollkeeper_getGrants: companion,
    tollkeeper_revokeGrant: companion,
    tollkeeper_getSettings: companion,
    tollkeeper_setSettings: companion,
    tollkeeper_getStatus: companion,
    tollkeeper_getActivity: companion,
  },
  keyring: {
    keyring_listAccounts: managers,
    keyring_getAccount: managers,
    keyring_createAccount: managers,
    keyring_updateAccount: managers,
    keyring_deleteAccount: managers,
    keyring_exportAccount: companion,
    keyring_filterAccountChains: managers,
    keyring_listRequests: managers,
    keyring_getRequest: managers,
    keyring_approveRequest: managers,
    keyring_rejectRequest: managers,
    keyring_submitRequest: metamask,
    keyring_createAccounts: metamask,
    keyring_discoverAccounts: metamask,
    keyring_listAccountAssets: metamask,
    keyring_getAccountBalances: metamask,
    keyring_listAccountTransactions: metamask,
    keyring_resolveAccountAddress: metamask,
    keyring_setSelectedAccounts: metamask,
  },
};

/**
 * Tell what kind of caller an origin is.
 *
 * @param companionOrigin - Undefined where the snap was built without a companion page.
 */
export function classifyOrigin(
  origin: string,
  companionOrigin: string | undefined,
): OriginClass {
  if (origin === 'metamask') return 'metamask';
  if (origin === companionOrigin) return 'companion';
  // Our own page's name is nobody's who calls us.
  return /^(?:npm:|local:|Tollkeeper$)/u.test(origin) ? 'snap' : 'dapp';
}

/**
 * Refuse a call that its origin may not make.
 *
 * @throws {UnsupportedMethodError} If the method is unknown on this route.
 * @throws {UnauthorizedError} If it is for others.
 */
export function assertPermitted(
  route: Route,
  method: string,
  origin: OriginClass,
): void {
  const rows = permissions[route];
  const allowed = Object.hasOwn(rows, method) ? rows[method] : undefined;
  if (!allowed) {
    throw new UnsupportedMethodError(`The method ${shown(method)} is unknown.`);
  }
  if (allowed.includes(origin)) return;
  throw new UnauthorizedError(`${method} is not open to this origin.`);
}

// A method's name comes from the caller, and can be anything.
function shown(method: string): string {
  return JSON.stringify(method.slice(0, 64));
}
