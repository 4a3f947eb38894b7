// The table of methods: one row says everything about a method that is not its code. Dispatch,
// permissions, the provider's ways and the docs are derived from it; `entry-points.ts` has the code
// by the same names. Pure data, since the provider imports it into pages.

/** Kinds of callers. `snap` is another snap, which nothing is open to. */
export type Caller = 'metamask' | 'companion' | 'dapp' | 'snap';

/** How a call reaches us: by `wallet_invokeSnap`, or by the Account Management API. */
export type EntryRoute = 'rpc' | 'keyring';

/** How the user confirms: in our dialog always, or only if they want a second confirmation
 * (MetaMask has asked already), or never, since nothing is signed. */
export type Confirm = 'always' | 'setting' | 'never';

/** Who answers a method for a page, and what the provider does with its params on the way. */
export type ProviderRoute =
  /** The snap, as it was asked. */
  | 'snap'
  /** The snap, without asking for its installation: until then there are none. */
  | 'granted'
  /** The snap, with the chain that the wallet has chosen for this site. */
  | 'on-chain'
  /** The same, unless the transaction names its chain itself. */
  | 'transaction'
  /** The same, only if typed data or a sign-in are for that chain. */
  | 'signature'
  /** The same where the snap is installed, elsewhere the wallet: reading needs no consent. */
  | 'look-up'
  /** The snap's keyring, for the site that manages its accounts. */
  | 'keyring'
  | 'wallet';

type AccountType = 'eip155:eoa' | 'eip155:erc4337';

/** What a row says of a method. */
export type Route = {
  /** Which part of `entry-points.ts` has its code. */
  kind: 'site' | 'signing' | 'look-up' | 'management' | 'keyring' | 'refused';
  /** Who may call it. */
  by: readonly Caller[];
  /** The provider's way; by default the wallet answers. */
  provider?: ProviderRoute;
  /** The budget of the origin that it is charged to. */
  cost?: 'read' | 'sign';
  /** State that is read before the answer, which asks the user of a locked wallet to unlock it:
   * by default all; for a site without a grant, or for all, nothing. */
  unlocks?: 'if granted' | 'never';
  /** Accounts that offer it. */
  accounts?: readonly AccountType[];
  /** Whether smart accounts offer it, too, whose contract can verify messages (ERC-1271). */
  byContract?: true;
  /** Whether ordinary accounts that are named offer it, too, where they delegate (EIP-7702). */
  byDelegation?: true;
  /** How a dapp's request is confirmed. */
  dapp?: Confirm;
  /** When a method that signs nothing opens a dialog. */
  asks?: 'always' | 'unless granted';
  /** How MetaMask's request is confirmed; left out where MetaMask does it itself. */
  metamask?: Confirm;
  /** Whether it takes a nonce key and who pays beside its params. */
  takesOptions?: true;
  /** Why it is not offered, or not for everything. */
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

/** Why nothing is derived or discovered by a BIP-44 path. */
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
      'delegate on the page of Tollkeeper, and wallet_sendCalls with atomicRequired asks for it. ' +
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
    takesOptions: true,
  },
  eth_patchUserOperation: { ...operation, dapp: 'never', metamask: 'never' },
  eth_signUserOperation: { ...operation, dapp: 'always', metamask: 'setting' },
  eth_estimateUserOperationGas: { ...operation, dapp: 'never', takesOptions: true },
  eth_sendUserOperation: { ...operation, dapp: 'always', takesOptions: true },
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

/** Name of a method, of a kind or of any. */
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

/** Finds who answers a method that a page calls. */
export function findProviderRoute(method: string): ProviderRoute {
  if (entryOf(method) === 'keyring') return 'keyring';
  const isOurs = method.startsWith('tollkeeper_') || method === 'rpc.discover';
  return findRoute(method)?.provider ?? (isOurs ? 'snap' : 'wallet');
}

/** What of an account decides which methods it offers. */
type Offering = { type: AccountType; implementation?: 'safe' };

/** What of a row decides which accounts offer its method. */
export type Offer = {
  accounts?: Route['accounts'];
  byContract?: Route['byContract'] | undefined;
};

export function offers(
  account: Offering,
  { accounts = [], byContract }: Offer,
): boolean {
  const { type, implementation } = account;
  return (
    accounts.includes(type) || (byContract === true && implementation !== undefined)
  );
}

/** Lists the methods that MetaMask may have an account sign with. */
export function listAccountMethods(account: Offering): string[] {
  return metamaskRoutes.filter(([, row]) => offers(account, row)).map(([name]) => name);
}

const metamaskRoutes = Object.entries<Route>(routes).filter(([, row]) => row.metamask);

/** Says that a name is not one of a signing method, and why, where that is known. */
export function describeUnknown(name: string): string {
  const reason = findRoute(name)?.refused;
  return reason === undefined
    ? `${name.slice(0, 64)} is not a signing method.`
    : `${name} is not offered: ${reason}`;
}
