// MetaMask's SnapController with the flags of Flask: local snaps are allowed, no
// allowlist is asked for, a manifest for a newer platform is refused.
import { SnapController } from '@metamask/snaps-controllers';
import { endowmentPermissionBuilders } from '@metamask/snaps-rpc-methods';
import { HandlerType } from '@metamask/snaps-utils';

import type { Encryptor } from './encryptor';
import { createMessenger, type RootMessenger } from './messenger';
import type { TimerScope } from './timers';

type Options = ConstructorParameters<typeof SnapController>[0];
type HandleRequest = SnapController['handleRequest'];

/** How long a snap may take and idle, in milliseconds; MetaMask's own by default. */
export type Limits = Pick<
  Options,
  'maxRequestTime' | 'maxIdleTime' | 'idleTimeCheckInterval'
>;

/** What the controller takes from the wallet around it. */
export type SnapControllerOptions = {
  fetchFunction: typeof fetch;
  encryptor: Encryptor;
  getMnemonicSeed(): Promise<Uint8Array>;
  timers: TimerScope;
  limits: Limits;
  state: Options['state'];
};

/** MetaMask's SnapController, with an end. */
export class WalletSnapController extends SnapController {
  readonly #timers: TimerScope;

  #isEnded = false;

  #installation: Promise<unknown> = Promise.resolve();

  constructor(options: Options, timers: TimerScope) {
    super(options);
    this.#timers = timers;
  }

  override handleRequest(
    ...args: Parameters<HandleRequest>
  ): ReturnType<HandleRequest> {
    if (this.#isEnded) {
      // A socket that closes with the wallet would start the worker again.
      return args[0].handler === HandlerType.OnWebSocketEvent
        ? Promise.resolve(null)
        : Promise.reject(new Error('The wallet has stopped.'));
    }
    const handling = this.#timers.run(() => super.handleRequest(...args));
    if (args[0].handler === HandlerType.OnInstall) this.#installation = handling;
    return handling;
  }

  /** Wait until the snap has done what it does when it was installed, or failed to. */
  async untilInstalled(): Promise<void> {
    await this.#installation.catch(() => undefined);
  }

  /** Refuse every request from now on. */
  end(): void {
    this.#isEnded = true;
  }
}

/**
 * Create the controller of a wallet.
 *
 * @param root - The wallet's root messenger.
 * @param options - What it takes from the wallet.
 * @returns The controller.
 */
export function createSnapController(
  root: RootMessenger,
  options: SnapControllerOptions,
): WalletSnapController {
  const { timers, limits, state, ...rest } = options;
  return new WalletSnapController(
    {
      ...rest,
      ...limits,
      ...(state && { state }),
      messenger: createMessenger<Options['messenger']>(
        root,
        'SnapController',
        DELEGATION,
      ),
      environmentEndowmentPermissions: Object.keys(endowmentPermissionBuilders),
      featureFlags: { allowLocalSnaps: true, rejectInvalidPlatformVersion: true },
      getFeatureFlags: () => ({}),
      clientCryptography: {},
      trackEvent: () => undefined,
      ensureOnboardingComplete: () => Promise.resolve(),
    },
    timers,
  );
}

const DELEGATION = {
  actions: [
    'ApprovalController:addRequest',
    'ApprovalController:updateRequestState',
    'ExecutionService:executeSnap',
    'ExecutionService:handleRpcRequest',
    'ExecutionService:terminateSnap',
    'PermissionController:getEndowments',
    'PermissionController:getPermissions',
    'PermissionController:getSubjectNames',
    'PermissionController:grantPermissions',
    'PermissionController:hasPermission',
    'PermissionController:hasPermissions',
    'PermissionController:revokeAllPermissions',
    'PermissionController:revokePermissionForAllSubjects',
    'PermissionController:revokePermissions',
    'PermissionController:updateCaveat',
    'SnapInterfaceController:createInterface',
    'SnapInterfaceController:getInterface',
    'SnapsRegistry:get',
    'SnapsRegistry:getMetadata',
    'SnapsRegistry:resolveVersion',
    'SnapsRegistry:update',
    'SubjectMetadataController:addSubjectMetadata',
    'SubjectMetadataController:getSubjectMetadata',
  ],
  events: [
    'ExecutionService:outboundRequest',
    'ExecutionService:outboundResponse',
    'ExecutionService:unhandledError',
    'KeyringController:lock',
  ],
};
