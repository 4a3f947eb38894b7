// Sending a signed user operation to a bundler.
import { InvalidResponseError, isNearHeadOnly, RpcError } from '../client';
import type { BundlerClient, NodeClient } from '../client';
import { TollkeeperError } from '../errors';
import type { Intent } from '../eth/account-calls';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { MAX_UINT256, smaller, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { UserOperationDomain } from '../eth/sign-user-operation';
import { feesOf } from '../eth/transaction';
import type { Transaction } from '../eth/transaction';
import { toUserOperationJson } from '../eth/user-operation';
import type { EntryPointVersion, UserOperation } from '../eth/user-operation';
import type { AccountRecord } from '../state/account-record';
import type { SentTransaction } from '../state/sent-transaction';
import type { Ledger } from './ledger';

// What is kept of a signed transaction when it is sent.

/** Who sends: the account, and the origin that asked for it. */
export type SentBy = { account: Pick<AccountRecord, 'id' | 'address'>; origin: string };

/** A transaction as it goes over the wire. */
export type Wire = { hash: Hex; raw: Hex };

/** Write a signed transaction as it is kept. */
export function toOutgoing(
  transaction: Transaction,
  { hash, raw }: Wire,
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
    // With its blobs it is long, and nodes take a replacement for twice the fees only.
    ...(type === '0x3' ? {} : { raw }),
  };
}

// What is kept of a signed user operation when it is sent.

/** A signed operation: its hash, where it is valid, and its calls, if they can be read. */
export type SignedOperation = {
  operation: UserOperation;
  hash: Hex;
  domain: UserOperationDomain;
  calls: readonly Intent[] | undefined;
};

/** Write a signed operation as it is kept. */
export function toOutgoingOperation(
  { operation, hash, domain, calls = [] }: SignedOperation,
  { account, origin }: SentBy,
): OutgoingOperation {
  const { nonce, maxFeePerGas, maxPriorityFeePerGas } = operation;
  const value = calls.reduce((sum, call) => sum + call.value, 0n);
  const [only, ...others] = calls;
  return {
    hash,
    chain: toCaip2(domain.chainId),
    entryPoint: domain.entryPoint,
    account: account.id,
    from: account.address,
    to: only && others.length === 0 ? only.to : null,
    nonce: toQuantity(nonce),
    value: toQuantity(smaller(value, MAX_UINT256)),
    fees: {
      maxFeePerGas: toQuantity(maxFeePerGas),
      maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas),
    },
    origin,
  };
}

// Sending what was signed: it is kept before it goes out, so that nothing that may have
// been sent is ever forgotten, and it goes out once.

/** What is known of something when it is sent. */
export type Outgoing = Omit<SentTransaction, 'status' | 'sentAt'>;

/** Follows what is sent. */
export type Follower = {
  /**
   * Have the snap woken for what is about to be kept, however this worker ends, and keep it.
   * That nothing wakes the snap keeps nothing from going out.
   *
   * @param keep - Keeps it in the ledger.
   * @throws What `keep` throws.
   */
  follow: <Result>(keep: () => Promise<Result>) => Promise<Result>;
  /** Be told of the new blocks of a chain that something was sent to. */
  watch: (chainId: ChainId) => Promise<void>;
};

/** What sending needs. */
export type SendServices = {
  ledger: Pick<Ledger, 'add'>;
  tracker: Follower;
  now: () => number;
};

/** Something on its way: its chain, what it is called, and what sends it. */
export type Sending = {
  chainId: ChainId;
  noun: 'transaction' | 'user operation';
  send: () => Promise<unknown>;
};

/**
 * Keep something, send it, and follow it.
 *
 * @returns Its hash.
 * @throws What the server says, if that is a refusal: it is not kept then. If nobody can
 * tell whether it arrived, it stays kept and is followed, and the error says so.
 */
export async function keepAndSend(
  outgoing: Outgoing,
  { chainId, noun, send }: Sending,
  { ledger, tracker, now }: SendServices,
): Promise<Hex> {
  const { hash } = outgoing;
  const undo = await tracker.follow(async () =>
    ledger.add({ ...outgoing, status: 'pending', sentAt: now() }),
  );
  try {
    await send();
  } catch (error) {
    if (!isRefusal(error)) throw withHash(error, noun, outgoing);
    // What is left behind would be sent again, though it was refused.
    await undo()
      .catch(undo)
      .catch(() => undefined);
    throw error;
  }
  await tracker.watch(chainId);
  return hash;
}

/** Tell whether it is certain after a failure that nothing was sent. */
export function isRefusal(error: unknown): boolean {
  return error instanceof TollkeeperError && error.context.mayBeDone !== true;
}

