// The JSON-RPC engine of a website or the snap, and its permissions.
import { createAsyncMiddleware, JsonRpcEngine } from '@metamask/json-rpc-engine';
import {
  PermissionController,
  type RequestedPermissions,
  type SubjectMetadata,
  SubjectMetadataController,
  SubjectType,
} from '@metamask/permission-controller';
import { JsonRpcError, providerErrors, rpcErrors } from '@metamask/rpc-errors';
import {
  buildSnapEndowmentSpecifications,
  buildSnapRestrictedMethodSpecifications,
  caveatSpecifications,
  createSnapsMethodMiddleware,
  endowmentCaveatSpecifications,
} from '@metamask/snaps-rpc-methods';
import type { Json, JsonRpcParams } from '@metamask/utils';

import { callRpc } from '../stack/server';
import { messengerFor, type RootMessenger, words } from './base';
import type { WalletDisk } from './controllers';
import type { Notification, Notifications, Platform } from './platform';

export type SnapCall = { method: string; params?: JsonRpcParams };

/** Creates the JSON-RPC engine of a website or the snap. `onCall` runs before each call. If it
 * throws, the call fails with the same error. */
export function createEngine(
  platform: Platform,
  options: {
    origin: string;
    isSnap: boolean;
    networks: Networks;
    onCall?: (call: SnapCall) => void | Promise<void>;
  },
): JsonRpcEngine {
  const { origin, isSnap, networks, onCall } = options;
  const engine = new JsonRpcEngine();
  engine.push(
    createAsyncMiddleware(async (request, _response, next) => {
      const { method, params } = request;
      await onCall?.({ method, ...(params !== undefined && { params }) });
      // MetaMask's handlers read the caller's origin from the request.
      Object.assign(request, { origin });
      await next();
    }),
  );
  engine.push(createSnapsMethodMiddleware(isSnap, createMethodHooks(origin, platform)));
  engine.push(
    createAsyncMiddleware(async ({ method, params }, response) => {
      if (WALLET_METHODS.includes(method)) {
        response.result = await answerAsWallet({ method, params }, origin, networks);
      } else if (CHAIN_METHODS.includes(method)) {
        const chain = networks.selected(origin);
        response.result = await callChain(chain, { method, params });
      } else {
        const { permissions } = platform;
        response.result = await permissions.executeRestrictedMethod(
          origin,
          method,
          params,
        );
      }
    }),
  );
  return engine;
}

export type Chain = { url: string };

/** Methods that MetaMask forwards to its network. MetaMask answers other methods, such as
 * `eth_sendUserOperation`, `linea_*` or `anvil_*`, with -32601. */
const CHAIN_METHODS = words(`
  eth_blockNumber eth_call eth_chainId eth_coinbase eth_estimateGas eth_feeHistory
  eth_gasPrice eth_getBalance eth_getBlockByHash eth_getBlockByNumber
  eth_getBlockTransactionCountByHash eth_getBlockTransactionCountByNumber
  eth_getCode eth_getFilterChanges eth_getFilterLogs eth_getLogs eth_getProof
  eth_getStorageAt eth_getTransactionByBlockHashAndIndex
  eth_getTransactionByBlockNumberAndIndex eth_getTransactionByHash
  eth_getTransactionCount eth_getTransactionReceipt eth_getUncleByBlockHashAndIndex
  eth_getUncleByBlockNumberAndIndex eth_getUncleCountByBlockHash
  eth_getUncleCountByBlockNumber eth_newBlockFilter eth_newFilter
  eth_newPendingTransactionFilter eth_protocolVersion eth_sendRawTransaction
  eth_syncing eth_uninstallFilter net_listening net_peerCount net_version
  web3_clientVersion web3_sha3
`);

/** Calls the node. Throws the node's error unchanged, or -32603 if the node is unreachable. */
export async function callChain(
  { url }: Chain,
  { method, params = [] }: { method: string; params?: unknown },
): Promise<Json> {
  const { result, error } = await callRpc(url, method, params).catch(
    (cause: unknown) => {
      throw rpcErrors.internal({ message: 'Failed to fetch.', data: { cause } });
    },
  );
  if (error) throw new JsonRpcError(error.code, error.message, error.data);
  return (result ?? null) as Json;
}

/** As in MetaMask, each origin has its own network, initially the wallet's first one. A snap may
 * change its own network without asking the user. */
export class Networks {
  readonly #all: Chain[];

  readonly #byOrigin = new Map<string, Chain>();

