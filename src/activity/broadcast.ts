// Sends signed transactions and user operations. Each is stored before sending, and no answer
// removes it: a server can keep a transaction that it refuses.
import {
  BundlerError,
  InvalidResponseError,
  RpcError,
  TimeoutError,
} from '../../packages/client/src';
import type { BundlerClient, NodeClient, Receipt } from '../../packages/client/src';
import { withTimeLimit } from '../../packages/client/src/abort';
import { isContentRefusal } from '../../packages/client/src/errors';
import { isNearHeadOnly } from '../../packages/client/src/rpc/heads';
import type { OperationAccount } from '../accounts/kinds/kind';
import type { Bundler, Chain } from '../chains/chain';
import type { EntryPointVersion } from '../core/entry-points';
import { InternalError, TollkeeperError } from '../core/errors';
import { hashUserOperation } from '../core/operation';
import type { Transaction, UserOperation } from '../core/payload';
import { feesOf } from '../core/transaction';
import type { Intent } from '../eth/account-calls';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { MAX_UINT256, smaller, sum, toQuantity, withQuantities } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { BlockTimes } from '../fees/level-sources';
import type { AccountRecord } from '../state/account-record';
import type { SentTransaction } from '../state/sent-transaction';
import type { Ledger } from './ledger';

type Outgoing = Omit<SentTransaction, 'status' | 'sentAt'>;

/** Details that are not in a transaction's bytes. */
export type Link = Pick<
  SentTransaction,
  'replaces' | 'isCancellation' | 'usesNextNonce'
>;

type Signed = { raw: Hex; hash: Hex };

type SentBy = { account: AccountRecord; origin: string };

/** Stores and sends signed transactions and user operations, and follows them until their outcome
 * is final. Both methods return the hash. If a server fails, their error says whether Tollkeeper
 * will resend the transaction or operation; it does not resend what the server refused. */
export type Broadcasts = {
  broadcast: (
    signed: Signed & { transaction: Transaction },
    sending: {
      chain: Chain;
      link?: Link;
      /** Whether more transactions follow, so this one's receipt is not awaited. */
      hasMore?: boolean;
      /** The id of the batch of calls to which the transaction belongs. */
      callsId?: string;
    },
    sender: SentBy,
  ) => Promise<Hex>;
  broadcastOperation: (
    /** `calls` is undefined if they cannot be decoded. */
    signed: { operation: UserOperation; calls: readonly Intent[] | undefined },
    sending: {
      account: OperationAccount;
      chain: Chain & { bundler: Bundler };
      callsId?: string;
    },
    context: { origin: string },
  ) => Promise<Hex>;
};

export type Follower = {
  /** Sets an alarm, so that polls continue if this worker stops, and calls `store`. A failed alarm
   * does not prevent sending. Throws the errors of `store`. */
  follow: <Result>(store: () => Promise<Result>) => Promise<Result>;
  /** Never fails. */
  watch: (chainId: ChainId) => Promise<void>;
  /** Handles a receipt that the sending method returned. Never fails. */
  settle: (hash: Hex, receipt: Receipt) => Promise<void>;
};

/** Receipts are awaited on chains with at most this time between blocks. */
const MAX_SYNC_BLOCK_MS = 2_000;

/** Maximum wait for a receipt. With a usual fee, one of the next two blocks includes the
 * transaction. */
const SYNC_MS = 4_000;

