// MetaMask's controllers around a snap, and their stored state.
import {
  ApprovalController,
  type ApprovalControllerActions,
} from '@metamask/approval-controller';
import {
  deriveStateFromMetadata,
  type StateConstraint,
  type StateMetadata,
} from '@metamask/base-controller';
import * as passworder from '@metamask/browser-passworder';
import type { KeyringState, SnapKeyring } from '@metamask/eth-snap-keyring';
import type { Messenger } from '@metamask/messenger';
import type {
  PermissionController,
  SubjectMetadataController,
} from '@metamask/permission-controller';
import {
  CronjobController,
  SnapController,
  SnapInterfaceController,
  type SnapsRegistryRequest,
  SnapsRegistryStatus,
  WebSocketService,
} from '@metamask/snaps-controllers';
import {
  DIALOG_APPROVAL_TYPES,
  endowmentPermissionBuilders,
} from '@metamask/snaps-rpc-methods';
import type { SnapId } from '@metamask/snaps-sdk';
import { HandlerType } from '@metamask/snaps-utils';
import type { Json } from '@metamask/utils';
import { WebSocket } from 'undici';

import { messengerFor, type RootMessenger, type TimerScope, toJson } from './base';

export type Controllers = {
  /** Calls the ApprovalController through its actions, whose names are the same in all versions. */
  approvals: Messenger<'Approvals', ApprovalControllerActions>;
  interfaces: SnapInterfaceController;
  cronjobs: CronjobController;
};

/** The WebSocket service is called only through actions, so it is not returned. */
export function createControllers(
  root: RootMessenger,
  events?: CronjobController['state'],
): Controllers {
  new ApprovalController({
    messenger: messengerFor(root),
    // The simulated user watches the controller's state.
    showApprovalRequest: () => undefined,
    // MetaMask queues custom dialogs. A second dialog of any other type fails immediately.
    typesExcludedFromRateLimiting: [DIALOG_APPROVAL_TYPES.default],
  });
  const interfaces = new SnapInterfaceController({ messenger: messengerFor(root) });
  // The service uses the browser's `WebSocket`, which Node lacks before version 22.
  if (!('WebSocket' in globalThis)) Object.assign(globalThis, { WebSocket });
  new WebSocketService({ messenger: messengerFor(root) });
  const cronjobs = new CronjobController({
    messenger: messengerFor(root),
    stateManager: { getInitialState: () => events, set: () => undefined },
  });
  return { approvals: messengerFor(root), interfaces, cronjobs };
}

type Options = ConstructorParameters<typeof SnapController>[0];
type HandleRequest = SnapController['handleRequest'];

/** MetaMask's SnapController with Flask's flags: it allows local snaps, and refuses a manifest for
 * a newer platform. After `end`, it refuses requests. */
export class WalletSnapController extends SnapController {
  readonly #timers: TimerScope;

  #isEnded = false;

  #installation: Promise<unknown> = Promise.resolve();

  constructor(
    root: RootMessenger,
    { timers, requireAllowlist, ...options }: SnapControllerOptions,
  ) {
    super({
      ...options,
      messenger: messengerFor(root),
      environmentEndowmentPermissions: Object.keys(endowmentPermissionBuilders),
      featureFlags: {
        allowLocalSnaps: true,
        rejectInvalidPlatformVersion: true,
        requireAllowlist,
      },
      getFeatureFlags: () => ({}),
      clientCryptography: {},
      trackEvent: () => undefined,
      ensureOnboardingComplete: () => Promise.resolve(),
    });
    this.#timers = timers;
  }

  override handleRequest(
    ...args: Parameters<HandleRequest>
  ): ReturnType<HandleRequest> {
    if (this.#isEnded) {
      // The snap's sockets close with the wallet, so their events are not errors.
      return args[0].handler === HandlerType.OnWebSocketEvent
        ? Promise.resolve(null)
        : Promise.reject(new Error('The wallet has stopped.'));
    }
    const handling = this.#timers.run(() => super.handleRequest(...args));
    if (args[0].handler === HandlerType.OnInstall) this.#installation = handling;
    return handling;
  }

  /** Resolves even if the installation fails. */
  async untilInstalled(): Promise<void> {
    await this.#installation.catch(() => undefined);
  }

  end(): void {
    this.#isEnded = true;
  }
}

type SnapControllerOptions = Pick<
  Options,
  'fetchFunction' | 'encryptor' | 'getMnemonicSeed' | 'maxIdleTime' | 'state'
> & { requireAllowlist: boolean; timers: TimerScope };

export type WatchedEncryptor = Options['encryptor'] & {
  /** Returns whether a ciphertext is the last one and its plaintext is the given one. */
  isLast(cipherText: string, plainText: string): boolean;
};

/** MetaMask's own key derivation takes a quarter of a second. */
const DERIVATION = { algorithm: 'PBKDF2' as const, params: { iterations: 1_000 } };

