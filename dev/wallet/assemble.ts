// Puts the parts of one wallet together, in the order in which they need each other.
// Nothing here is shared between two wallets.
import type { SnapKeyring } from '@metamask/eth-snap-keyring';

import { createUser } from './approvals';
import type { Chain } from './chain';
import { createControllers, type Controllers } from './controllers';
import type { WalletDisk } from './disk';
import { createEncryptor, type WatchedEncryptor } from './encryptor';
import { createEngine, type SnapCall } from './engine';
import { createFolderFetch } from './folder';
import { createInProcessService, type Execution } from './in-process';
import type { World } from './in-process-globals';
import { createVault } from './keyring';
import { createLock } from './lock';
import { createRootMessenger } from './messenger';
import { createNotifications } from './notifications';
import { provideOutside } from './outside';
import { createPermissions } from './permissions';
import { createPlatformMessenger, type Platform } from './platform';
import { createSecrets } from './secrets';
import {
  createSnapController,
  type Limits,
  type WalletSnapController,
} from './snap-controller';
import { TimerScope } from './timers';
import type { User, UserPolicy } from './user';
import { createExecutionService } from './worker';

/** What a wallet is made from. */
export type AssemblyOptions = {
  snapFolder: string;
  chain: Chain;
  mnemonics: [string, ...string[]];
  otherAddresses: string[];
  user: Partial<UserPolicy>;
  limits: Limits;
  disk: WalletDisk | undefined;
  /** Where the snap runs in this process; in a worker without it. */
  world: World | undefined;
  onSnapCall(call: SnapCall): void | Promise<void>;
};

/** The parts of a wallet. */
export type Assembly = Platform &
  Controllers & {
    snaps: WalletSnapController;
    execution: Execution;
    encryptor: WatchedEncryptor;
    timers: TimerScope;
    user: User;
  };

/**
 * Put a wallet together.
 *
 * @param options - What it is made from.
 * @returns Its parts, with no snap running.
 */
export async function assemble(options: AssemblyOptions): Promise<Assembly> {
  const timers = new TimerScope();
  const root = createRootMessenger();
  const keyring = await createVault(root, {
    otherAddresses: options.otherAddresses,
    saved: options.disk?.accounts,
  });
  return timers.run(() => connect(options, { timers, root, keyring }));
}

type Base = {
  timers: TimerScope;
  root: ReturnType<typeof createRootMessenger>;
  keyring: SnapKeyring;
};

function connect(options: AssemblyOptions, { timers, root, keyring }: Base): Assembly {
  const { chain, disk } = options;
  const secrets = createSecrets(options.mnemonics);
  const encryptor = createEncryptor();
  provideOutside(root, () => keyring.listAccounts());
  const { subjects, permissions } = createPermissions(root, () => platform, disk ?? {});
  const platform: Platform = {
    messenger: createPlatformMessenger(root),
    lock: createLock(root),
    secrets,
    notifications: createNotifications(),
    keyring,
    permissions,
    subjects,
  };
  const controllers = createControllers(root, disk?.events);
  const user = createUser(root, () => hands, options.user);
  const getEngine = (snapId: string): ReturnType<typeof createEngine> =>
    createEngine(platform, {
      origin: snapId,
      isSnap: true,
      chain,
      onCall: (call) => options.onSnapCall(call),
    });
  const execution = options.world
    ? createInProcessService(root, getEngine, options.world)
    : createExecutionService(root, getEngine);
  const snaps = createSnapController(root, {
    fetchFunction: createFolderFetch(options.snapFolder),
    encryptor,
    getMnemonicSeed: () => secrets.getMnemonicSeed(),
    timers,
    limits: options.limits,
    state: disk?.snaps as Parameters<typeof createSnapController>[1]['state'],
  });
  const hands = {
    ...controllers,
    snaps,
    outside: <Result>(script: () => Result) => timers.leave(script),
  };
  return {
    ...platform,
    ...controllers,
    snaps,
    execution,
    encryptor,
    timers,
    user,
  };
}
