// Batches of calls that sites send by wallet_sendCalls (EIP-5792), and what became of them. A
// batch is kept in the encrypted document before anything of it goes out, so that a worker that
// is stopped in the middle leaves a trace.
import type { Chains } from '../chains/chain';
import { CallsError, UnavailableError } from '../errors';
import { ChainIdStruct } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { parse } from '../schema/parse';
import type { PrivateStore } from '../state/private-state';
import type { CallBatch, Inclusion, SentTransaction } from '../state/sent-transaction';
import { MAX_BATCHES, MAX_FAILURE_LENGTH } from '../state/sent-transaction';
import type { Ledger } from './ledger';
import { toIncluded, toIncludedOperation } from './tracker';
import type { Included } from './tracker';

/** A batch that was sent, or is being sent. */
export type KnownBatch = CallBatch & {
  /** Whether more of it may still go out: this worker is at it. */
  isSending: boolean;
};

/** A batch that is being sent. */
export type SendingBatch = {
  /** Notes what is about to go out. */
  note: (hash: Hex) => Promise<void>;
  /**
   * Notes that a server refused it. It stays in the batch, since a server can keep what it refuses;
   * what the ledger does not have was never sent, and is struck out.
   */
  refuse: (hash: Hex) => Promise<void>;
  /**
   * Says that nothing more goes out; a batch of which nothing was sent is forgotten. Never fails.
   *
   * @param failure - Why sending broke off, if it did.
   * @returns Whether something may have gone out that no server refused.
   */
  end: (failure?: string) => Promise<boolean>;
};

/** Access to batches. */
export type CallBatches = {
  find: (origin: string, id: string) => Promise<KnownBatch | undefined>;
  /** Refuses an id that the origin has used already (5720). */
  assertNew: (origin: string, id: string) => Promise<void>;
  /**
   * Keeps a batch; beyond a hundred, the oldest are forgotten.
   *
   * @throws {CallsError} If the origin has used its id already (5720).
   */
  add: (batch: Omit<CallBatch, 'hashes' | 'failure'>) => Promise<SendingBatch>;
};

/** Creates access to batches; there must be one in a worker. */
export function createCallBatches(store: PrivateStore): CallBatches {
  // Whoever sends is in this worker: a batch that none is at was left by one that stopped.
  const open = new Set<BatchKey>();
  const find = async (key: BatchKey): Promise<CallBatch | undefined> =>
    (await store.read()).batches.find((each) => isSame(each, key));
  const change = async (
    next: (batches: readonly CallBatch[]) => CallBatch[],
  ): Promise<void> => {
    await store.update((state) => ({ ...state, batches: next(state.batches) }));
  };
  return {
    find: async (origin, id) => {
      const batch = await find({ origin, id });
      if (!batch) return undefined;
      return { ...batch, isSending: [...open].some((each) => isSame(each, batch)) };
    },
    assertNew: async (origin, id) => {
      if (await find({ origin, id })) throw duplicate(id);
    },
    add: async (batch) => {
      await change((batches) => {
        if (batches.some((each) => isSame(each, batch))) throw duplicate(batch.id);
        return [...batches, { ...batch, hashes: [] }].slice(-MAX_BATCHES);
      });
      open.add(batch);
      let hashes: Hex[] = [];
      const refused = new Set<Hex>();
      const replace = async (next: CallBatch[]): Promise<void> =>
        change((all) => all.flatMap((each) => (isSame(each, batch) ? next : [each])));
      return {
        note: async (hash) => {
          const next = [...hashes, hash];
          await replace([{ ...batch, hashes: next }]);
          hashes = next;
        },
        refuse: async (hash) => {
          refused.add(hash);
          if ((await store.read()).activity[hash]) return;
          hashes = hashes.filter((each) => each !== hash);
          await replace([{ ...batch, hashes }]);
        },
        end: async (reason) => {
          open.delete(batch);
          const isSent = hashes.some((hash) => !refused.has(hash));
          if (reason === undefined) return isSent;
          const failure = reason.slice(0, MAX_FAILURE_LENGTH);
          // What is stored tells less if this fails, but what was sent is sent.
          const kept = hashes.length > 0 ? [{ ...batch, hashes, failure }] : [];
          await replace(kept).catch(() => undefined);
          return isSent;
        },
      };
    },
  };
}

type BatchKey = { origin: string; id: string };

