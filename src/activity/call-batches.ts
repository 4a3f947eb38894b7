// What became of a batch of calls: told from what was sent, and by the chain's servers of
// what is not remembered any more.
import type { BundlerClient, NodeClient } from '../client';
import { CallsError, UnavailableError } from '../errors';
import { ChainIdStruct } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { parse } from '../schema/parse';
import type { PrivateStore } from '../state/private-state';
import { MAX_BATCHES, MAX_FAILURE_LENGTH } from '../state/public-state';
import type { CallBatch } from '../state/public-state';
import type { Inclusion, SentTransaction } from '../state/sent-transaction';
import type { Ledger } from './ledger';
import { toIncluded, toIncludedOperation } from './look-up';
import type { Included } from './look-up';

// Batches of calls (EIP-5792), kept in the encrypted document before anything of them goes
// out, so that a worker that is stopped in the middle leaves a trace.

/** A batch that is about to be sent. */
export type NewBatch = Omit<CallBatch, 'hashes' | 'failure'>;

/** A batch that was sent, or is being sent. */
export type KnownBatch = CallBatch & {
  /** Whether more of it may still go out: this worker is at it. */
  isSending: boolean;
};

/** A batch that is being sent. */
export type SendingBatch = {
  /** Note what is about to go out. */
  note: (hash: Hex) => Promise<void>;
  /** Strike out what did not go out after all. */
  strike: (hash: Hex) => Promise<void>;
  /**
   * Say that nothing more goes out; one of which nothing did is forgotten. Never fails.
   *
   * @param failure - Why sending broke off, if it did.
   * @returns Whether something may have gone out.
   */
  end: (failure?: string) => Promise<boolean>;
};

/** Access to batches. */
export type CallBatches = {
  find: (origin: string, id: string) => Promise<KnownBatch | undefined>;
  /** Refuse an id that the origin has used already (5720). */
  assertNew: (origin: string, id: string) => Promise<void>;
  /**
   * Keep a batch; beyond a hundred, the oldest are forgotten.
   *
   * @throws {CallsError} If the origin has used its id already (5720).
   */
  add: (batch: NewBatch) => Promise<SendingBatch>;
};

type BatchKey = Pick<CallBatch, 'origin' | 'id'>;

/** Create access to batches; there must be one in a worker. */
export function createCallBatches(store: PrivateStore): CallBatches {
  // Whoever sends is in this worker: a batch that none is at was left by one that stopped.
  const open = new Set<NewBatch>();
  const find = async (key: BatchKey): Promise<CallBatch | undefined> =>
    (await store.read()).batches.find((each) => isSame(each, key));
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
      await change(store, (batches) => {
        if (batches.some((each) => isSame(each, batch))) throw duplicate(batch.id);
        return [...batches, { ...batch, hashes: [] }].slice(-MAX_BATCHES);
      });
      open.add(batch);
      return createSending(batch, { store, onEnd: () => open.delete(batch) });
    },
  };
}

function createSending(
  batch: NewBatch,
  { store, onEnd }: { store: PrivateStore; onEnd: () => void },
): SendingBatch {
  let hashes: readonly Hex[] = [];
  const write = async (next: readonly Hex[], failure?: string): Promise<void> => {
    const reason =
      failure === undefined ? {} : { failure: failure.slice(0, MAX_FAILURE_LENGTH) };
    const isKept = next.length > 0 || failure === undefined;
    const changed = isKept ? [{ ...batch, hashes: [...next], ...reason }] : [];
    await change(store, (batches) =>
      batches.flatMap((each) => (isSame(each, batch) ? changed : [each])),
    );
  };
  return {
    note: async (hash) => {
      const next = [...hashes, hash];
      await write(next);
      hashes = next;
    },
    strike: async (hash) => {
      hashes = hashes.filter((each) => each !== hash);
      await write(hashes);
    },
    end: async (failure) => {
      onEnd();
      // What is stored tells less then, but what was sent is sent.
      if (failure !== undefined) await write(hashes, failure).catch(() => undefined);
      return hashes.length > 0;
    },
  };
}

async function change(
  store: PrivateStore,
  next: (batches: readonly CallBatch[]) => CallBatch[],
): Promise<void> {
  await store.update((state) => ({ ...state, batches: next(state.batches) }));
}

