// Searches the chain for the use of a nonce when servers do not find the transaction. For a user
// operation, reads the EntryPoint's events (ERC-4337); for a transaction, the block in which the
// sender's count grew.
import { array, type } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { TimeoutError } from '../../packages/client/src';
import type { NodeClient, OperationReceipt, Receipt } from '../../packages/client/src';
import type { Log } from '../../packages/client/src/rpc/node-client';
import { entryPoints } from '../core/entry-points';
import type { EntryPointVersion } from '../core/entry-points';
import {
  Bytes32Struct,
  isSameAddress,
  larger,
  smaller,
  toPaddedHex,
  toQuantity,
} from '../eth/hex';
import type { Hex } from '../eth/hex';
import { matches } from '../schema/parse';
import type { SentTransaction } from '../state/sent-transaction';

/** `UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)`. */
const EXECUTED = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f';

/** `BeforeExecution()`. Earlier logs of the transaction belong to no operation. */
const BEGIN = '0xbb47ee3e183a558b1a2ff0874b079f3fc5478b7454eacf2bfc5af2ff5878f972';

/** Number of blocks per request, reduced if a node refuses that many. */
const SPAN = 1_000n;

/** Maximum number of requests per run. The next run continues where this one stopped. */
const MAX_REQUESTS = 12;

/** Tolerated lead of the user's clock over the chain's, in ms. */
const MARGIN_MS = 600_000;

const HashesStruct = type({ transactions: array(Bytes32Struct) });

/** Result of searching the logs since an operation was sent. Without a receipt or a doubt, the logs
 * do not contain the operation, so another operation has used its nonce. */
export type Execution = {
  receipt?: OperationReceipt;
  doubt?: NonNullable<SentTransaction['doubt']>;
  /** The block from which the next run reads. */
  searched?: Hex | undefined;
};

/** Finds the execution of a user operation in the logs since it was sent, oldest first. Never
 * fails. */
export async function findExecution(
  sent: SentTransaction,
  version: EntryPointVersion,
  node: NodeClient,
): Promise<Execution> {
  let first = sent.searched === undefined ? undefined : BigInt(sent.searched);
  const stop = (doubt: Execution['doubt']): Execution => ({
    ...(doubt && { doubt }),
    searched: first === undefined ? undefined : toQuantity(first),
  });
  try {
    const latest = BigInt(await node.request('eth_blockNumber', []));
    first ??= await findStart(sent, latest, node);
    // This node is behind the node of the last run.
    if (first > latest) return stop('searching');
    let span = SPAN;
    for (let requests = 0; first <= latest; requests += 1) {
      if (requests === MAX_REQUESTS) return stop('searching');
      const last: bigint = smaller(first + span - 1n, latest);
      const logs = await fetchEvents(sent, version, { node, first, last }).catch(
        (error: unknown) => {
          if (span === 1n || error instanceof TimeoutError) throw error;
          return undefined;
        },
      );
      const found = logs?.map((log) => readEvent(log, sent, version)).find(Boolean);
      if (found) {
        const carrier = found.transactionHash;
        const carried = await findInBundle(sent, version, { node, carrier });
        return { receipt: carried ?? { ...found, raw: null } };
      }
      if (logs) first = last + 1n;
      else span /= 10n;
    }
    // The next run reads the newest blocks again, because a node can have blocks before their logs.
    first = larger(latest - SPAN, 0n);
    return stop(undefined);
  } catch {
    return stop('untold');
  }
}

/** Finds how a user operation was executed in a transaction; undefined if the node returns no
 * receipt of the transaction, or one without the operation. */
export async function findInBundle(
  sent: SentTransaction,
  version: EntryPointVersion,
  { node, carrier }: { node: NodeClient; carrier: Hex },
): Promise<OperationReceipt | undefined> {
  const receipt = await node
    .request('eth_getTransactionReceipt', [carrier])
    .catch(() => null);
  const found = receipt?.logs
    ?.map((log) => readEvent(log, sent, version))
    .find(Boolean);
  return found && { ...found, raw: toRaw(found, version, receipt) };
}

async function fetchEvents(
  { hash, from: sender }: SentTransaction,
  version: EntryPointVersion,
  { node, first, last }: { node: NodeClient; first: bigint; last: bigint },
): Promise<Log[]> {
  const { entryPoint: address } = entryPoints[version];
  const topics: Hex[][] = [[EXECUTED], [hash], [toPaddedHex(BigInt(sender), 32)]];
  const range = { fromBlock: toQuantity(first), toBlock: toQuantity(last) };
  return node.request('eth_getLogs', [{ address, ...range, topics }]);
}

