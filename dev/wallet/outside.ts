// What the wallet's packages ask of parts of MetaMask that are not played here: the
// snaps registry, the phishing list, accounts and assets of other keyrings.
import type { SnapKeyring } from '@metamask/eth-snap-keyring';
import type { Messenger } from '@metamask/messenger';
import {
  SnapsRegistryStatus,
  type SnapsRegistryRequest,
} from '@metamask/snaps-controllers';
import type { Json } from '@metamask/utils';

import { createMessenger, type RootMessenger } from './messenger';

type InternalAccount = ReturnType<SnapKeyring['listAccounts']>[number];

type Provide<Namespace extends string, Handlers> = Messenger<
  Namespace,
  {
    [Name in keyof Handlers & string]: {
      type: `${Namespace}:${Name}`;
      handler: Handlers[Name] extends (...args: never[]) => unknown
        ? Handlers[Name]
        : never;
    };
  }[keyof Handlers & string]
>;

/**
 * Register the answers of the parts that are not there.
 *
 * @param root - The wallet's root messenger.
 * @param listAccounts - The accounts that the wallet holds.
 */
export function provideOutside(
  root: RootMessenger,
  listAccounts: () => InternalAccount[],
): void {
  provideRegistry(root);
  provideAccounts(root, listAccounts);
  createMessenger<
    Provide<'PhishingController', { testOrigin: (origin: string) => Json }>
  >(root, 'PhishingController').registerActionHandler(
    'PhishingController:testOrigin',
    () => ({ result: false, type: 'all' }),
  );
  createMessenger<Provide<'MultichainAssetsController', { getState: () => Json }>>(
    root,
    'MultichainAssetsController',
  ).registerActionHandler('MultichainAssetsController:getState', () => ({
    assetsMetadata: {},
    accountsAssets: {},
  }));
}

/** No snap is listed and none is blocked: as in Flask for a local one. */
function provideRegistry(root: RootMessenger): void {
  const messenger = createMessenger<
    Provide<
      'SnapsRegistry',
      {
        get: (snaps: SnapsRegistryRequest) => Promise<unknown>;
        getMetadata: () => null;
        update: () => Promise<void>;
        resolveVersion: (snapId: string, range: string) => Promise<string>;
      }
    >
  >(root, 'SnapsRegistry');
  messenger.registerActionHandler('SnapsRegistry:get', (snaps) => {
    const status = { status: SnapsRegistryStatus.Unverified };
    return Promise.resolve(
      Object.fromEntries(Object.keys(snaps).map((snapId) => [snapId, status])),
    );
  });
  messenger.registerActionHandler('SnapsRegistry:getMetadata', () => null);
  messenger.registerActionHandler('SnapsRegistry:update', () => Promise.resolve());
  messenger.registerActionHandler('SnapsRegistry:resolveVersion', (_snapId, range) =>
    Promise.resolve(range),
  );
}

/** The accounts that UI components such as AccountSelector offer. */
function provideAccounts(
  root: RootMessenger,
  listAccounts: () => InternalAccount[],
): void {
  const messenger = createMessenger<
    Provide<
      'AccountsController',
      {
        getAccountByAddress: (address: string) => InternalAccount | undefined;
        getSelectedMultichainAccount: () => InternalAccount | undefined;
        listMultichainAccounts: () => InternalAccount[];
      }
    >
  >(root, 'AccountsController');
  messenger.registerActionHandler('AccountsController:getAccountByAddress', (address) =>
    listAccounts().find(
      (account) => account.address.toLowerCase() === address.toLowerCase(),
    ),
  );
  // MetaMask selects an account when it is created.
  messenger.registerActionHandler(
    'AccountsController:getSelectedMultichainAccount',
    () => listAccounts().at(-1),
  );
  messenger.registerActionHandler(
    'AccountsController:listMultichainAccounts',
    listAccounts,
  );
}