function withHash(
  error: unknown,
  noun: Sending['noun'],
  { hash, raw, operation }: Outgoing,
): unknown {
  if (!(error instanceof TollkeeperError)) return error;
  const { code, message, context } = error;
  const canBeResent = raw !== undefined || operation !== undefined;
  const outlook = canBeResent
    ? `It is ${noun} ${hash}, which is followed, and sent again until it arrives.`
    : `If it was, it is ${noun} ${hash}, which is followed.`;
  const field = noun === 'transaction' ? 'transactionHash' : 'userOperationHash';
  return new TollkeeperError(code, `${message} ${outlook}`, {
    context: { ...context, [field]: hash },
    cause: error,
  });
}

// Sending a signed transaction to a node.

/** The chain that a transaction is sent to. */
export type Target = { id: ChainId; node: NodeClient };

/** Sends a signed transaction, once, and follows it; answers its hash. */
export type Broadcast = (target: Target, outgoing: Outgoing, raw: Hex) => Promise<Hex>;

/** Create the one who sends transactions; what it throws, {@link keepAndSend} tells. */
export function createBroadcast(services: SendServices): Broadcast {
  return async (target, outgoing, raw) => {
    const { hash } = outgoing;
    const head = await fetchHead(target);
    const send = async (): Promise<Hex> => sendRaw(target.node, { raw, hash });
    return keepAndSend(
      { ...outgoing, ...head },
      { chainId: target.id, noun: 'transaction', send },
      services,
    );
  };
}

/**
 * Send a signed transaction that is none of ours to follow.
 *
 * @returns Its hash.
 */
export async function sendRaw(
  node: NodeClient,
  { raw, hash }: { raw: Hex; hash: Hex },
): Promise<Hex> {
  try {
    await node.request('eth_sendRawTransaction', [raw]);
  } catch (error) {
    // It may have arrived, or have been there before: then all is well.
    if (!isKnownAlready(error) && !(await isKnown(node, hash))) throw error;
  }
  return hash;
}

// Nodes have no code for it: geth's and Nethermind's words, and Besu's and Erigon's.
function isKnownAlready(error: unknown): boolean {
  return (
    error instanceof RpcError &&
    /already ?known|known transaction/iu.test(error.message)
  );
}

async function isKnown(node: NodeClient, hash: Hex): Promise<boolean> {
  try {
    return (await node.request('eth_getTransactionByHash', [hash])) !== null;
  } catch {
    // The first failure is the one to tell.
    return false;
  }
}

// A block in which it cannot be yet: where nodes forget, its age must be known.
async function fetchHead({ id, node }: Target): Promise<{ head?: Hex }> {
  return isNearHeadOnly(id) ? { head: await node.request('eth_blockNumber', []) } : {};
}

/** The bundler that an operation is sent to. */
export type OperationTarget = { id: ChainId; bundler: { client: BundlerClient } };

/** What is kept of an operation that is sent. */
export type OutgoingOperation = Outgoing & { entryPoint: EntryPointVersion };

/** Sends a signed user operation, once, and follows it; answers its hash. */
export type BroadcastOperation = (
  target: OperationTarget,
  outgoing: OutgoingOperation,
  operation: UserOperation,
) => Promise<Hex>;

/** Create the one who sends operations; what it throws, {@link keepAndSend} tells. */
export function createBroadcastOperation(services: SendServices): BroadcastOperation {
  return async ({ id: chainId, bundler }, outgoing, operation) => {
    const { hash, entryPoint } = outgoing;
    const send = async (): Promise<void> =>
      sendSigned(bundler.client, operation, { version: entryPoint, hash });
    const kept = { ...outgoing, operation: toUserOperationJson(operation) as never };
    return keepAndSend(kept, { chainId, noun: 'user operation', send }, services);
  };
}

/** Send a signed operation to a bundler that may have it already. */
export async function sendSigned(
  bundler: BundlerClient,
  operation: UserOperation,
  sent: { version: EntryPointVersion; hash: Hex },
): Promise<void> {
  try {
    await bundler.send(operation, sent);
  } catch (error) {
    // One that tells of another hash is not to be believed about ours either.
    if (error instanceof InvalidResponseError) throw error;
    // It may have arrived, or have been there before: then all is well.
    if (!(await isOperationKnown(bundler, sent.hash))) throw error;
  }
}

async function isOperationKnown(bundler: BundlerClient, hash: Hex): Promise<boolean> {
  try {
    return (await bundler.findOperation(hash)) !== null;
  } catch {
    // The first failure is the one to tell.
    return false;
  }
}
