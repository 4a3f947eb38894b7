// An in-memory node that includes each transaction immediately, in its own block, and executes
// nothing.
import {
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
} from 'viem';
import type { Hex, TransactionSerialized } from 'viem';

import type { Ask } from '../../packages/provider/src';

type Receipt = { blockNumber: Hex; from: Hex; [field: string]: unknown };

export function createMemoryNode(
  more: Record<string, (param: Hex) => unknown> = {},
): Ask {
  const receipts = new Map<Hex, Receipt>();
  const transactions = new Map<Hex, object>();
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
    const parsed = parseTransaction(raw);
    const { to = null, nonce = 0, value = 0n, gas = 0n, maxFeePerGas } = parsed;
    const from = await recoverTransactionAddress({ serializedTransaction });
    const blockNumber = numberToHex(receipts.size + 1);
    const block = { blockNumber, blockHash: keccak256(blockNumber) };
    const included = { ...block, from, to, transactionIndex: '0x0', type: '0x0' };
    transactions.set(hash, {
      ...included,
      hash,
      nonce: numberToHex(nonce),
      value: numberToHex(value),
      gas: numberToHex(gas),
      gasPrice: '0x1',
      input: '0x',
      ...(maxFeePerGas !== undefined && { maxFeePerGas: numberToHex(maxFeePerGas) }),
      v: '0x1b',
      r: '0x1',
      s: '0x1',
    });
    receipts.set(hash, {
      ...included,
      transactionHash: hash,
      status: '0x1',
      logs: [],
      gasUsed: '0x5208',
      cumulativeGasUsed: '0x5208',
      effectiveGasPrice: '0x1',
      contractAddress: null,
      logsBloom: `0x${'00'.repeat(256)}`,
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
    eth_blockNumber: last,
    eth_getBlockByNumber: (number) => toBlock(/^0x/u.test(number) ? number : last()),
    eth_estimateGas: () => '0x5208',
    eth_gasPrice: () => '0x1',
    eth_maxPriorityFeePerGas: () => '0x1',
    eth_getBalance: () => numberToHex(10n ** 22n),
    eth_getCode: () => '0x',
    eth_getTransactionCount: count,
    eth_sendRawTransaction: send,
    eth_getTransactionByHash: (hash) => transactions.get(hash) ?? null,
    ...more,
    eth_getTransactionReceipt: (hash) => receipts.get(hash) ?? null,
  };
  return async ({ method, params }) => {
    const [first = '0x'] = (params ?? []) as Hex[];
    const answer = answers[method];
    if (answer) return await answer(first);
    throw Object.assign(new Error(`There is no ${method}.`), { code: -32601 });
  };
}