/** Returns whether a transaction is in the block in which its nonce was used; undefined if the node
 * does not report it. */
export async function isInBlockOfNonce(
  sent: SentTransaction,
  node: NodeClient,
): Promise<boolean | undefined> {
  const { hash, from, nonce } = sent;
  try {
    let last = BigInt(await node.request('eth_blockNumber', []));
    let first = await findStart(sent, last, node);
    if (first > last) return undefined;
    while (first < last) {
      const middle = (first + last) / 2n;
      const at = toQuantity(middle);
      const count = await node.request('eth_getTransactionCount', [from, at]);
      if (BigInt(count) > BigInt(nonce)) last = middle;
      else first = middle + 1n;
    }
    const block = await node.request('eth_getBlockByNumber', [toQuantity(last), false]);
    return matches(block, HashesStruct)
      ? block.transactions.some((each) => each.toLowerCase() === hash)
      : undefined;
  } catch {
    return undefined;
  }
}

// Finds a block that is older than the transaction, by going back in doubling steps.
async function findStart(
  { sentAt, head = '0x0' }: SentTransaction,
  latest: bigint,
  node: NodeClient,
): Promise<bigint> {
  const lowest = BigInt(head);
  for (let back = SPAN - 1n; ; back *= 2n) {
    const number = larger(latest - back, lowest);
    if (number === lowest) return number;
    const block = await node.request('eth_getBlockByNumber', [
      toQuantity(number),
      false,
    ]);
    const time = block ? Number(block.timestamp) * 1_000 : Infinity;
    if (time < sentAt - MARGIN_MS) return number;
  }
}

type Executed = Omit<OperationReceipt, 'raw'>;

function readEvent(
  { address, topics, data, removed, ...place }: Log,
  { hash, from: sender, nonce }: SentTransaction,
  version: EntryPointVersion,
): Executed | undefined {
  const { blockHash, blockNumber, transactionHash, transactionIndex } = place;
  const [kind, userOpHash, account] = topics.map((topic) => topic.toLowerCase());
  const words = data.slice(2).match(/.{64}/gu) ?? [];
  const [used, success, actualGasCost, actualGasUsed] = words.map((word) =>
    BigInt(`0x${word}`),
  );
  const isOurs =
    !removed &&
    isSameAddress(address, entryPoints[version].entryPoint) &&
    kind === EXECUTED &&
    userOpHash === hash &&
    BigInt(account ?? 0) === BigInt(sender) &&
    used === BigInt(nonce);
  const isPlaced =
    blockHash && BigInt(blockHash) !== 0n && transactionHash && transactionIndex;
  if (
    !isOurs ||
    !isPlaced ||
    actualGasCost === undefined ||
    actualGasUsed === undefined
  ) {
    return undefined;
  }
  return {
    userOpHash: hash,
    sender,
    nonce: used,
    success: success === 1n,
    actualGasCost,
    actualGasUsed,
    transactionHash,
    blockHash,
    blockNumber,
  };
}

// Builds a bundler's receipt (ERC-7769); null if the node lacks the transaction's receipt.
function toRaw(
  { userOpHash, sender, success, nonce, actualGasCost, actualGasUsed }: Executed,
  version: EntryPointVersion,
  receipt: Receipt | null,
): OperationReceipt['raw'] {
  const { entryPoint } = entryPoints[version];
  const logs = receipt?.logs;
  const kindOf = ({ address, topics }: { address: Hex; topics: Hex[] }) =>
    isSameAddress(address, entryPoint) ? topics[0] : undefined;
  const end = logs?.findIndex(
    (log) => kindOf(log) === EXECUTED && log.topics[1] === userOpHash,
  );
  if (!logs || end === undefined || end < 0) return null;
  const before = logs
    .slice(0, end)
    .findLastIndex((log) => [EXECUTED, BEGIN].includes(kindOf(log) ?? ''));
  return {
    userOpHash,
    entryPoint,
    sender,
    nonce: toQuantity(nonce),
    success,
    actualGasCost: toQuantity(actualGasCost),
    actualGasUsed: toQuantity(actualGasUsed),
    logs: logs.slice(before + 1, end + 1),
    receipt: receipt as Json,
  };
}
