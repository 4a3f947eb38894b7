// Batches of wallet_sendCalls (EIP-5792) and their results. A batch is stored in the encrypted
// document before any part is sent, so it survives a stopped worker.
import type { Chains } from '../chains/chain';
import { CallsError, UnavailableError } from '../core/errors';
import { toChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { PrivateStore } from '../state/private-state';
import {
  isSameBatch,
  MAX_BATCHES,
  MAX_FAILURE_LENGTH,
} from '../state/sent-transaction';
import type {
  BatchKey,
  CallBatch,
  Inclusion,
  SentTransaction,
} from '../state/sent-transaction';
import { findDoubt, toIncluded, toIncludedOperation } from './judge';
import type { Included } from './judge';
import type { Ledger } from './ledger';

export type KnownBatch = CallBatch & {
  /** Whether this worker may still send more parts. */
  isSending: boolean;
};

export type SendingBatch = {
  /** Ends the sending. Pass `failure`, the reason, if the batch is incomplete; the batch is then
   * deleted if it has no stored parts. In that case, or if all stored parts were refused or the
   * state cannot be read, returns false. */
  end: (failure?: string) => Promise<boolean>;
};

export type CallBatches = {
  find: (origin: string, id: string) => Promise<KnownBatch | undefined>;
  /** Refuses an id that the origin has already used (5720). */
  assertNew: (origin: string, id: string) => Promise<void>;
  /** Stores a batch, and removes the oldest batches if there are more than a hundred. Throws
   * `CallsError` if the origin has already used its id (5720). */
  add: (batch: Omit<CallBatch, 'hashes' | 'failure'>) => Promise<SendingBatch>;
};

/** Call it once per worker. */
export function createCallBatches(store: PrivateStore): CallBatches {
  // Batches that this worker is sending. All others are complete, or their worker was stopped.
  const open = new Set<BatchKey>();
  const find = async (key: BatchKey): Promise<CallBatch | undefined> =>
    (await store.read()).batches.find((each) => isSameBatch(each, key));
  return {
    find: async (origin, id) => {
      const batch = await find({ origin, id });
      if (!batch) return undefined;
      return {
        ...batch,
        isSending: [...open].some((each) => isSameBatch(each, batch)),
      };
    },
    assertNew: async (origin, id) => {
      if (await find({ origin, id })) throw duplicate(id);
    },
    add: async (batch) => {
      await store.update((state) => {
        const { batches } = state;
        if (batches.some((each) => isSameBatch(each, batch))) throw duplicate(batch.id);
        const next = [...batches, { ...batch, hashes: [] }].slice(-MAX_BATCHES);
        return { ...state, batches: next };
      });
      open.add(batch);
      return {
        end: async (reason) => {
          open.delete(batch);
          if (reason === undefined) return true;
          const failure = reason.slice(0, MAX_FAILURE_LENGTH);
          let isSent = false;
          // If this write fails, the batch only lacks the reason, or stays without any parts.
          await store
            .update((state) => {
              const { activity } = state;
              const batches = state.batches.flatMap((each) => {
                if (!isSameBatch(each, batch)) return [each];
                isSent = each.hashes.some((hash) => !activity[hash]?.refused);
                return each.hashes.length > 0 ? [{ ...each, failure }] : [];
              });
              return { ...state, batches };
            })
            .catch(() => undefined);
          return isSent;
        },
      };
    },
  };
}

function duplicate(id: string): CallsError {
  return new CallsError(
    'duplicate',
    `Calls with the id ${JSON.stringify(id.slice(0, 80))} were already sent. Choose another id.`,
  );
}

type ResultSources = { ledger: Ledger; connect: Chains['connect'] };

type Doubt = NonNullable<ReturnType<typeof findDoubt>>;

export type CallResult = {
  /** For a sped-up transaction, the hash of its replacement. */
  hash: Hex;
  state: SentTransaction['status'] | 'failed' | 'refused';
  /** Hash of the transaction or, for a user operation, of the transaction that carried it. */
  carriedBy?: Hex;
  doubt?: Doubt;
  inclusion?: Inclusion;
  receipt?: object;
};

export type IncludedResult = Required<Omit<CallResult, 'carriedBy' | 'doubt'>>;

/** Tells sites why the outcome of a batch's part is unknown. */
export const reasons: Record<Doubt, string> = {
  dropped:
    'None of the servers has it now. A block can still include it: do not send it again.',
  searching:
    'Its nonce is used. The chain is being searched for the transaction that used it: do not send it again.',
  untold: 'The node does not report its outcome: do not send it again.',
};

export type CallsStatusCode = 100 | 200 | 400 | 500 | 600;

/** Finds the results of a batch's sent parts, in order. Throws errors of the chain's servers. */
export async function findResults(
  batch: CallBatch,
  sources: ResultSources,
): Promise<CallResult[]> {
  return Promise.all(
    batch.hashes.map(async (hash) => {
      const sent = await findLast(hash, sources.ledger);
      if (sent && sent.status !== 'included') return toOpenResult(sent);
      const found = sent ?? (await lookUp(hash, batch, sources));
      if (!found) return { hash, state: 'unknown', doubt: 'untold' } as const;
      const { inclusion, receipt } = found;
      if (inclusion && inclusion.success === undefined) {
        throw new UnavailableError(
          `Transaction ${sent?.hash ?? hash} is in a block, but the node does not say whether it succeeded.`,
        );
      }
      const state = inclusion?.success === false ? 'failed' : 'included';
      const last = sent?.hash ?? hash;
      return {
        hash: last,
        state,
        carriedBy: inclusion?.transactionHash ?? last,
        ...(inclusion && { inclusion }),
        ...(receipt && { receipt }),
      } as const;
    }),
  );
}

function toOpenResult(sent: SentTransaction): CallResult {
  const { hash, status, refused, entryPoint } = sent;
  const doubt = findDoubt(sent);
  return {
    hash,
    state: refused ? 'refused' : status,
    ...(entryPoint === undefined && { carriedBy: hash }),
    ...(doubt && { doubt }),
  };
}

/** Finds the included results with their receipts. If a receipt is not stored, throws errors of the
 * chain's servers, or `UnavailableError` if they do not have it. */
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
    throw new UnavailableError(
      `The receipt of ${hash} cannot be fetched now. Try again.`,
    );
  });
  return (await Promise.all(found)).flat();
}

