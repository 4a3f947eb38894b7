// A wallet in Node made of MetaMask's own packages, with a snap installed from its folder.
import { SubjectType } from '@metamask/permission-controller';
import { providerErrors, rpcErrors } from '@metamask/rpc-errors';
import type { SnapController } from '@metamask/snaps-controllers';
import type { SnapId } from '@metamask/snaps-sdk';
import type { HandlerType } from '@metamask/snaps-utils';
import type { Json, JsonRpcRequest } from '@metamask/utils';

import {
  createFolderFetch,
  createMessenger,
  messengerFor,
  TimerScope,
  toJson,
} from './base';
import {
  createControllers,
  createEncryptor,
  PRIMARY_ADDRESS,
  provideOutside,
  readDisk,
  settleState,
  toOtherAccount,
  type WalletDisk,
  WalletSnapController,
} from './controllers';
import { createEngine, createPermissions, Networks, type SnapCall } from './engine';
import { createInProcessService } from './in-process';
import { createVault } from './keyring';
import {
  COMPANION_ORIGIN,
  DEFAULT_SNAP_ID,
  DEV_SNAP,
  type SnapCallHook,
  type WalletOptions,
} from './options';
import {
  DEFAULT_MNEMONIC,
  Lock,
  Notifications,
  type Platform,
  Secrets,
} from './platform';
import { Screen } from './screen';
import { createUser } from './user';
import { createExecutionService } from './worker';

export type Wallet = ReturnType<typeof createWallet>;

/** Starts a wallet, and installs the snap for the companion site unless a disk is reopened. */
export async function startWallet(options: WalletOptions): Promise<Wallet> {
  const calls: SnapCall[] = [];
  const parts = await assemble(options, async (call) => {
    calls.push(call);
    await parts.timers.leave(() => wallet.onSnapCall?.(call));
  });
  const wallet = createWallet(parts, { ...options, calls });
  try {
    if (options.disk) parts.snaps.init();
    else await wallet.install();
  } catch (error) {
    await wallet.stop();
    throw error;
  }
  return wallet;
}

function createWallet(parts: Assembly, options: WalletOptions & { calls: SnapCall[] }) {
  const { snaps, keyring, subjects, networks, timers } = parts;
  const snapId = (options.snapId ?? DEFAULT_SNAP_ID) as SnapId;
  let stopped: Promise<void> | undefined;

  const invoke = async (handler: `${HandlerType}`, request: SnapCall) => {
    const answer = await snaps.handleRequest({
      snapId,
      origin: 'metamask',
      handler: handler as HandlerType,
      request,
    });
    return toJson(answer as Json);
  };
  /** Visits a website. {@link COMPANION_ORIGIN} is connected to the snap. */
  const site = (origin: string): Site => {
    subjects.addSubjectMetadata({ origin, subjectType: SubjectType.Website });
    const engine = createEngine(parts, { origin, isSnap: false, networks });
    let nextId = 1;
    return {
      origin,
      async request({ method, params }) {
        // Requests and answers cross to the page as JSON, which drops undefined fields.
        const request = toJson({ jsonrpc: '2.0', id: nextId++, method, params });
        const answered = timers.run(() => engine.handle(request as JsonRpcRequest));
        const response = toJson(await answered);
        if ('error' in response) throw new SiteError(response.error);
        return response.result;
      },
      on: (event, listener) => {
        if (event !== 'chainChanged') return;
        networks.onChanged(origin, listener as (chainId: string) => void);
      },
    };
  };
  const screen = (id: string): Screen => new Screen(parts, snapId, id);

  return {
    snapId,
    keyring,
    controller: snaps as SnapController,
    user: parts.user,
    lock: parts.lock,
    notifications: parts.notifications.shown,
    calls: options.calls,
    /** See {@link WalletOptions.onSnapCall}; may be changed at any time. */
    onSnapCall: options.onSnapCall,
    invoke,
    site,
    screen,
    /** Lets a website use the installed snap. If the website requested the snap, MetaMask would
     * install it again. */
    connect(origin: string): void {
      const connected = Object.keys(snaps.getPermittedSnaps(origin));
      const value = Object.fromEntries([...connected, snapId].map((id) => [id, {}]));
      parts.permissions.grantPermissions({
        subject: { origin },
        approvedPermissions: {
          wallet_snap: { caveats: [{ type: 'snapIds', value }] },
        },
      });
    },
    /** Performs a JSON-RPC call as the snap, without `onSnapCall`. */
    async perform({ method, params }: SnapCall): Promise<Json> {
      const engine = createEngine(parts, { origin: snapId, isSnap: true, networks });
      const id = 'performed';
      const call = { jsonrpc: '2.0' as const, id, method, ...(params && { params }) };
      const answer = await timers.run(() => engine.handle(toJson(call)));
      if ('error' in answer) throw rpcErrors.internal(answer.error.message);
      return answer.result;
    },
    /** Calls a keyring_* method as MetaMask itself, without checks. */
    metamaskKeyring: (request: SnapCall) => invoke('onKeyringRequest', request),
    async openHomePage(): Promise<Screen> {
      const page = await invoke('onHomePage', { method: '' });
      return screen((page as { id: string }).id);
    },
    /** The snap's stored data, decrypted, even if not yet on disk. */
    async state(): Promise<{ encrypted: Json; unencrypted: Json }> {
      const [encrypted, unencrypted] = await Promise.all([
        snaps.getSnapState(snapId, true),
        snaps.getSnapState(snapId, false),
      ]);
      return toJson({ encrypted, unencrypted });
    },
    /** Reads the disk after all data is written, half a second after the last change. */
    async disk(): Promise<WalletDisk> {
      await settleState(parts, snapId);
      return readDisk(parts, await keyring.serialize());
    },
    /** Lines that the snap has printed. They arrive with a slight delay. */
    console: () => [...parts.execution.printed],
    /** Whether the snap's worker is running. If not, the next request starts it. */
    isRunning: () => snaps.has(snapId) && snaps.isRunning(snapId),
    /** Stops the worker, as MetaMask does when it is idle. */
    stopSnap: () => snaps.stopSnap(snapId),
    /** Installs the snap for a website. Reinstalls an installed snap, as MetaMask does with local
     * snaps. */
    async install(origin = COMPANION_ORIGIN): Promise<void> {
      const params = { [snapId]: {} };
      await site(origin).request({ method: 'wallet_requestSnaps', params });
      await snaps.untilInstalled();
    },
    /** Removes the snap and its accounts, as the user can in MetaMask's settings. */
    async removeSnap(): Promise<void> {
      for (const address of await keyring.getAccountsBySnapId(snapId)) {
        await keyring.removeAccount(address);
      }
      // A write after the removal would crash the controller.
      await settleState(parts, snapId);
      await snaps.removeSnap(snapId);
    },
    /** Stops all workers, sockets and timers. Pending requests fail. */
    stop: () => (stopped ??= stopWallet(parts)),
  };
}

