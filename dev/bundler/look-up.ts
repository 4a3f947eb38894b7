// What became of an operation, read from the chain: the EntryPoint's event names the
// transaction, and the transaction's events in front of it are the operation's own.
import { encodeEventTopics, numberToHex, parseEventLogs } from 'viem';
import type { Address, Hex, RpcLog, RpcTransactionReceipt } from 'viem';
import { formatUserOperationRequest } from 'viem/account-abstraction';

import { entryPointAbi } from './abi';
import type { Chain } from './chain';
import type { Entry } from './pool';

/** Where an operation was executed. */
type Event = Awaited<ReturnType<typeof fetchEvents>>[number];

/** Look for a receipt; null if the chain has none. */
export async function findReceipt(
  chain: Chain,
  entryPoints: Address[],
  hash: Hex,
): Promise<object | null> {
  const [event] = await fetchEvents(chain, entryPoints, hash);
  if (!event) return null;
  const receipt = await chain.request({
    method: 'eth_getTransactionReceipt',
    params: [event.transactionHash],
  });
  if (receipt === null) return null;
  const { sender, paymaster, nonce, success, actualGasCost, actualGasUsed } =
    event.args;
  const reason = findReason(receipt, hash);
  return {
    userOpHash: hash,
    entryPoint: event.address,
    sender,
    nonce: numberToHex(nonce),
    paymaster,
    actualGasCost: numberToHex(actualGasCost),
    actualGasUsed: numberToHex(actualGasUsed),
    success,
    ...(reason !== undefined && { reason }),
    logs: selectLogs(receipt, event),
    receipt,
  };
}

/** Describe an operation that the bundler took, with its block if it is in one. */
export async function describeOperation(
  chain: Chain,
  { hash, operation, entryPoint }: Entry,
): Promise<object> {
  const [event] = await fetchEvents(chain, [entryPoint.address], hash);
  return {
    userOperation: formatUserOperationRequest(operation),
    entryPoint: entryPoint.address,
    blockNumber: event ? numberToHex(event.blockNumber) : null,
    blockHash: event?.blockHash ?? null,
    transactionHash: event?.transactionHash ?? null,
  };
}

async function fetchEvents(chain: Chain, entryPoints: Address[], hash: Hex) {
  const logs = await chain.getContractEvents({
    address: entryPoints,
    abi: entryPointAbi,
    eventName: 'UserOperationEvent',
    args: { userOpHash: hash },
    fromBlock: 0n,
    strict: true,
  });
  return logs;
}

// Between the event of the operation before, or the beginning of all, and its own.
function selectLogs({ logs }: RpcTransactionReceipt, event: Event): RpcLog[] {
  const borders = ['BeforeExecution', 'UserOperationEvent'] as const;
  const topics = borders.flatMap((eventName) =>
    encodeEventTopics({ abi: entryPointAbi, eventName }),
  );
  const end = logs.findIndex(
    ({ logIndex }) => logIndex !== null && Number(logIndex) === event.logIndex,
  );
  const before = logs.slice(0, end);
  const start = before.findLastIndex(({ topics: [topic] }) =>
    topics.some((each) => each === topic),
  );
  return before.slice(start + 1);
}

function findReason({ logs }: RpcTransactionReceipt, hash: Hex): Hex | undefined {
  const events = parseEventLogs({
    abi: entryPointAbi,
    eventName: ['UserOperationRevertReason', 'PostOpRevertReason'],
    logs,
  });
  return events.find(({ args }) => args.userOpHash === hash)?.args.revertReason;
}
