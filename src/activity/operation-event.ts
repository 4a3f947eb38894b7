// The EntryPoint's event of a user operation: it settles one of which the bundler has no receipt that
// can be read (ERC-4337).
import type { Json } from '@metamask/utils';

import type { NodeClient, OperationReceipt } from '../../packages/client/src';
import type { Log } from '../../packages/client/src/rpc/node-client';
import { isSameAddress, larger, toPaddedHex, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { entryPoints } from '../eth/user-operation';
import type { EntryPointVersion } from '../eth/user-operation';
import type { SentTransaction } from '../state/sent-transaction';

/** `UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)`. */
const EXECUTED = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f';

/** `BeforeExecution()`: the logs before it are of no operation. */
const BEGIN = '0xbb47ee3e183a558b1a2ff0874b079f3fc5478b7454eacf2bfc5af2ff5878f972';

/** Blocks of one request: most servers give no logs of more. */
const SPAN = 1_000n;

const MAX_REQUESTS = 10;

/** How far the user's clock may be ahead of the chain's, in ms. */
const MARGIN_MS = 600_000;

/** Finds how a user operation was executed, in the logs since it was sent: the newest blocks first,
 * 10,000 at most. Its `raw` is null if the node lacks the receipt of the transaction. */
export async function findExecution(
  sent: SentTransaction,
  version: EntryPointVersion,
  node: NodeClient,
): Promise<OperationReceipt | undefined> {
  const { hash, from: sender, sentAt, head = '0x0' } = sent;
  const { entryPoint: address } = entryPoints[version];
  const topics: Hex[][] = [[EXECUTED], [hash], [toPaddedHex(BigInt(sender), 32)]];
  let last = BigInt(await node.request('eth_blockNumber', []));
  for (let requests = 0; requests < MAX_REQUESTS; requests += 1) {
    const first = larger(last - SPAN + 1n, BigInt(head));
    const range = { fromBlock: toQuantity(first), toBlock: toQuantity(last) };
    const [logs, block] = await Promise.all([
      node.request('eth_getLogs', [{ address, ...range, topics }]),
      node
        .request('eth_getBlockByNumber', [range.fromBlock, false])
        .catch(() => undefined),
    ]);
    for (const log of logs) {
      const receipt = readEvent(log, sent, address);
      if (receipt) return { ...receipt, raw: await findRaw(receipt, address, node) };
    }
    const time = block ? Number(block.timestamp) * 1_000 : Infinity;
    if (first <= BigInt(head) || time < sentAt - MARGIN_MS) return undefined;
    last = first - 1n;
  }
  return undefined;
}

function readEvent(
  { address, topics, data, removed, ...place }: Log,
  { hash, from: sender, nonce }: SentTransaction,
  entryPoint: Hex,
): Omit<OperationReceipt, 'raw'> | undefined {
  const { blockHash, blockNumber, transactionHash, transactionIndex } = place;
  const [kind, userOpHash, account] = topics.map((topic) => topic.toLowerCase());
  const words = data.slice(2).match(/.{64}/gu) ?? [];
  const [used, success, actualGasCost, actualGasUsed] = words.map((word) =>
    BigInt(`0x${word}`),
  );
  const isOurs =
    !removed &&
    isSameAddress(address, entryPoint) &&
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

// As bundlers write it (ERC-7769).
async function findRaw(
  {
    transactionHash,
    nonce,
    actualGasCost,
    actualGasUsed,
    ...executed
  }: Omit<OperationReceipt, 'raw'>,
  entryPoint: Hex,
  node: NodeClient,
): Promise<OperationReceipt['raw']> {
  const { userOpHash, sender, success } = executed;
  const receipt = await node
    .request('eth_getTransactionReceipt', [transactionHash])
    .catch(() => null);
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
