// Simulates the account management of the newest MetaMask as a snap observes it: eth-snap-keyring
// 24.1 (`/v2`), SnapAccountService and KeyringController, which need packages that npm lacks.
// Messages and requests are the same as with SnapKeyring 18.
import { type KeyringState, SnapKeyring } from '@metamask/eth-snap-keyring';
import { type KeyringAccount, KeyringEvent } from '@metamask/keyring-api';
import { CreateAccountsResponseStruct } from '@metamask/keyring-api/v2';
import type { SnapId } from '@metamask/snaps-sdk';
import { create } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';
import { Mutex } from 'async-mutex';

import { keyringRpc } from './keyring-requests';

export type Parts = ConstructorParameters<typeof SnapKeyring>[0];
type Entry = KeyringState['accounts'][string];

/** Simulates a keyring per snap, which exists as long as the snap has an account. */
export class NewestKeyring extends SnapKeyring {
  readonly #messenger: Parts['messenger'];

  readonly #otherAddresses: string[];

  readonly #snaps = new Set<SnapId>();

  /** Held while keyrings change and are saved. */
  readonly #lock = new Mutex();

  constructor({ callbacks, ...parts }: Parts, otherAddresses: string[]) {
    const save = async (): Promise<void> => this.#save();
    // Unlike SnapKeyring 18, the newest MetaMask detects duplicate addresses only on saving.
    const addressExists = (): Promise<boolean> => Promise.resolve(false);
    super({ ...parts, callbacks: { ...callbacks, addressExists, saveState: save } });
    this.#messenger = parts.messenger;
    this.#otherAddresses = otherAddresses.map((address) => address.toLowerCase());
  }

  override async deserialize(state: KeyringState | undefined): Promise<void> {
    await super.deserialize(state);
    this.#snaps.clear();
    const entries = Object.values(state?.accounts ?? {});
    for (const { snapId } of entries) this.#snaps.add(snapId);
  }

  override async handleKeyringSnapMessage(
    ...[snapId, message]: Parameters<SnapKeyring['handleKeyringSnapMessage']>
  ): Promise<Json> {
    if (message.method === `${KeyringEvent.AccountCreated}`) {
      await this.#lock.runExclusive(() => this.#snaps.add(snapId));
    } else if (!this.#snaps.has(snapId)) {
      throw new Error(
        `Cannot delegate keyring Snap message, keyring does not exist yet for Snap "${snapId}".`,
      );
    }
    return super.handleKeyringSnapMessage(snapId, message);
  }

  async createAccounts(snapId: SnapId, options: Json): Promise<KeyringAccount[]> {
    return this.#lock.runExclusive(async () => {
      const request = keyringRpc('keyring_createAccounts', { options });
      const answer: unknown = await this.#messenger.call(
        'SnapController:handleRequest',
        {
          snapId,
          origin: 'metamask',
          handler: 'onKeyringRequest' as never,
          request: { ...request },
        },
      );
      const created = create(answer, CreateAccountsResponseStruct);
      const { accounts } = await this.serialize();
      // Cast, since the newest API has more account types than SnapKeyring 18.
      for (const account of created) {
        accounts[account.id] = { account, snapId } as Entry;
      }
      await this.deserialize({ accounts });
      return created;
    });
  }

  override async removeAccount(address: string): Promise<void> {
    await this.#lock.runExclusive(async () => {
      await super.removeAccount(address);
      for (const snapId of this.#snaps) {
        const left = await this.getAccountsBySnapId(snapId);
        if (left.length === 0) this.#snaps.delete(snapId);
      }
    });
  }

  /** Throws and loses all accounts if another keyring has one of their addresses. */
  async #save(): Promise<void> {
    await this.#lock.runExclusive(async () => {
      const addresses = await this.getAccounts();
      const isTwice = (each: string): boolean =>
        this.#otherAddresses.includes(each.toLowerCase());
      if (!addresses.some(isTwice)) return;
      await this.deserialize({ accounts: {} });
      throw new Error(
        'KeyringController - The account you are trying to import is a duplicate',
      );
    });
  }
}