export function toStatusCode(
  { size, atomic, isSending }: KnownBatch,
  results: readonly CallResult[],
): CallsStatusCode {
  const count = (...wanted: CallResult['state'][]): number =>
    results.filter(({ state }) => wanted.includes(state)).length;
  // A transaction that no server has can still be included. A site that sent it again would pay
  // twice.
  if (isSending || count('pending', 'dropped', 'unknown') > 0) return 100;
  const succeeded = count('included');
  if (succeeded === (atomic ? 1 : size)) return 200;
  if (succeeded > 0) return 600;
  return count('failed') > 0 ? 500 : 400;
}

// Finds the entry of a hash or, for a sped-up transaction, of its replacement, which differs only
// in its fees. Cancellations and other transactions with its nonce have their own results.
async function findLast(
  hash: Hex,
  ledger: Ledger,
): Promise<SentTransaction | undefined> {
  const sent = await ledger.find(hash);
  if (sent?.replacedBy === undefined) return sent;
  const other = await ledger.find(sent.replacedBy);
  let each = other;
  while (each?.replaces !== undefined && !each.isCancellation) {
    if (each.replaces === sent.hash) return other;
    each = await ledger.find(each.replaces);
  }
  return sent;
}

async function lookUp(
  hash: Hex,
  { chain, atomic }: CallBatch,
  { connect }: ResultSources,
): Promise<Included | undefined> {
  const { node, bundler } = await connect(toChainId(chain));
  // The hash of an atomic batch is the hash of a transaction or a user operation.
  const mined = await node.request('eth_getTransactionReceipt', [hash]);
  if (mined) return toIncluded(mined);
  if (!atomic) return undefined;
  const receipt = await bundler?.client.findReceipt(hash);
  return receipt ? toIncludedOperation(receipt) : undefined;
}
