// Restores accounts after a reinstallation, a loss of state, or a disagreement with MetaMask.
// Derived accounts need only the wallet's entropy; imported keys cannot be restored.
import type { KeyringAccount } from '@metamask/keyring-api';

import { fetchUsage } from '../chains/addresses';
import type { Chains } from '../chains/chain';
import type { Core } from '../core/core';
import { InvalidParamsError } from '../core/errors';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { SharedEdges } from '../platform/shared-edges';
import type { AccountRecord } from '../state/account-record';
import { askWhetherHeld } from './agreement';
import type { AccountQuestions, Agreement } from './agreement';
import { announceAll, toFailed, toNotTaken } from './announce';
import type { Announced, UnacceptedAccount, ProgressPort } from './announce';
import { renewSource } from './create';
import { toKeyringAccount } from './events';
import type { KeyringEvents } from './events';
import { deriveCandidates, withListing } from './repository';
import type { AccountRepository, Candidate } from './repository';

/** BIP-44's gap limit. */
export const DEFAULT_GAP = 20;

export const MAX_GAP = 100;

export type RestoreOptions = {
  /** Number of consecutive unused indices that end the search. */
  gap?: number;
  /** The Secret Recovery Phrase to search; MetaMask's first one by default. */
  entropySource?: string;
};

type RestoreParts = {
  repository: AccountRepository;
  events: KeyringEvents;
  agreement: Agreement;
  core: Core;
  readFile: SharedEdges['readFile'];
  chains: Chains;
  now: () => number;
  questions: AccountQuestions;
  /** Whether to keep smart accounts only in Tollkeeper. */
  keepsSmart?: boolean;
  search: SearchMemory;
};

export type Restored = Announced & {
  /** Accounts that Tollkeeper and MetaMask both hold, or that stay only in Tollkeeper. */
  unchanged: KeyringAccount[];
  /** Accounts whose state in MetaMask is unknown: it did not answer, the run was cancelled, or an
   * unused smart account has no chain to ask about. */
  unchecked: UnacceptedAccount[];
  /** Accounts that MetaMask holds and Tollkeeper had lost, stored again without asking the user. */
  recovered: KeyringAccount[];
  /** Chains (CAIP-2) that could not be completely searched for used accounts. */
  unreachable: string[];
  /** Whether the search is complete; another restore of the same worker continues it. */
  isComplete: boolean;
};

/**
 * Restores accounts: announces accounts that MetaMask lacks, stores derived accounts again that
 * only MetaMask holds, and creates derived accounts that are used, or are EOAs that precede a used
 * EOA.
 */
export async function restoreAccounts(
  { gap = DEFAULT_GAP, entropySource }: RestoreOptions,
  services: RestoreParts,
  progress: ProgressPort,
): Promise<Restored> {
  const { repository, agreement, questions, keepsSmart = false } = services;
  const known: AccountRecord[] = [];
  for (const record of await repository.list()) {
    const { renewKey } = agreement;
    known.push(await renewSource(record, entropySource, { ...services, renewKey }));
  }
  const { held, lacking, unchecked } = await divide(known, services, progress);
  const space = { gap, entropySource, known };
  const found = await searchAccounts(space, services, progress);
  const recovered = await recover(found.held, repository);
  services.search.stopped = found.stopped;
  const wanted = [...lacking, ...found.wanted];
  const announced = await announceAll(
    wanted,
    async (record) => {
      const unlisted = keepsSmart && record.type !== 'eip155:eoa';
      if (!lacking.includes(record)) {
        return agreement.add(record, questions, { unlisted });
      }
      if (unlisted) return repository.ensure(withListing(record, false));
      await questions.create(record);
      return agreement.announce(record);
    },
    progress,
  );
  const isUnchanged = ({ id, options }: KeyringAccount): boolean =>
    options.unlisted === true && known.some((record) => record.id === id);
  return {
    ...announced,
    accounts: announced.accounts.filter((account) => !isUnchanged(account)),
    failed: [...recovered.failed, ...announced.failed],
    unchanged: [
      ...held.map(toKeyringAccount),
      ...announced.accounts.filter(isUnchanged),
    ],
    unchecked: [...unchecked, ...found.unchecked].map(toNotTaken),
    recovered: recovered.accounts,
    unreachable: found.unreachable.map(toCaip2),
    isComplete: found.stopped === undefined,
  };
}

// Recovering an account fails if another account, such as an imported one, uses its key.
async function recover(
  records: readonly AccountRecord[],
  repository: AccountRepository,
): Promise<Pick<Announced, 'accounts' | 'failed'>> {
  const result: Awaited<ReturnType<typeof recover>> = { accounts: [], failed: [] };
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
  { events }: RestoreParts,
  { report, isCancelled }: ProgressPort,
): Promise<Record<'held' | 'lacking' | 'unchecked', AccountRecord[]>> {
  const divided: Awaited<ReturnType<typeof divide>> = {
    held: [],
    lacking: [],
    unchecked: [],
  };
  for (const [done, record] of known.entries()) {
    report({ phase: 'checking', done, total: known.length });
    const isHeld = isCancelled() ? undefined : await askWhetherHeld(events, record);
    if (isHeld === undefined && !record.unlisted) divided.unchecked.push(record);
    // An unlisted account is announced again, in case MetaMask supports it now.
    else divided[isHeld && !record.unlisted ? 'held' : 'lacking'].push(record);
  }
  return divided;
}