function isSame(one: BatchKey, other: BatchKey): boolean {
  return one.origin === other.origin && one.id === other.id;
}

function duplicate(id: string): CallsError {
  return new CallsError(
    'duplicate',
    `Calls with the id ${JSON.stringify(id.slice(0, 80))} were sent already. Choose another id.`,
  );
}

/** What finding results needs. */
export type ResultServices = {
  ledger: Pick<Ledger, 'find'>;
  connect: (chainId: ChainId) => Promise<{
    node: NodeClient;
    bundler?: { client: BundlerClient };
  }>;
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
 * Find what became of what was sent of a batch, in its order.
 *
 * @throws What the chain's servers say, if they must be asked.
 */
export async function findResults(
  batch: CallBatch,
  services: ResultServices,
): Promise<CallResult[]> {
  return Promise.all(
    batch.hashes.map(async (hash) => {
      const sent = await findLast(hash, services);
      if (sent) return toResult(sent);
      const included = await lookUp(hash, batch, services);
      if (!included) return { hash, state: 'unknown' as const };
      const { inclusion, receipt } = included;
      return { hash, state: stateOf(inclusion), inclusion, receipt };
    }),
  );
}

/**
 * Get the results that are in a block, with their receipts.
 *
 * @throws {UnavailableError} If a receipt was too long to be kept and cannot be had.
 */
export async function findIncluded(
  results: readonly CallResult[],
  batch: CallBatch,
  services: ResultServices,
): Promise<IncludedResult[]> {
  const found = results.map(async (result) => {
    const { hash, inclusion } = result;
    if (!inclusion) return [];
    const receipt =
      result.receipt ??
      (await lookUp(hash, batch, services))?.receipt ??
      noReceipt(hash);
    return [{ ...result, inclusion, receipt }];
  });
  return (await Promise.all(found)).flat();
}

/** Tell what became of a batch as a whole, by the code of EIP-5792. */
export function toStatusCode(
  { size, atomic, isSending }: Pick<KnownBatch, 'size' | 'atomic' | 'isSending'>,
  results: readonly Pick<CallResult, 'state'>[],
): CallsStatusCode {
  const count = (wanted: CallResult['state']): number =>
    results.filter(({ state }) => state === wanted).length;
  if (isSending || count('pending') > 0) return 100;
  const succeeded = count('included');
  if (succeeded === (atomic ? 1 : size)) return 200;
  if (succeeded > 0) return 600;
  return count('failed') > 0 ? 500 : 400;
}

// One that was sped up did what it was to do under another hash.
async function findLast(
  hash: Hex,
  { ledger }: Pick<ResultServices, 'ledger'>,
): Promise<SentTransaction | undefined> {
  const sent = await ledger.find(hash);
  if (sent?.replacedBy === undefined) return sent;
  const other = await ledger.find(sent.replacedBy);
  return other && isSpedUp(sent, other) ? other : sent;
}

// What is sent in place of another is the same with other fees, or it cancels it.
function isSpedUp(sent: SentTransaction, other: SentTransaction): boolean {
  const { to, value, replaces } = other;
  return replaces !== undefined && to === sent.to && value === sent.value;
}

function toResult({ hash, status, inclusion, receipt }: SentTransaction): CallResult {
  if (status !== 'included') return { hash, state: status };
  return {
    hash,
    state: stateOf(inclusion),
    ...(inclusion ? { inclusion } : {}),
    ...(receipt ? { receipt } : {}),
  };
}

// Receipts from before Byzantium do not tell.
function stateOf(inclusion: Inclusion | undefined): 'included' | 'failed' {
  return inclusion?.success === false ? 'failed' : 'included';
}

async function lookUp(
  hash: Hex,
  { chain, atomic }: CallBatch,
  { connect }: ResultServices,
): Promise<Included | undefined> {
  const { node, bundler } = await connect(parse(chain, ChainIdStruct, 'chain'));
  if (!atomic) {
    const receipt = await node.request('eth_getTransactionReceipt', [hash]);
    return receipt ? toIncluded(receipt) : undefined;
  }
  const receipt = await bundler?.client.findReceipt(hash);
  return receipt ? toIncludedOperation(receipt) : undefined;
}

function noReceipt(hash: Hex): never {
  throw new UnavailableError(`The receipt of ${hash} cannot be had now. Try again.`);
}
