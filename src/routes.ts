// The table of methods. A row contains everything about a method except its code, which is in the
// handler tables under the same name. Dispatch, permissions, the provider's routes and the docs are
// derived from the table. It is pure data, because the provider imports it into pages.

/** Kinds of callers. `snap` is another snap, which may call nothing. */
export type Caller = 'metamask' | 'companion' | 'dapp' | 'snap';

/** How a call arrives: through `wallet_invokeSnap`, or through the Account Management API. */
export type EntryRoute = 'rpc' | 'keyring';

/** When Tollkeeper's own dialog asks: always, only if the user wants a second confirmation after
 * MetaMask's, or never, because nothing is signed. */
export type Confirm = 'always' | 'setting' | 'never';

/** Who answers a page's call, and what the provider does with its params. */
export type ProviderRoute =
  /** The snap, with unchanged params. */
  | 'snap'
  /** The snap if it is installed; otherwise an empty list, because nothing is granted. */
  | 'granted'
  /** The snap; unless the request has a scope, the provider adds the chain that the site uses in
   * the wallet. */
  | 'on-chain'
  /** Like `on-chain`, unless the transaction names a chain. */
  | 'transaction'
  /** Like `on-chain`, but only for typed data and sign-ins of that chain. */
  | 'signature'
  /** Like `on-chain` if the snap is installed, else the wallet, because no grant is needed. */
  | 'look-up'
  /** The snap's keyring, for the site that manages its accounts. */
  | 'keyring'
  | 'wallet';

type AccountType = 'eip155:eoa' | 'eip155:erc4337';

export type Route = {
  /** The part of `entry-points.ts` that handles the method. */
  kind: 'site' | 'signing' | 'look-up' | 'management' | 'keyring' | 'refused';
  /** The callers that may use the method. */
  by: readonly Caller[];
  /** The provider's route. By default, the snap answers Tollkeeper's own methods, its keyring the
   * `keyring_` methods, and the wallet all others. */
  provider?: ProviderRoute;
  /** The origin's budget that a call is charged to. */
  cost?: 'read' | 'sign';
  /** When a call reads the encrypted state, which makes a locked wallet ask the user to unlock it:
   * always (the default), never, or only for sites with a grant, unless the wallet would ask. */
  unlocks?: 'if granted' | 'never';
  /** Account types that offer the method. */
  accounts?: readonly AccountType[];
  /** Whether smart accounts whose contract verifies messages (ERC-1271) also offer the method. */
  byContract?: true;
  /** Whether ordinary accounts with a delegation (EIP-7702) also offer the method, if the request
   * names them. */
  byDelegation?: true;
  /** How a dapp's signing request is confirmed; `always` by default. A user operation that is
   * already signed is sent without a dialog. */
  dapp?: Confirm;
  /** When a method whose kind is not `signing` opens a dialog. A sign-in always does. */
  asks?: 'always' | 'unless granted';
  /** How MetaMask's signing request is confirmed. If omitted, MetaMask cannot request it. */
  metamask?: Confirm;
  /** Whether a request's envelope may have a `nonceKey`. */
  takesNonceKey?: true;
  /** Why the method is refused, completely or in part. */
  refused?: string;
};

const SITES = ['dapp', 'companion'] as const;
const EOA = ['eip155:eoa'] as const;
const SMART = ['eip155:erc4337'] as const;
const ANY = [...EOA, ...SMART] as const;

const site = { kind: 'site', by: SITES, provider: 'snap' } as const;
const signing = { kind: 'signing', by: SITES, cost: 'sign' } as const;
const asking = { ...signing, accounts: EOA, dapp: 'always' } as const;
const signature = { ...asking, provider: 'signature', metamask: 'setting' } as const;
const sending = { ...asking, provider: 'transaction' } as const;
const calls = { ...asking, provider: 'snap', accounts: ANY } as const;
const operation = {
  ...signing,
  provider: 'on-chain',
  accounts: SMART,
  byDelegation: true,
} as const;
const delegating = { ...asking, by: ['companion'], provider: 'snap' } as const;
const lookUp = { kind: 'look-up', by: SITES, cost: 'read' } as const;
const companion = { kind: 'management', by: ['companion'] } as const;
const managers = { kind: 'keyring', by: ['metamask', 'companion'] } as const;
const metamask = { kind: 'keyring', by: ['metamask'] } as const;

export const NO_PATHS =
  'keys come from snap_getEntropy, not from a BIP-44 path. Use keyring_createAccount, or ' +
  "create and restore accounts on Tollkeeper's home page in MetaMask.";