  readonly #listeners: [origin: string, listener: (chainId: string) => void][] = [];

  constructor(chains: readonly Chain[]) {
    this.#all = [...chains];
  }

  selected(origin: string): Chain {
    return this.#byOrigin.get(origin) ?? (this.#all[0] as Chain);
  }

  async select(origin: string, chainId: string): Promise<void> {
    const ids = await Promise.all(
      this.#all.map(async (chain) => callChain(chain, { method: 'eth_chainId' })),
    );
    const found = this.#all[ids.indexOf(chainId)];
    if (!found) {
      throw providerErrors.custom({
        code: 4902,
        message: `Unrecognized chain ID "${chainId}". Try adding the chain using wallet_addEthereumChain first.`,
      });
    }
    this.#byOrigin.set(origin, found);
    for (const [of, listener] of this.#listeners) if (of === origin) listener(chainId);
  }

  add(chain: Chain): void {
    this.#all.push(chain);
  }

  /** Reports each new chain id of an origin, in hex. */
  onChanged(origin: string, listener: (chainId: string) => void): void {
    this.#listeners.push([origin, listener]);
  }
}

/** Methods that MetaMask answers without its node. */
const WALLET_METHODS = words(`
  eth_accounts wallet_addEthereumChain wallet_switchEthereumChain
`);

async function answerAsWallet(
  { method, params }: { method: string; params: JsonRpcParams | undefined },
  origin: string,
  networks: Networks,
): Promise<Json> {
  // No site is connected to MetaMask's own accounts.
  if (method === 'eth_accounts') return [];
  const [{ chainId = '', rpcUrls: [url] = [] } = {}] = (params ?? []) as {
    chainId?: string;
    rpcUrls?: string[];
  }[];
  if (method === 'wallet_addEthereumChain' && url !== undefined) networks.add({ url });
  await networks.select(origin, chainId);
  return null;
}

const CLIENT_VERSION = '13.6.0-flask.0';

type Messenger = Platform['messenger'];
type Interface = { state: unknown; context: unknown };

/** MetaMask's own middleware calls the hooks and checks their arguments. */
function createBind(messenger: Messenger) {
  // Hooks are looked up by name at run time, so types cannot check them.
  const call = messenger.call.bind(messenger) as (...args: unknown[]) => unknown;
  return (action: Parameters<Messenger['call']>[0], ...bound: unknown[]) =>
    (...args: unknown[]) =>
      call(action, ...bound, ...args);
}

// Hooks for methods that need no permission of their own: wallet_requestSnaps,
// wallet_invokeKeyring, snap_getState, snap_openWebSocket, …
function createMethodHooks(origin: string, platform: Platform) {
  const { permissions, subjects } = platform;
  const bind = createBind(platform.messenger);
  const getInterface = (id: string) =>
    bind('SnapInterfaceController:getInterface', origin)(id) as Interface;
  return {
    hasPermission: (name: string) => permissions.hasPermission(origin, name),
    getPermissions: () => permissions.getPermissions(origin),
    requestPermissions: (requested: RequestedPermissions) =>
      permissions.requestPermissions({ origin }, requested),
    invokeSnap: (params: Record<string, never>) =>
      permissions.executeRestrictedMethod(origin, 'wallet_snap', params),
    getAllowedKeyringMethods: () =>
      getKeyringMethods(subjects.getSubjectMetadata(origin)),
    getSnap: bind('SnapController:get'),
    getAllSnaps: bind('SnapController:getAll'),
    getSnaps: bind('SnapController:getPermitted', origin),
    installSnaps: bind('SnapController:install', origin),
    handleSnapRpcRequest: (request: object) =>
      bind('SnapController:handleRequest')({ ...request, origin }),
    getSnapFile: bind('SnapController:getFile', origin),
    getSnapState: bind('SnapController:getSnapState', origin),
    updateSnapState: bind('SnapController:updateSnapState', origin),
    clearSnapState: bind('SnapController:clearSnapState', origin),
    scheduleBackgroundEvent: (event: object) =>
      bind('CronjobController:schedule')({ ...event, snapId: origin }),
    cancelBackgroundEvent: bind('CronjobController:cancel', origin),
    getBackgroundEvents: bind('CronjobController:get', origin),
    openWebSocket: bind('WebSocketService:open', origin),
    closeWebSocket: bind('WebSocketService:close', origin),
    sendWebSocketMessage: bind('WebSocketService:sendMessage', origin),
    getWebSockets: bind('WebSocketService:getAll', origin),
    createInterface: bind('SnapInterfaceController:createInterface', origin),
    updateInterface: bind('SnapInterfaceController:updateInterface', origin),
    resolveInterface: bind('SnapInterfaceController:resolveInterface', origin),
    getInterfaceState: (id: string) => getInterface(id).state,
    getInterfaceContext: (id: string) => getInterface(id).context,
    getUnlockPromise: () => platform.lock.untilUnlocked(),
    getIsLocked: () => platform.lock.isLocked,
    getIsActive: () => !platform.lock.isLocked,
    getVersion: () => CLIENT_VERSION,
    getEntropySources: () => platform.secrets.getEntropySources(),
    getCurrencyRate: () => undefined,
    getNetworkConfigurationByChainId: () => undefined,
  };
}

/** Methods that a website may call with wallet_invokeKeyring, whatever the snap declares. */
const WEBSITE_METHODS = words(`
  keyring_listAccounts keyring_getAccount keyring_createAccount
  keyring_filterAccountChains keyring_updateAccount keyring_deleteAccount
  keyring_exportAccount keyring_listRequests keyring_getRequest
  keyring_approveRequest keyring_rejectRequest
`);

/** Lists the keyring methods that an origin may call. As in Flask, websites with plain http may
 * call them too. */
function getKeyringMethods(subject: SubjectMetadata | undefined): string[] {
  return subject?.subjectType === SubjectType.Website &&
    /^https?:/u.test(subject.origin)
    ? WEBSITE_METHODS
    : [];
}

/** The platform does not exist yet, so the hooks look it up when they are called. */
export function createPermissions(
  root: RootMessenger,
  getPlatform: () => Platform,
  state: Partial<WalletDisk>,
): Pick<Platform, 'subjects' | 'permissions'> {
  const permissions = new PermissionController({
    messenger: messengerFor(root),
    caveatSpecifications: { ...caveatSpecifications, ...endowmentCaveatSpecifications },
    permissionSpecifications: {
      ...buildSnapEndowmentSpecifications([]),
      ...buildSnapRestrictedMethodSpecifications(
        [],
        createHooks(messengerFor(root), getPlatform),
      ),
    },
    unrestrictedMethods: [...CHAIN_METHODS, ...WALLET_METHODS],
    ...(state.permissions && { state: state.permissions }),
  });
  // Must be created last, because it immediately removes subjects without permissions.
  const subjects = new SubjectMetadataController({
    messenger: messengerFor(root),
    subjectCacheLimit: 100,
    ...(state.subjects && { state: state.subjects }),
  });
  return { subjects, permissions };
}

const PREFERENCES = {
  locale: 'en',
  currency: 'usd',
  hideBalances: false,
  useSecurityAlerts: true,
  useExternalPricingData: true,
  simulateOnChainActions: true,
  useTokenDetection: true,
  batchCheckBalances: true,
  displayNftMedia: true,
  useNftDetection: true,
  showTestnets: true,
};

// Hooks for methods that need a permission: snap_dialog, snap_manageAccounts, …
function createHooks(messenger: Messenger, getPlatform: () => Platform) {
  const bind = createBind(messenger);
  const notify =
    (type: Parameters<Notifications['show']>[0]) =>
    async (_snapId: string, notification: Notification) =>
      Promise.resolve(getPlatform().notifications.show(type, notification));
  return {
    getPreferences: () => PREFERENCES,
    getUnlockPromise: () => getPlatform().lock.untilUnlocked(),
    getMnemonic: (source?: string) => getPlatform().secrets.getMnemonic(source),
    getMnemonicSeed: (source?: string) => getPlatform().secrets.getMnemonicSeed(source),
    getClientCryptography: () => ({}),
    getSnapKeyring: () => Promise.resolve(getPlatform().keyring),
    clearSnapState: bind('SnapController:clearSnapState'),
    getSnapState: bind('SnapController:getSnapState'),
    updateSnapState: bind('SnapController:updateSnapState'),
    getSnap: bind('SnapController:get'),
    handleSnapRpcRequest: bind('SnapController:handleRequest'),
    createInterface: bind('SnapInterfaceController:createInterface'),
    getInterface: bind('SnapInterfaceController:getInterface'),
    requestUserApproval: (request: unknown) =>
      bind('ApprovalController:addRequest')(request, true),
    showInAppNotification: notify('showInAppNotification'),
    showNativeNotification: notify('showNativeNotification'),
    isOnPhishingList: () => false,
    maybeUpdatePhishingList: () => Promise.resolve(),
  };
}
