// What nodes leave out of blocks, transactions and receipts (spec 2.3, 2.5, 2.6), added, so
// that callers find every key. What is there is kept as it is.
import { isObject } from '@metamask/utils';

import type { Ask } from './upstream';

type Row = Record<PropertyKey, unknown>;

/** Completes a result that is an object; may ask the node for what is missing. */
export type Complete = (result: Row, ask: Ask) => Row | Promise<Row>;

/** Thirty-two zero bytes: what chains without proof of work write as `mixHash`. */
const ZERO_32 = `0x${'00'.repeat(32)}`;

const blockDefaults = {
  number: null,
  hash: null,
  nonce: null,
  logsBloom: null,
  totalDifficulty: null,
  difficulty: '0x0',
  extraData: '0x',
  size: '0x0',
  uncles: [],
  mixHash: ZERO_32,
};

const NO_HASH_YET = { number: null, hash: null, nonce: null, logsBloom: null };

/** Complete an uncle; it has no transactions. */
export const completeBlock: Complete = (block) => {
  const header = { ...block };
  delete header['transactions'];
  const isPending = isNothing(header['hash']) || isNothing(header['number']);
  return { ...withDefaults(header, blockDefaults), ...(isPending && NO_HASH_YET) };
};

const WAITING = { blockHash: null, blockNumber: null, transactionIndex: null };

/** Complete a transaction; one that waits has no block. */
export const completeTransaction: Complete = (transaction) => {
  const isWaiting =
    isNothing(transaction['blockHash']) || isNothing(transaction['blockNumber']);
  const completed = withDefaults(transaction, {
    to: null,
    type: '0x0',
    input: transaction['data'] ?? '0x',
    v: transaction['yParity'] ?? null,
    // Until the base fee is known, the most that would be paid, as most nodes write it.
    gasPrice: transaction['maxFeePerGas'] ?? null,
  });
  return { ...completed, ...(isWaiting && WAITING) };
};

/** Complete a receipt and its logs. */
export const completeReceipt: Complete = async (receipt, ask) => {
  const { blockHash, blockNumber, transactionHash, transactionIndex } = receipt;
  const place = { blockHash, blockNumber, transactionHash, transactionIndex };
  const logs: unknown[] = Array.isArray(receipt['logs']) ? receipt['logs'] : [];
  return {
    ...withDefaults(receipt, {
      contractAddress: null,
      to: null,
      type: '0x0',
      effectiveGasPrice: isNothing(receipt['effectiveGasPrice'])
        ? await fetchGasPrice(transactionHash, ask)
        : undefined,
    }),
    logs: logs.map((log) =>
      isObject(log) ? withDefaults(log, { removed: false, ...place }) : log,
    ),
  };
};

// Before EIP-1559 the price that was paid is the one that was offered.
async function fetchGasPrice(hash: unknown, ask: Ask): Promise<unknown> {
  const outcome = await ask('eth_getTransactionByHash', [hash]);
  const transaction = 'result' in outcome ? outcome.result : undefined;
  return isObject(transaction) ? (transaction['gasPrice'] ?? null) : null;
}

function withDefaults(row: Row, defaults: Row): Row {
  const missing = Object.entries(defaults).filter(([name]) => isNothing(row[name]));
  return { ...row, ...Object.fromEntries(missing) };
}

// Some nodes write zeros where there is no block yet.
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ZERO_32;
}