/** Every method, in the order of the docs. */
export const routes = {
  eth_requestAccounts: { ...site, asks: 'unless granted' },
  wallet_connect: {
    ...site,
    provider: 'signature',
    cost: 'sign',
    asks: 'unless granted',
  },
  eth_accounts: { ...site, provider: 'granted', unlocks: 'if granted' },
  wallet_getPermissions: { ...site, provider: 'granted', unlocks: 'if granted' },
  wallet_requestPermissions: { ...site, asks: 'always' },
  wallet_revokePermissions: site,
  wallet_disconnect: site,
  eth_sign: {
    kind: 'refused',
    by: SITES,
    provider: 'snap',
    cost: 'sign',
    refused:
      'it signs a hash that cannot be read and may be a transaction. Use personal_sign ' +
      'or eth_signTypedData_v4.',
  },
  wallet_signAuthorization: {
    ...asking,
    provider: 'on-chain',
    refused:
      'anyone with a signed EIP-7702 authorization can have any code act as the account. Users ' +
      "delegate on Tollkeeper's page, and wallet_sendCalls with atomicRequired asks for it. " +
      'Only the zero address, which revokes a delegation, can be authorized.',
  },
  personal_sign: { ...signature, byContract: true },
  eth_signTransaction: { ...signature, provider: 'transaction' },
  eth_signTypedData: { ...asking, provider: 'snap' },
  eth_signTypedData_v1: signature,
  eth_signTypedData_v3: signature,
  eth_signTypedData_v4: { ...signature, byContract: true },
  eth_prepareUserOperation: {
    ...operation,
    dapp: 'never',
    metamask: 'never',
    takesNonceKey: true,
  },
  eth_patchUserOperation: { ...operation, dapp: 'never', metamask: 'never' },
  eth_signUserOperation: { ...operation, dapp: 'always', metamask: 'setting' },
  eth_estimateUserOperationGas: { ...operation, dapp: 'never', takesNonceKey: true },
  eth_sendUserOperation: { ...operation, dapp: 'always', takesNonceKey: true },
  eth_getUserOperationReceipt: { ...lookUp, provider: 'on-chain' },
  eth_getUserOperationByHash: { ...lookUp, provider: 'on-chain' },
  eth_supportedEntryPoints: { ...lookUp, provider: 'on-chain' },
  eth_chainId: lookUp,
  wallet_getCapabilities: { ...site, cost: 'read' },
  wallet_sendCalls: calls,
  tollkeeper_getPermissions: { ...site, cost: 'read' },
  tollkeeper_revoke: calls,
  wallet_getCallsStatus: { ...site, cost: 'read' },
  wallet_showCallsStatus: { ...site, cost: 'read', asks: 'always' },
  eth_fillTransaction: { ...sending, dapp: 'never' },
  eth_sendTransaction: { ...sending, accounts: ANY },
  eth_sendRawTransaction: { ...site, provider: 'look-up', cost: 'sign' },
  tollkeeper_replaceTransaction: { ...asking, provider: 'snap' },
  tollkeeper_delegate: delegating,
  tollkeeper_revokeDelegation: delegating,
  eth_getTransactionReceipt: { ...lookUp, provider: 'look-up' },
  eth_getTransactionByHash: { ...lookUp, provider: 'look-up' },
  eth_getUncleByBlockNumberAndIndex: { ...lookUp, provider: 'look-up' },
  eth_getUncleByBlockHashAndIndex: { ...lookUp, provider: 'look-up' },
  rollup_estimateGas: { ...lookUp, provider: 'on-chain' },
  gas_suggestedGasFees: { ...lookUp, provider: 'snap' },
  gas_baseFeePercentile: { ...lookUp, provider: 'snap' },
  tollkeeper_getFeeLevels: { ...lookUp, provider: 'on-chain' },
  'rpc.discover': { ...site, cost: 'read', unlocks: 'never' },
  tollkeeper_setChain: companion,
  tollkeeper_getChains: companion,
  tollkeeper_setSettings: companion,
  keyring_listAccounts: managers,
  keyring_getAccounts: metamask,
  keyring_getAccount: managers,
  keyring_createAccount: managers,
  keyring_createAccounts: metamask,
  keyring_updateAccount: managers,
  keyring_deleteAccount: managers,
  keyring_exportAccount: managers,
  keyring_filterAccountChains: managers,
  keyring_listRequests: managers,
  keyring_getRequest: managers,
  keyring_approveRequest: managers,
  keyring_rejectRequest: managers,
  keyring_submitRequest: metamask,
  keyring_discoverAccounts: { kind: 'refused', by: ['metamask'], refused: NO_PATHS },
  keyring_listAccountAssets: metamask,
  keyring_getAccountAssets: metamask,
  keyring_getAccountBalances: metamask,
  keyring_listAccountTransactions: metamask,
  keyring_getAccountTransactions: metamask,
  keyring_resolveAccountAddress: metamask,
  keyring_setSelectedAccounts: metamask,
} as const satisfies Record<string, Route>;

export type MethodName<Kind extends Route['kind'] = Route['kind']> = {
  [Name in keyof typeof routes]: (typeof routes)[Name]['kind'] extends Kind
    ? Name
    : never;
}[keyof typeof routes];

export function findRoute(method: string): Route | undefined {
  return Object.hasOwn(routes, method) ? routes[method as MethodName] : undefined;
}

export function listMethods(entry: EntryRoute): MethodName[] {
  const names = Object.keys(routes) as MethodName[];
  return names.filter((name) => entryOf(name) === entry);
}

export function entryOf(method: string): EntryRoute {
  return method.startsWith('keyring_') ? 'keyring' : 'rpc';
}

export function findProviderRoute(method: string): ProviderRoute {
  if (entryOf(method) === 'keyring') return 'keyring';
  const isOurs = method.startsWith('tollkeeper_') || method === 'rpc.discover';
  return findRoute(method)?.provider ?? (isOurs ? 'snap' : 'wallet');
}

type Offering = { type: AccountType; implementation?: 'safe' };

export type Offer = Pick<Route, 'accounts' | 'byContract'>;

export function offers(
  account: Offering,
  { accounts = [], byContract }: Offer,
): boolean {
  const { type, implementation } = account;
  return (
    accounts.includes(type) || (byContract === true && implementation !== undefined)
  );
}

/** Lists the methods that MetaMask may request from an account. */
export function listAccountMethods(account: Offering): string[] {
  return metamaskRoutes.filter(([, row]) => offers(account, row)).map(([name]) => name);
}

const metamaskRoutes = Object.entries<Route>(routes).filter(([, row]) => row.metamask);

export function describeUnknown(name: string): string {
  const reason = findRoute(name)?.refused;
  return reason === undefined
    ? `${name.slice(0, 64)} is not a signing method.`
    : `${name} is not offered: ${reason}`;
}
