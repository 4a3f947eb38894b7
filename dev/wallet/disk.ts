// What MetaMask keeps on disk: the persisted state of its controllers, from which a
// wallet can be opened again, and in which tests look for secrets.
import {
  deriveStateFromMetadata,
  type StateConstraint,
  type StateMetadata,
} from '@metamask/base-controller';
import type { KeyringState } from '@metamask/eth-snap-keyring';
import type {
  PermissionController,
  SubjectMetadataController,
} from '@metamask/permission-controller';
import type { CronjobController, SnapController } from '@metamask/snaps-controllers';
import type { SnapId } from '@metamask/snaps-sdk';

import type { WatchedEncryptor } from './encryptor';
import { toJson } from './json';

/** The persisted state of a wallet. */
export type WalletDisk = {
  snaps: SnapController['state'];
  subjects: SubjectMetadataController['state'];
  permissions: PermissionController['state'];
  events: CronjobController['state'];
  accounts: KeyringState;
};

/** The controllers whose state is kept. */
export type DiskPorts = {
  snaps: SnapController;
  subjects: SubjectMetadataController;
  permissions: PermissionController;
  cronjobs: CronjobController;
  encryptor: WatchedEncryptor;
};

const POLL_MS = 10;

/**
 * Read what is on disk.
 *
 * @param ports - The controllers.
 * @param accounts - The keyring's state.
 * @returns A copy.
 */
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

/** Some controllers hold state that their own base does not call JSON. */
function derivePersisted(controller: { state: unknown; metadata: unknown }): unknown {
  return deriveStateFromMetadata(
    controller.state as StateConstraint,
    controller.metadata as StateMetadata<StateConstraint>,
    'persist',
  );
}

/**
 * Wait until MetaMask has written a snap's state, which it does half a second after
 * the last change.
 *
 * @param ports - The controllers.
 * @param snapId - The snap.
 */
export async function settleState(ports: DiskPorts, snapId: SnapId): Promise<void> {
  while (!(await isWritten(ports, snapId))) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function isWritten(
  { snaps, encryptor }: DiskPorts,
  snapId: SnapId,
): Promise<boolean> {
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
