// Where each method is answered. What is not named here is the wallet's own: reading the
// chain, choosing another, what snaps a site may use.

/** Who answers a method, and what is done with its params on the way. */
export type Route =
  /** The snap, as it was asked. */
  | 'snap'
  /** The snap, without asking for its installation: until then there are none. */
  | 'granted'
  /** The snap, which is told the chain that the wallet has chosen for this site. */
  | 'on-chain'
  /** The same, unless the transaction names its chain itself. */
  | 'transaction'
  /** The same where the snap is installed, elsewhere the wallet: reading needs nobody's yes. */
  | 'look-up'
  /** The snap's keyring, for the site that manages its accounts. */
  | 'keyring'
  | 'wallet';

const names: Readonly<Record<Exclude<Route, 'keyring' | 'wallet'>, readonly string[]>> =
  {
    snap: [
      'eth_requestAccounts',
      'wallet_requestPermissions',
      'wallet_revokePermissions',
      'eth_sign',
      'personal_sign',
      'eth_signTypedData',
      'eth_signTypedData_v1',
      'eth_signTypedData_v3',
      'eth_signTypedData_v4',
      'wallet_getCapabilities',
      'wallet_sendCalls',
      'wallet_getCallsStatus',
      'wallet_showCallsStatus',
      'tollkeeper_replaceTransaction',
      'gas_suggestedGasFees',
      'gas_baseFeePercentile',
    ],
    granted: ['eth_accounts', 'wallet_getPermissions'],
    'on-chain': [
      'eth_prepareUserOperation',
      'eth_patchUserOperation',
      'eth_signUserOperation',
      'eth_estimateUserOperationGas',
      'eth_sendUserOperation',
      'eth_getUserOperationReceipt',
      'eth_getUserOperationByHash',
      'eth_supportedEntryPoints',
      'rollup_estimateGas',
      'tollkeeper_getFeeLevels',
    ],
    transaction: ['eth_signTransaction', 'eth_fillTransaction', 'eth_sendTransaction'],
    'look-up': [
      'eth_sendRawTransaction',
      'eth_getTransactionReceipt',
      'eth_getTransactionByHash',
      'eth_getUncleByBlockNumberAndIndex',
      'eth_getUncleByBlockHashAndIndex',
    ],
  };

const routes = new Map(
  Object.entries(names).flatMap(([route, methods]) =>
    methods.map((method) => [method, route as Route] as const),
  ),
);

/** Find who answers a method. */
export function findRoute(method: string): Route {
  if (method.startsWith('keyring_')) return 'keyring';
  if (method.startsWith('tollkeeper_') || method === 'rpc.discover') {
    return routes.get(method) ?? 'snap';
  }
  return routes.get(method) ?? 'wallet';
}