export function createEncryptor(): WatchedEncryptor {
  const seen = new Map<string, string>();
  const encryptor = {
    ...passworder,
    isVaultUpdated: (vault: string) => passworder.isVaultUpdated(vault, DERIVATION),
    keyFromPassword: (...args: Parameters<typeof passworder.keyFromPassword>) => {
      const [password, salt, exportable, derivation = DERIVATION] = args;
      return passworder.keyFromPassword(password, salt, exportable, derivation);
    },
    async encryptWithKey(key: passworder.EncryptionKey, value: Json) {
      const result = await passworder.encryptWithKey(key, value);
      seen.clear();
      seen.set(result.data, JSON.stringify(value));
      return result;
    },
    async decryptWithKey(key: passworder.EncryptionKey, payload: Sealed) {
      const value = await passworder.decryptWithKey(key, payload);
      seen.set(payload.data, JSON.stringify(value));
      return value;
    },
    isLast: (cipherText: string, plainText: string) =>
      seen.get((JSON.parse(cipherText) as Sealed).data) === plainText,
  };
  return encryptor as unknown as WatchedEncryptor;
}

type Sealed = passworder.EncryptionResult;

/** The persisted state of MetaMask's controllers. */
export type WalletDisk = {
  snaps: NonNullable<Options['state']>;
  subjects: SubjectMetadataController['state'];
  permissions: PermissionController['state'];
  events: CronjobController['state'];
  accounts: KeyringState;
};

type DiskPorts = {
  snaps: SnapController;
  subjects: SubjectMetadataController;
  permissions: PermissionController;
  cronjobs: CronjobController;
  encryptor: WatchedEncryptor;
};

const POLL_MS = 10;

export function readDisk(ports: DiskPorts, accounts: KeyringState): WalletDisk {
  const { snaps, subjects, permissions, cronjobs } = ports;
  return toJson({
    snaps: derivePersisted(snaps),
    subjects: derivePersisted(subjects),
    permissions: permissions.state,
    events: cronjobs.state,
    accounts,
  }) as WalletDisk;
}

// The base class does not consider the state of some controllers JSON.
function derivePersisted(controller: { state: unknown; metadata: unknown }): unknown {
  return deriveStateFromMetadata(
    controller.state as StateConstraint,
    controller.metadata as StateMetadata<StateConstraint>,
    'persist',
  );
}

/** Waits until MetaMask has written a snap's state, half a second after the last change. */
export async function settleState(ports: DiskPorts, snapId: SnapId): Promise<void> {
  while (!(await isWritten(ports, snapId))) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function isWritten({ snaps, encryptor }: DiskPorts, snapId: SnapId) {
  if (!snaps.has(snapId)) return true;
  const [secret, open] = await Promise.all([
    snaps.getSnapState(snapId, true),
    snaps.getSnapState(snapId, false),
  ]);
  const stored = snaps.state.snapStates[snapId] ?? null;
  const storedOpen = snaps.state.unencryptedSnapStates[snapId] ?? null;
  const isSecretWritten =
    secret === null
      ? stored === null
      : stored !== null && encryptor.isLast(stored, JSON.stringify(secret));
  return (
    isSecretWritten && storedOpen === (open === null ? null : JSON.stringify(open))
  );
}

type InternalAccount = ReturnType<SnapKeyring['listAccounts']>[number];

/** MetaMask always has this account. */
export const PRIMARY_ADDRESS = '0x00000000000000000000000000000000000a11ce';

export function toOtherAccount(address: string): InternalAccount {
  return {
    id: `hd:${address}`,
    address,
    type: 'eip155:eoa',
    scopes: ['eip155:0'],
    options: {},
    methods: [],
    metadata: { name: '', importTime: 0, keyring: { type: 'HD Key Tree' } },
  };
}

/** Registers answers for the parts of MetaMask that are missing here. */
export function provideOutside(
  root: RootMessenger,
  listAccounts: () => InternalAccount[],
): void {
  const unlisted = { status: SnapsRegistryStatus.Unverified };
  // As for local snaps in Flask, snaps are neither listed nor blocked.
  provide(root, 'SnapsRegistry', {
    get: async (snaps: SnapsRegistryRequest) =>
      Promise.resolve(
        Object.fromEntries(Object.keys(snaps).map((snapId) => [snapId, unlisted])),
      ),
    getMetadata: () => null,
    update: async () => Promise.resolve(),
    resolveVersion: async (_snapId: string, range: string) => Promise.resolve(range),
  });
  // UI components such as AccountSelector offer these accounts.
  provide(root, 'AccountsController', {
    getAccountByAddress: (wanted: string) =>
      listAccounts().find(
        ({ address }) => address.toLowerCase() === wanted.toLowerCase(),
      ),
    // MetaMask selects new accounts.
    getSelectedMultichainAccount: () => listAccounts().at(-1),
    listMultichainAccounts: listAccounts,
  });
  provide(root, 'PhishingController', {
    testOrigin: () => ({ result: false, type: 'all' }),
  });
  provide(root, 'MultichainAssetsController', {
    getState: () => ({ assetsMetadata: {}, accountsAssets: {} }),
  });
}

export function provide(
  root: RootMessenger,
  namespace: string,
  handlers: Record<string, (...args: never[]) => unknown>,
): void {
  for (const [name, handler] of Object.entries(handlers)) {
    root.registerActionHandler(`${namespace}:${name}`, handler);
  }
}
