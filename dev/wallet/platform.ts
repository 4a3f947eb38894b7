// The state that the hooks of MetaMask's methods use. All engines of a wallet share one object.
import type { ApprovalControllerActions } from '@metamask/approval-controller';
import type { SnapKeyring } from '@metamask/eth-snap-keyring';
import { mnemonicPhraseToBytes, mnemonicToSeed } from '@metamask/key-tree';
import type { Messenger } from '@metamask/messenger';
import type {
  PermissionController,
  SubjectMetadataController,
} from '@metamask/permission-controller';
import { rpcErrors } from '@metamask/rpc-errors';
import type {
  CronjobControllerActions,
  SnapControllerActions,
  SnapInterfaceControllerActions,
  WebSocketServiceActions,
} from '@metamask/snaps-controllers';
import type { EntropySource } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';

type PlatformActions =
  | ApprovalControllerActions
  | CronjobControllerActions
  | SnapControllerActions
  | SnapInterfaceControllerActions
  | WebSocketServiceActions;

export type Platform = {
  messenger: Messenger<'Platform', PlatformActions>;
  lock: Lock;
  secrets: Secrets;
  notifications: Notifications;
  keyring: SnapKeyring;
  permissions: PermissionController;
  subjects: SubjectMetadataController;
};

/** The wallet's lock, and the requests that wait until the user unlocks it. */
export class Lock {
  #waiting: (() => void)[] | undefined;

  constructor(
    private readonly messenger: Messenger<
      'KeyringController',
      never,
      { type: 'KeyringController:lock'; payload: [] }
    >,
  ) {}

  get isLocked(): boolean {
    return this.#waiting !== undefined;
  }

  lock(): void {
    this.#waiting ??= [];
    this.messenger.publish('KeyringController:lock');
  }

  unlock(): void {
    const released = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const release of released) release();
  }

  async untilUnlocked(): Promise<void> {
    const waiting = this.#waiting;
    if (waiting) await new Promise<void>((resolve) => waiting.push(resolve));
  }
}

/** Default phrase of anvil and most other development tools. Its accounts never hold value. */
export const DEFAULT_MNEMONIC =
  'test test test test test test test test test test test junk';

const SOURCE = 'entropy-source-1';

/** The wallet's Secret Recovery Phrase, as MetaMask's hooks return it. Throws for other entropy
 * sources. */
export class Secrets {
  // Cached: the derivation takes milliseconds, and every write of the state needs the seed.
  #seed: Promise<Uint8Array> | undefined;

  constructor(private readonly mnemonic: string) {}

  async getMnemonic(source = SOURCE): Promise<Uint8Array> {
    return Promise.resolve(mnemonicPhraseToBytes(this.#find(source)));
  }

  async getMnemonicSeed(source = SOURCE): Promise<Uint8Array> {
    const mnemonic = this.#find(source);
    return (this.#seed ??= mnemonicToSeed(mnemonic));
  }

  getEntropySources(): EntropySource[] {
    const name = 'Secret Recovery Phrase 1';
    return [{ id: SOURCE, name, type: 'mnemonic', primary: true }];
  }

  #find(source: string): string {
    if (source === SOURCE) return this.mnemonic;
    throw new Error(`Entropy source with ID "${source}" not found.`);
  }
}

export type Notification = { type: string; message: string; [field: string]: Json };

const MINUTE = 60_000;

/** MetaMask's rate limits for notifications; `window` is in ms. */
const LIMITS = {
  showInAppNotification: { count: 5, window: MINUTE },
  showNativeNotification: { count: 2, window: 5 * MINUTE },
};

export class Notifications {
  readonly shown: Notification[] = [];

  readonly #times: Record<string, number[]> = {};

  /** Throws -32005 if the limit is reached. */
  show(type: keyof typeof LIMITS, notification: Notification): null {
    const { count, window } = LIMITS[type];
    const after = Date.now() - window;
    const times = (this.#times[type] ?? []).filter((time) => time > after);
    if (times.length >= count) {
      throw rpcErrors.limitExceeded({
        message: `"${type}" is currently rate-limited. Please try again later.`,
      });
    }
    this.#times[type] = [...times, Date.now()];
    this.shown.push(notification);
    return null;
  }
}