export function createBroadcasts({
  ledger,
  follower,
  now,
  blockTimes,
}: {
  ledger: Ledger;
  follower: Follower;
  now: () => number;
  blockTimes: BlockTimes;
}): Broadcasts {
  const storeAndSend = async (
    chainId: ChainId,
    outgoing: Outgoing,
    {
      callsId: id,
      send,
    }: { callsId: string | undefined; send: () => Promise<Receipt | void> },
  ): Promise<Hex> => {
    const sent = { ...outgoing, status: 'pending', sentAt: now() } as const;
    const batch = id === undefined ? undefined : { origin: outgoing.origin, id };
    const markRefused = await follower.follow(async () => ledger.add(sent, batch));
    // Not awaited: a silent socket must not delay the hash.
    void follower.watch(chainId);
    let receipt: Receipt | void;
    try {
      receipt = await send();
    } catch (error) {
      // Tries twice, because without this mark the transaction would stay pending and be resent.
      const isResent =
        !isRefusal(error) ||
        (await markRefused()
          .catch(markRefused)
          .catch(() => true));
      throw withHash(error, outgoing, isResent);
    }
    if (receipt) await follower.settle(sent.hash, receipt);
    return outgoing.hash;
  };
  return {
    broadcast: async (signed, { chain, link, hasMore, callsId }, sender) => {
      const { id, node } = chain;
      // Stores the newest block number if the chain's nodes drop old blocks. A missing receipt then
      // proves nothing if a dropped block may include the transaction.
      const fetchHead = async (): Promise<Hex> => node.request('eth_blockNumber', []);
      const head = isNearHeadOnly(id) && { head: await fetchHead() };
      const isFast = (blockTimes.get(id) ?? Infinity) <= MAX_SYNC_BLOCK_MS;
      const outgoing = { ...toOutgoing(signed, sender), ...link, ...head };
      const send = async (): Promise<Receipt | void> =>
        isFast && !hasMore ? sendAndAwait(node, signed) : sendRaw(node, signed);
      return storeAndSend(id, outgoing, { callsId, send });
    },
    broadcastOperation: async ({ operation, calls = [] }, sending, { origin }) => {
      const { chain, account, callsId } = sending;
      const { id, bundler } = chain;
      const { entryPoint: version } = account;
      const hash = hashUserOperation(operation, { chainId: id, entryPoint: version });
      const { nonce, maxFeePerGas, maxPriorityFeePerGas } = operation;
      const value = sum(calls.map((call) => call.value));
      const [only, ...others] = calls;
      const outgoing: Outgoing = {
        hash,
        chain: toCaip2(id),
        entryPoint: version,
        account: account.record.id,
        from: account.address,
        to: only && others.length === 0 ? only.to : null,
        nonce: toQuantity(nonce),
        value: toQuantity(smaller(value, MAX_UINT256)),
        fees: {
          maxFeePerGas: toQuantity(maxFeePerGas),
          maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas),
        },
        origin,
        operation: withQuantities(operation) as never,
      };
      const send = async (): Promise<void> =>
        sendSigned(bundler.client, operation, { version, hash });
      return storeAndSend(id, outgoing, { callsId, send });
    },
  };
}

function toOutgoing(
  { transaction, hash, raw }: Signed & { transaction: Transaction },
  { account, origin }: SentBy,
): Outgoing {
  const { chainId, to, nonce, value, type } = transaction;
  const fees = feesOf(transaction).map(([name, fee]) => [name, toQuantity(fee)]);
  return {
    hash,
    chain: toCaip2(chainId),
    account: account.id,
    from: account.address,
    to,
    nonce: toQuantity(nonce),
    value: toQuantity(value),
    fees: Object.fromEntries(fees) as Outgoing['fees'],
    origin,
    // Blob transactions are too long to store for resending.
    ...(type === '0x3' ? {} : { raw }),
  };
}

export function isRefusal(error: unknown): boolean {
  return error instanceof TollkeeperError && error.context.mayBeDone !== true;
}

