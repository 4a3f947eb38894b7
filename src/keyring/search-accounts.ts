// Searching the wallet's entropy for accounts that existed: MetaMask still holds them, or a
// chain has seen them. The search ends after a gap of indices without any.
import { deriveCandidates } from '../accounts/record';
import type { Candidate } from '../accounts/record';
import type { GetEntropy } from '../accounts/keys';
import type { Usage } from '../chains/addresses';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { AccountRecord } from '../state/account-record';
import type { KeyringEvents } from './events';
import type { ProgressPort } from './progress';
import { askWhetherHeld } from './settle';

/** Indices that are searched at most: a node that lies must not keep the search going. */
const MAX_INDICES = 1_000;

/** Longest that the search goes on to further indices: nor must one that is slow. */
const MAX_SEARCH_MS = 45_000;

/** Where to search: the entropy source, and how many unused indices end it. */
export type SearchSpace = {
  gap: number;
  entropySource?: string | undefined;
  /** Accounts that we have: they count as seen, and are not found again. */
  known: readonly AccountRecord[];
};

/** What searching needs. */
export type SearchServices = {
  events: Pick<KeyringEvents, 'updated'>;
  getEntropy: GetEntropy;
  ownChain: () => Promise<ChainId>;
  /** Find out on which chains addresses are used, but for those that are not to be asked. */
  fetchUsage: (
    addresses: readonly Hex[],
    unasked: ReadonlySet<ChainId>,
  ) => Promise<Usage>;
  /** Milliseconds since the epoch. */
  now: () => number;
};

/** Accounts that were found and that we do not have. */
export type Found = {
  /** MetaMask holds them. */
  held: AccountRecord[];
  /** MetaMask lacks them; they are used, or come before an EOA that is. */
  wanted: AccountRecord[];
  unreachable: ChainId[];
  /** Whether the gap was reached: not if it was cancelled, took too long, or found no end. */
  isComplete: boolean;
};

/** A candidate, what is known of it, and the record that it would be. */
type Sighting = {
  candidate: Candidate;
  record: AccountRecord;
  isUsed: boolean;
  isHeld: boolean;
};

/** Search for accounts. */
export async function searchAccounts(
  { gap, entropySource, known }: SearchSpace,
  services: SearchServices,
  { report, isCancelled }: ProgressPort,
): Promise<Found> {
  const ours = new Set(known.map(({ address }) => address));
  const sightings: Sighting[] = [];
  // A chain that failed has been tried again and again: it is not asked any more.
  const unreachable = new Set<ChainId>();
  const start = services.now();
  const isOver = (): boolean => isCancelled() || services.now() - start > MAX_SEARCH_MS;
  let next = 0;
  let end = gap;
  while (next < Math.min(end, MAX_INDICES) && !isOver()) {
    report({ phase: 'searching', done: next, total: end });
    const to = Math.min(end, MAX_INDICES);
    const seen = await look({ from: next, to, entropySource, unreachable }, services);
    seen.unreachable.forEach((chainId) => unreachable.add(chainId));
    sightings.push(...seen.sightings);
    next = to;
    end = 1 + gap + findLast(sightings, ours);
  }
  const found = choose(sightings, ours);
  return { ...found, unreachable: [...unreachable], isComplete: next >= end };
}

/** Indices to look at. */
type Stretch = {
  from: number;
  to: number;
  entropySource: string | undefined;
  unreachable: ReadonlySet<ChainId>;
};

async function look(
  { from, to, entropySource, unreachable }: Stretch,
  services: SearchServices,
): Promise<{ sightings: Sighting[]; unreachable: ChainId[] }> {
  const candidates: Candidate[] = [];
  for (let index = from; index < to; index += 1) {
    const own = await deriveCandidates({ index, entropySource }, services.getEntropy);
    candidates.push(...own);
  }
  const addresses = candidates.map(({ address }) => address);
  const usage = await services.fetchUsage(addresses, unreachable);
  const fallback = await findScopes(services);
  const sightings: Sighting[] = [];
  for (const candidate of candidates) {
    const used = usage.used.get(candidate.address) ?? [];
    const scopes = used.length > 0 ? used.map((chainId) => toCaip2(chainId)) : fallback;
    const record = candidate.toRecord(scopes);
    const isHeld = (await askWhetherHeld(services.events, record)) === true;
    sightings.push({ candidate, record, isUsed: used.length > 0, isHeld });
  }
  return { sightings, unreachable: usage.unreachable };
}

// For a smart account that MetaMask holds and no chain has seen.
async function findScopes({
  ownChain,
}: SearchServices): Promise<ReturnType<typeof toCaip2>[]> {
  try {
    return [toCaip2(await ownChain())];
  } catch {
    return [];
  }
}

function findLast(sightings: readonly Sighting[], ours: ReadonlySet<Hex>): number {
  const seen = sightings.filter(
    ({ record, isUsed, isHeld }) => isUsed || isHeld || ours.has(record.address),
  );
  return Math.max(-1, ...seen.map(({ candidate }) => candidate.index));
}

function choose(
  sightings: readonly Sighting[],
  ours: ReadonlySet<Hex>,
): Pick<Found, 'held' | 'wanted'> {
  const missing = sightings.filter(({ record }) => !ours.has(record.address));
  const used = missing.filter(({ isUsed, isHeld }) => isUsed && !isHeld);
  const lastEoa = findLast(
    used.filter(({ candidate }) => !candidate.isSmart),
    ours,
  );
  // An EOA before the last may be used on a chain that is not configured.
  const isWanted = ({ candidate, isUsed }: Sighting): boolean =>
    isUsed || (!candidate.isSmart && candidate.index < lastEoa);
  return {
    held: missing.filter(({ isHeld }) => isHeld).map(({ record }) => record),
    wanted: missing
      .filter((sighting) => !sighting.isHeld && isWanted(sighting))
      .map(({ record }) => record),
  };
}
