// The chains of a mock wallet: a node over HTTP, or one in memory that includes each transaction
// at once in a block of its own and executes nothing.
import {
  http,
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
} from 'viem';
import type { Hex, TransactionSerialized } from 'viem';

import type { Ask } from '../../provider/src/eip1193';
import { fail, findNodeError } from './errors';

/** A chain that the wallet knows. */
export type MockChain = {
  id: number;
  /** Its node. Without one, transactions succeed in memory, and nothing can be called. */
  rpcUrl?: string | undefined;
};

/** Creates what answers the requests of a chain. */
export function createNode({ id, rpcUrl }: MockChain): Ask {
  return rpcUrl === undefined ? createMemoryNode(id) : createHttpNode(rpcUrl);
}

function createHttpNode(rpcUrl: string): Ask {
  const { request } = http(rpcUrl, { retryCount: 0 })({});
  // viem writes a page of text around the node's own words.
  return async ({ method, params }) =>
    request({ method, params }).catch((error: unknown) => {
      throw findNodeError(error) ?? error;
    });
}

type Receipt = { blockNumber: Hex; from: Hex; [field: string]: unknown };

function createMemoryNode(id: number): Ask {
  const receipts = new Map<Hex, Receipt>();
  const last = (): Hex => numberToHex(receipts.size);
  const toBlock = (number: Hex): object => ({
    number,
    hash: keccak256(number),
    timestamp: number,
    baseFeePerGas: '0x1',
    gasLimit: '0x1c9c380',
    transactions: [],
  });
  const send = async (raw: Hex): Promise<Hex> => {
    const serializedTransaction = raw as TransactionSerialized;
    const hash = keccak256(raw);
    const { to = null, type } = parseTransaction(raw);
    const from = await recoverTransactionAddress({ serializedTransaction });
    const blockNumber = numberToHex(receipts.size + 1);
    receipts.set(hash, {
      ...{ transactionHash: hash, transactionIndex: '0x0', type, status: '0x1' },
      ...{ blockNumber, blockHash: keccak256(blockNumber), logs: [], from, to },
      ...{ gasUsed: '0x5208', cumulativeGasUsed: '0x5208', effectiveGasPrice: '0x1' },
      ...{ contractAddress: null, logsBloom: `0x${'00'.repeat(256)}` },
    });
    return hash;
  };
  const count = (address: Hex): Hex => {
    const own = [...receipts.values()].filter(
      ({ from }) => from.toLowerCase() === address.toLowerCase(),
    );
    return numberToHex(own.length);
  };
  const answers: Record<string, (param: Hex) => unknown> = {
    eth_chainId: () => numberToHex(id),
    net_version: () => String(id),
    eth_blockNumber: last,
    eth_getBlockByNumber: (number) => toBlock(/^0x/u.test(number) ? number : last()),
    eth_estimateGas: () => '0x5208',
    eth_gasPrice: () => '0x1',
    eth_maxPriorityFeePerGas: () => '0x1',
    eth_getBalance: () => numberToHex(10n ** 22n),
    eth_getCode: () => '0x',
    eth_getTransactionCount: count,
    eth_sendRawTransaction: send,
    eth_getTransactionReceipt: (hash) => receipts.get(hash) ?? null,
  };
  return async ({ method, params }) => {
    const answer = Object.hasOwn(answers, method) ? answers[method] : undefined;
    const [first = '0x'] = (params ?? []) as Hex[];
    if (answer) return await answer(first);
    return fail(
      'unknownMethod',
      `${method} needs a node: give the chain ${id} an rpcUrl.`,
    );
  };
}