function withHash(
  error: unknown,
  { hash, nonce, raw, operation, entryPoint }: Outgoing,
  isResent: boolean,
): unknown {
  if (!(error instanceof TollkeeperError) || error instanceof InternalError) {
    return error;
  }
  const { code, message, context } = error;
  const [noun, field] =
    entryPoint === undefined
      ? ['Transaction', 'transactionHash']
      : ['User operation', 'userOperationHash'];
  if (!isResent) {
    const isNonceError = error instanceof RpcError && /nonce|replac/iu.test(error.said);
    const advice = isNonceError
      ? ` Nonce ${BigInt(nonce)} was refused: send a new request with another nonce, or without one.`
      : '';
    const fate = `${noun} ${hash} will not be resent. Its status is still checked, in case a block includes it.`;
    // A hash in the context would tell callers that the transaction may have arrived.
    const details = { context, cause: error };
    return new TollkeeperError(code, `${message} ${fate}${advice}`, details);
  }
  const canBeResent = raw !== undefined || operation !== undefined;
  const outlook = canBeResent
    ? `${noun} ${hash} will be resent until it arrives.`
    : `If it was sent, its hash is ${hash}. Its status is being checked.`;
  return new TollkeeperError(code, `${message} ${outlook}`, {
    context: { ...context, [field]: hash },
    cause: error,
  });
}

/** Sends a signed transaction to a node that may already have it. */
export async function sendRaw(node: NodeClient, { raw, hash }: Signed): Promise<void> {
  try {
    await node.request('eth_sendRawTransaction', [raw]);
  } catch (error) {
    if (!(await nodeHasTransaction(hash, node, error))) throw error;
  }
}

// Sends a transaction and, if the node supports EIP-7966, waits for its receipt in the same round
// trip. Returns undefined if there is no receipt yet. If that method fails, except by a timeout or
// because of the transaction's content, tries eth_sendRawTransaction. That is safe, because the
// signed bytes can be included only once.
async function sendAndAwait(node: NodeClient, signed: Signed): Promise<Receipt | void> {
  const { raw, hash } = signed;
  const hasHash = ({ transactionHash }: Receipt): boolean =>
    transactionHash.toLowerCase() === hash.toLowerCase();
  let limit: AbortSignal | undefined;
  try {
    const receipt = await withTimeLimit(async (signal) => {
      limit = signal;
      return node.tryRequest('eth_sendRawTransactionSync', [raw], { signal });
    }, SYNC_MS);
    // Null means no receipt in time, or only a preconfirmation.
    if (receipt === null) return undefined;
    if (receipt && hasHash(receipt)) return receipt;
  } catch (error) {
    // The transaction may have arrived. If not, a poll resends it.
    const isTimeout = error instanceof TimeoutError && !isRefusal(error);
    if (limit?.aborted || isTimeout || isSyncTimeout(error)) return undefined;
    if (isContentRefusal(error)) {
      if (await nodeHasTransaction(hash, node, error)) return undefined;
      throw error;
    }
  }
  return sendRaw(node, signed);
}

function isSyncTimeout(error: unknown): boolean {
  return error instanceof RpcError && error.topic === 'late';
}

async function nodeHasTransaction(
  hash: Hex,
  node: NodeClient,
  error: unknown,
): Promise<boolean> {
  if (isAlreadyKnown(error)) return true;
  const found = await node
    .request('eth_getTransactionByHash', [hash])
    .catch(() => null);
  return found?.hash.toLowerCase() === hash.toLowerCase();
}

function isAlreadyKnown(error: unknown): boolean {
  const cause = error instanceof BundlerError ? error.cause : error;
  return cause instanceof RpcError && cause.topic === 'known';
}

/** Sends a signed operation to a bundler that may already have it. */
export async function sendSigned(
  bundler: BundlerClient,
  operation: UserOperation,
  sent: { version: EntryPointVersion; hash: Hex },
): Promise<void> {
  try {
    await bundler.send(operation, sent);
  } catch (error) {
    // A bundler that returns a different hash is not trusted about this one either.
    if (error instanceof InvalidResponseError) throw error;
    if (isAlreadyKnown(error)) return;
    const found = await bundler.findOperation(sent.hash, operation).catch(() => null);
    if (found === null) throw error;
  }
}