function isSame(one: BatchKey, other: BatchKey): boolean {
  return one.origin === other.origin && one.id === other.id;
}

function duplicate(id: string): CallsError {
  return new CallsError(
    'duplicate',
    `Calls with the id ${JSON.stringify(id.slice(0, 80))} were sent already. Choose another id.`,
  );
}

/** Where results are found: in the ledger, else at the chain's servers. */
type ResultSources = {
  ledger: { find: Ledger['find'] };
  connect: Chains['connect'];
};

/** What became of a transaction or user operation of a batch. */
export type CallResult = {
  /** Of a transaction that was sped up, that of its replacement. */
  hash: Hex;
  state: 'pending' | 'included' | 'failed' | 'replaced' | 'dropped' | 'unknown';
  /** If a block includes it. */
  inclusion?: Inclusion;
  /** Its receipt, as far as it is remembered. */
  receipt?: object;
};

/** A result that is in a block. */
export type IncludedResult = Required<CallResult>;

/** Status codes of EIP-5792. */
export type CallsStatusCode = 100 | 200 | 400 | 500 | 600;

/**
 * Finds what became of what was sent of a batch, in its order.
 *
 * @throws What the chain's servers say, if they must be asked.
 */
export async function findResults(
  batch: CallBatch,
  sources: ResultSources,
): Promise<CallResult[]> {
  return Promise.all(
    batch.hashes.map(async (hash) => {
      const sent = await findLast(hash, sources.ledger);
      if (sent && sent.status !== 'included') {
        return { hash: sent.hash, state: sent.status };
      }
      const told = sent ?? (await lookUp(hash, batch, sources));
      if (!told) return { hash, state: 'unknown' as const };
      const { inclusion, receipt } = told;
      return {
        hash: sent?.hash ?? hash,
        // Receipts from before Byzantium do not tell.
        state:
          inclusion?.success === false ? ('failed' as const) : ('included' as const),
        ...(inclusion && { inclusion }),
        ...(receipt && { receipt }),
      };
    }),
  );
}

/**
 * Gets the results that are in a block, with their receipts.
 *
 * @throws {UnavailableError} If a receipt was too long to be kept and cannot be had.
 */
export async function findIncluded(
  results: readonly CallResult[],
  batch: CallBatch,
  sources: ResultSources,
): Promise<IncludedResult[]> {
  const found = results.map(async (result) => {
    const { hash, inclusion } = result;
    if (!inclusion) return [];
    const receipt = result.receipt ?? (await lookUp(hash, batch, sources))?.receipt;
    if (receipt) return [{ ...result, inclusion, receipt }];
    throw new UnavailableError(`The receipt of ${hash} cannot be had now. Try again.`);
  });
  return (await Promise.all(found)).flat();
}

/** Tells what became of a batch as a whole, by the code of EIP-5792. */
export function toStatusCode(
  { size, atomic, isSending }: KnownBatch,
  results: readonly CallResult[],
): CallsStatusCode {
  const count = (wanted: CallResult['state']): number =>
    results.filter(({ state }) => state === wanted).length;
  if (isSending || count('pending') > 0) return 100;
  const succeeded = count('included');
  if (succeeded === (atomic ? 1 : size)) return 200;
  if (succeeded > 0) return 600;
  return count('failed') > 0 ? 500 : 400;
}

// A transaction that was sped up did what it was to do under another hash: what is sent in
// place of another is the same with other fees, or it cancels it.
async function findLast(
  hash: Hex,
  ledger: ResultSources['ledger'],
): Promise<SentTransaction | undefined> {
  const sent = await ledger.find(hash);
  if (sent?.replacedBy === undefined) return sent;
  const other = await ledger.find(sent.replacedBy);
  const isSpedUp =
    other?.replaces !== undefined &&
    !other.isCancellation &&
    other.to === sent.to &&
    other.value === sent.value;
  return isSpedUp ? other : sent;
}

async function lookUp(
  hash: Hex,
  { chain, atomic }: CallBatch,
  { connect }: ResultSources,
): Promise<Included | undefined> {
  const { node, bundler } = await connect(parse(chain, ChainIdStruct, 'chain'));
  // Calls that belong together are a user operation or one transaction.
  const mined = await node.request('eth_getTransactionReceipt', [hash]);
  if (mined) return toIncluded(mined);
  if (!atomic) return undefined;
  const receipt = await bundler?.client.findReceipt(hash);
  return receipt ? toIncludedOperation(receipt) : undefined;
}