/** Limits of one search, in case a node lies or is slow. */
const MAX_INDICES = 1_000;
const MAX_SEARCH_MS = 45_000;

type SearchSpace = {
  gap: number;
  entropySource?: string | undefined;
  /** Tollkeeper's accounts. They count as used and are not found again. */
  known: readonly AccountRecord[];
};

type Sighting = {
  candidate: Candidate;
  record: AccountRecord;
  isUsed: boolean;
  /** Undefined if MetaMask does not say. */
  isHeld: boolean | undefined;
};

type StoppedSearch = {
  /** The phrase and the chains that were searched. */
  space: string;
  /** The first index that was not searched. */
  next: number;
  sightings: readonly Sighting[];
  unreachable: ReadonlySet<ChainId>;
};

/** Remembers the last search if it stopped early, as long as the worker lives. */
export type SearchMemory = { stopped?: StoppedSearch | undefined };

async function searchAccounts(
  { gap, entropySource, known }: SearchSpace,
  services: RestoreParts,
  { report, isCancelled }: ProgressPort,
) {
  const ours = new Set(known.map(({ address }) => address));
  const space = [entropySource, ...(await services.chains.list())].join(' ');
  const { stopped } = services.search;
  const before = stopped?.space === space ? stopped : undefined;
  const sightings = [...(before?.sightings ?? [])];
  // Chains that did not answer everything and are no longer asked.
  const unreachable = new Set(before?.unreachable);
  const start = services.now();
  const isOver = (): boolean => isCancelled() || services.now() - start > MAX_SEARCH_MS;
  let next = before?.next ?? 0;
  const limit = next + MAX_INDICES;
  let end = 1 + gap + findLast(sightings, ours);
  while (next < Math.min(end, limit) && !isOver()) {
    report({ phase: 'searching', done: next, total: end });
    // Searches in steps, because servers have nine seconds for each.
    const to = Math.min(end, next + DEFAULT_GAP, limit);
    const candidates: Candidate[] = [];
    for (; next < to; next += 1) {
      const own = await deriveCandidates({ index: next, entropySource }, services);
      candidates.push(...own);
    }
    sightings.push(...(await inspect(candidates, unreachable, services)));
    end = 1 + gap + findLast(sightings, ours);
  }
  const found = choose(sightings, ours);
  // Accounts that MetaMask holds are recovered now, so the next search must not recover them again.
  const seen = sightings.map((each) =>
    each.isHeld ? { ...each, isHeld: false } : each,
  );
  const position: StoppedSearch = { space, next, sightings: seen, unreachable };
  return {
    ...found,
    unreachable: [...unreachable],
    stopped: next < end ? position : undefined,
  };
}

// Adds failed chains to `unreachable`.
async function inspect(
  candidates: readonly Candidate[],
  unreachable: Set<ChainId>,
  services: RestoreParts,
): Promise<Sighting[]> {
  const addresses = candidates.map(({ address }) => address);
  const usage = await fetchUsage(services.chains, addresses, unreachable);
  usage.unreachable.forEach((chainId) => unreachable.add(chainId));
  // The chain for smart accounts that MetaMask holds but that are used on no chain.
  const fallback = await services.chains.own().then(
    (chainId) => [toCaip2(chainId)],
    () => [],
  );
  const sightings: Sighting[] = [];
  for (const candidate of candidates) {
    const used = usage.used.get(candidate.address) ?? [];
    const scopes = used.length > 0 ? used.map(toCaip2) : fallback;
    const record = candidate.toRecord(scopes);
    // MetaMask refuses a smart account without a chain, whether or not it holds the account.
    const isAskable = !candidate.isSmart || scopes.length > 0;
    const isHeld = isAskable
      ? await askWhetherHeld(services.events, record)
      : undefined;
    sightings.push({ candidate, record, isUsed: used.length > 0, isHeld });
  }
  return sightings;
}

function findLast(sightings: readonly Sighting[], ours: ReadonlySet<Hex>): number {
  const seen = sightings.filter(
    ({ record, isUsed, isHeld }) => isUsed || isHeld || ours.has(record.address),
  );
  return Math.max(-1, ...seen.map(({ candidate }) => candidate.index));
}

// Divides the accounts that Tollkeeper lacks into accounts that MetaMask holds, accounts to create
// (used accounts, and EOAs that precede one of the used EOAs), and those that MetaMask may hold.
function choose(sightings: readonly Sighting[], ours: ReadonlySet<Hex>) {
  const missing = sightings.filter(({ record }) => !ours.has(record.address));
  const used = missing.filter(({ isUsed, isHeld }) => isUsed && !isHeld);
  const eoas = used.filter(({ candidate }) => !candidate.isSmart);
  const lastEoa = findLast(eoas, ours);
  // An EOA before the last used one may be used on a chain that is not configured.
  const isWanted = ({ candidate, isUsed }: Sighting): boolean =>
    isUsed || (!candidate.isSmart && candidate.index < lastEoa);
  const toRecords = (included: (sighting: Sighting) => boolean): AccountRecord[] =>
    missing.filter(included).map(({ record }) => record);
  return {
    held: toRecords(({ isHeld }) => isHeld === true),
    wanted: toRecords((each) => !each.isHeld && isWanted(each)),
    unchecked: toRecords((each) => each.isHeld === undefined && !isWanted(each)),
  };
}