type Assembly = Awaited<ReturnType<typeof assemble>>;

async function assemble(options: WalletOptions, onCall: SnapCallHook) {
  const { chain, disk, mnemonic = DEFAULT_MNEMONIC, otherAddresses = [] } = options;
  const timers = new TimerScope();
  const root = createMessenger();
  const keyring = await createVault(root, options, disk?.accounts);
  return timers.run(() => {
    const secrets = new Secrets(mnemonic);
    const encryptor = createEncryptor();
    provideOutside(root, () => [
      ...[PRIMARY_ADDRESS, ...otherAddresses].map(toOtherAccount),
      ...keyring.listAccounts(),
    ]);
    const platform: Platform = {
      messenger: messengerFor(root),
      lock: new Lock(messengerFor(root)),
      secrets,
      notifications: new Notifications(),
      keyring,
      ...createPermissions(root, () => platform, disk ?? {}),
    };
    const controllers = createControllers(root, disk?.events);
    const user = createUser(root, () => userPorts, options.user ?? {});
    const networks = new Networks([chain, ...(options.otherChains ?? [])]);
    const getEngine = (origin: string): ReturnType<typeof createEngine> =>
      createEngine(platform, { origin, isSnap: true, networks, onCall });
    const execution = options.world
      ? createInProcessService(root, getEngine, options.world)
      : createExecutionService(root, getEngine);
    const { maxIdleTime } = options;
    const snaps = new WalletSnapController(root, {
      fetchFunction: createFolderFetch(options.snapFolder ?? DEV_SNAP),
      requireAllowlist: options.requireAllowlist ?? false,
      encryptor,
      getMnemonicSeed: () => secrets.getMnemonicSeed(),
      timers,
      ...(maxIdleTime !== undefined && { maxIdleTime }),
      ...(disk && { state: disk.snaps }),
    });
    // Runs due events. This needs the SnapController.
    controllers.cronjobs.init();
    const userPorts = { ...controllers, snaps, timers };
    const others = { networks, snaps, execution, encryptor, timers, user };
    return { ...platform, ...controllers, ...others };
  });
}

const SOCKET_CLOSE_MS = 1_000;

async function stopWallet(parts: Assembly): Promise<void> {
  const { snaps, execution, approvals, cronjobs, timers } = parts;
  const ids = Object.keys(snaps.state.snaps) as SnapId[];
  snaps.end();
  await Promise.all(ids.map((id) => closeSockets(parts, id)));
  await snaps.stopAllSnaps();
  // Also stops a pending installation.
  await execution.terminateAllSnaps();
  approvals.call(
    'ApprovalController:clearRequests',
    providerErrors.userRejectedRequest(),
  );
  cronjobs.destroy();
  snaps.destroy();
  timers.clear();
}

async function closeSockets({ messenger }: Assembly, id: SnapId): Promise<void> {
  const list = (): { id: string }[] => messenger.call('WebSocketService:getAll', id);
  for (const socket of list()) messenger.call('WebSocketService:close', id, socket.id);
  const deadline = Date.now() + SOCKET_CLOSE_MS;
  while (list().length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A website's `window.ethereum`, with chainChanged as its only event. */
export type Site = {
  readonly origin: string;
  /** Throws a {@link SiteError} with the code, message and data of MetaMask's own provider. */
  request: (args: { method: string; params?: unknown }) => Promise<Json>;
  on: (event: string, listener: (...values: never[]) => void) => void;
};

/** An error as a website receives it, after JSON serialization. */
export class SiteError extends Error {
  override readonly name = 'SiteError';

  readonly code: number;

  readonly data: Json | undefined;

  constructor(error: { code: number; message: string; data?: Json | undefined }) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
  }
}
