// Bringing accounts back: after the snap was removed and installed again, after its state was
// lost, or when it is out of step with MetaMask. Derived accounts need nothing but the
// wallet's entropy; an imported key cannot come back from anywhere.
import type { KeyringAccount } from '@metamask/keyring-api';
import { exactOptional } from '@metamask/superstruct';

import type { GetEntropy } from '../accounts/keys';
import type { AccountRepository } from '../accounts/repository';
import { InvalidParamsError } from '../errors';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { parseObjectParams } from '../schema/parse';
import { integerBetween, paramObject } from '../schema/structs';
import { EntropySourceStruct } from '../state/account-record';
import type { AccountRecord } from '../state/account-record';
import type { Agreement } from './agreement';
import { announceAll, toFailed, toNotTaken } from './announce';
import type { Announced, NotTaken } from './announce';
import type { KeyringEvents } from './events';
import type { ConfirmAccount } from './keyring';
import { toKeyringAccount } from './keyring-account';
import type { ProgressPort } from './progress';
import { searchAccounts } from './search-accounts';
import type { SearchServices } from './search-accounts';
import { askWhetherHeld } from './settle';

/** BIP-44's gap limit: so many unused accounts in a row, and the search ends. */
export const DEFAULT_GAP = 20;

/** Most unused accounts in a row that a search goes on over. */
export const MAX_GAP = 100;

/** How far to search, and in which of the wallet's entropy sources. */
export const RestoreOptionsStruct = paramObject({
  gap: exactOptional(integerBetween(1, MAX_GAP)),
  entropySource: exactOptional(EntropySourceStruct),
});

/** What restoring needs. */
export type RestoreServices = SearchServices & {
  repository: AccountRepository;
  events: KeyringEvents;
  agreement: Agreement;
  getEntropy: GetEntropy;
};

/** What restoring needs, and how the user is asked about an account. */
type AskingServices = RestoreServices & { confirm: ConfirmAccount };

/** What was restored. */
export type Restored = Announced & {
  /** Accounts of which both sides knew. */
  unchanged: KeyringAccount[];
  /** Accounts of which we do not know whether MetaMask holds them: it did not answer, or the
   * work was cancelled before it was asked. */
  unchecked: NotTaken[];
  /** Accounts that MetaMask held and we had lost; nobody had to be asked. */
  recovered: KeyringAccount[];
  /** Chains (CAIP-2) that could not be asked which accounts are used. */
  unreachable: string[];
  /** Whether the search came to its end; restoring again goes on from what was found. */
  isComplete: boolean;
};

/**
 * Restore accounts: those that MetaMask lacks are announced again, those that MetaMask
 * holds and we have lost are ours again, and derived ones that are used, or come before one
 * that is, are made again.
 *
 * @param params - `[{ gap?, entropySource? }]`, the object alone, or nothing.
 */
export async function restoreAccounts(
  params: unknown,
  services: AskingServices,
  progress: ProgressPort,
): Promise<Restored> {
  const root = 'tollkeeper_restoreAccounts: params';
  const options = parseObjectParams(params, RestoreOptionsStruct, root);
  const { gap = DEFAULT_GAP, entropySource } = options;
  const { repository, agreement, confirm } = services;
  const known = await repository.list();
  const { held, lacking, unchecked } = await divide(known, services, progress);
  const space = { gap, entropySource, known };
  const found = await searchAccounts(space, services, progress);
  const recovered = await recover(found.held, repository);
  const wanted = [...lacking, ...found.wanted];
  const announced = await announceAll(
    wanted,
    async (record) => {
      await confirm(record);
      return lacking.includes(record)
        ? agreement.announce(record)
        : agreement.add(record);
    },
    progress,
  );
  return {
    ...announced,
    failed: [...recovered.failed, ...announced.failed],
    unchanged: held.map(toKeyringAccount),
    unchecked: unchecked.map(toNotTaken),
    recovered: recovered.accounts,
    unreachable: found.unreachable.map(toScope),
    isComplete: found.isComplete,
  };
}

// MetaMask can hold an account whose key was imported here meanwhile, for another account.
async function recover(
  records: readonly AccountRecord[],
  repository: AccountRepository,
): Promise<Pick<Announced, 'accounts' | 'failed'>> {
  const result: Pick<Announced, 'accounts' | 'failed'> = { accounts: [], failed: [] };
  for (const record of records) {
    try {
      await repository.ensure(record);
      result.accounts.push(toKeyringAccount(record));
    } catch (error) {
      if (!(error instanceof InvalidParamsError)) throw error;
      result.failed.push(toFailed(record, error));
    }
  }
  return result;
}

async function divide(
  known: readonly AccountRecord[],
  { events }: RestoreServices,
  { report, isCancelled }: ProgressPort,
): Promise<Record<'held' | 'lacking' | 'unchecked', AccountRecord[]>> {
  const divided = {
    held: [] as AccountRecord[],
    lacking: [] as AccountRecord[],
    unchecked: [] as AccountRecord[],
  };
  for (const [done, record] of known.entries()) {
    report({ phase: 'checking', done, total: known.length });
    const isHeld = isCancelled() ? undefined : await askWhetherHeld(events, record);
    if (isHeld === undefined) divided.unchecked.push(record);
    else divided[isHeld ? 'held' : 'lacking'].push(record);
  }
  return divided;
}

function toScope(chainId: ChainId): string {
  return toCaip2(chainId);
}
