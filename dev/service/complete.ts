// What nodes leave out of uncles, transactions and receipts (docs/reference/service.md#blocks, #receipts,
// #transactions), as far as it can be known from the block or the transaction: other answers of the
// node tell it, or it follows from the fields that are there. What is there is kept as it is, and
// nothing is made up.
import { isObject } from '@metamask/utils';
import {
  formatTransaction,
  getContractAddress,
  keccak256,
  recoverTransactionAddress,
  serializeTransaction,
  toRlp,
} from 'viem';
import type { Hex } from 'viem';

import { byteLength, isSameAddress, smaller, toQuantity } from '../../src/eth/hex';
import type { Ask } from './upstream';

type Row = Record<PropertyKey, unknown>;

/** What completing a result needs: the question, and whom to ask for more. */
type Completing = { params: readonly unknown[]; ask: Ask; chainId: number };

/** Completes a result that is an object. */
export type Complete = (result: Row, completing: Completing) => Promise<Row>;

/** What some nodes write where there is no block yet. */
const ZERO_32 = `0x${'00'.repeat(32)}`;
const NO_HASH_YET = { number: null, hash: null, nonce: null, logsBloom: null };

/** Complete an uncle; it has no transactions. */
export const completeUncle: Complete = async (result, { params, ask }) => {
  const [block, index] = params;
  const uncle: Row = { totalDifficulty: null, uncles: [], ...withoutNothing(result) };
  delete uncle['transactions'];
  if (uncle['hash'] === ZERO_32) delete uncle['hash'];
  if (block === 'pending' && !has(uncle, 'hash')) return { ...uncle, ...NO_HASH_YET };
  if (!has(uncle, 'hash')) {
    const { uncles } = await fetchBlock(ask, block);
    uncle['hash'] = entryOf(uncles, Number(index));
  }
  // The parent of an uncle is a block of the chain.
  if (!has(uncle, 'number') && has(uncle, 'parentHash')) {
    const { number } = await fetchBlock(ask, uncle['parentHash']);
    uncle['number'] = toFound(add(toBigInt(number), 1n));
  }
  if (!has(uncle, 'parentHash') && has(uncle, 'number')) {
    const parent = await fetchBlock(ask, toFound(add(toBigInt(uncle['number']), -1n)));
    uncle['parentHash'] = parent['hash'];
  }
  return { size: findSize(uncle), ...uncle };
};

const WAITING = { blockHash: null, blockNumber: null, transactionIndex: null };
const PLACE = Object.keys(WAITING);

/** Complete a transaction that was asked for by its hash. */
export const completeTransaction: Complete = async (result, completing) =>
  completeFound(result, { hash: completing.params[0] }, completing);

/** Complete a transaction that was asked for by its block and its place there. */
export const completeTransactionAt: Complete = async (result, completing) => {
  const [block, transactionIndex] = completing.params;
  if (['hash', ...PLACE].every((name) => has(result, name))) {
    return completeFound(result, {}, completing);
  }
  const { hash, number, transactions } = await fetchBlock(completing.ask, block);
  const own = entryOf(transactions, Number(transactionIndex));
  // There is no block's hash yet where the transactions are those of the pending one.
  const place = isNothing(hash) ? {} : { blockHash: hash, blockNumber: number };
  return completeFound(result, { hash: own, ...place, transactionIndex }, completing);
};

async function completeFound(
  result: Row,
  known: Row,
  { ask, chainId }: Omit<Completing, 'params'>,
): Promise<Row> {
  const { blockHash, data, yParity, chainID, to } = result;
  const isWaiting = isUnset(blockHash) && !has(known, 'blockHash');
  const found: Row = {
    ...withoutNothing({ ...known, input: data, v: yParity, chainId: chainID }),
    ...withoutNothing(result),
    ...(isWaiting && WAITING),
    ...(to === null && { to }),
  };
  const receipt = once(async () =>
    fetchRow(ask, 'eth_getTransactionReceipt', [found['hash']]),
  );
  await completeSigned(found, chainId);
  for (const name of ['from', 'to', 'type', ...PLACE]) {
    if (!(name in found)) found[name] = (await receipt())[name];
  }
  await completePlace(found, ask);
  // Until the base fee is known, the most that would be paid, as most nodes write it.
  found['gasPrice'] ??= has(found, 'blockHash')
    ? ((await findPrice(found, ask)) ?? (await receipt())['effectiveGasPrice'])
    : found['maxFeePerGas'];
  await completeSigned(found, chainId);
  if (has(found, 'maxFeePerGas')) found['chainId'] ??= toQuantity(chainId);
  return withoutUndefined(found);
}

// One that is in no block waits for one; one whose block has no hash that is known does not.
async function completePlace(found: Row, ask: Ask): Promise<void> {
  if (PLACE.every((name) => found[name] !== undefined)) return;
  const { hash, number, transactions } = await fetchBlock(
    ask,
    found['blockHash'] ?? found['blockNumber'],
  );
  const index = Array.isArray(transactions) ? transactions.indexOf(found['hash']) : -1;
  found['blockHash'] ??= hash;
  found['blockNumber'] ??= number;
  if (index >= 0) found['transactionIndex'] ??= toQuantity(index);
  if (!has(found, 'blockHash') && !has(found, 'blockNumber')) {
    Object.assign(found, WAITING);
  }
}

export const completeReceipt: Complete = async (result, { params, ask, chainId }) => {
  const receipt: Row = { transactionHash: params[0], ...withoutNothing(result) };
  const transaction = once(async () => {
    const hash = receipt['transactionHash'];
    const row = await fetchRow(ask, 'eth_getTransactionByHash', [hash]);
    return has(row, 'nonce') ? completeFound(row, { hash }, { ask, chainId }) : row;
  });
  for (const name of ['blockHash', 'blockNumber', 'transactionIndex', 'from', 'type']) {
    if (!has(receipt, name)) receipt[name] = (await transaction())[name];
  }
  receipt['to'] = 'to' in result ? result['to'] : (await transaction())['to'];
  receipt['contractAddress'] ??= await findCreated(receipt, transaction);
  if (!has(receipt, 'effectiveGasPrice')) {
    receipt['effectiveGasPrice'] = await findPrice(await transaction(), ask);
  }
  await completeGas(receipt, ask);
  await completeLogs(receipt, ask);
  return withoutUndefined(receipt);
};

async function findCreated(
  receipt: Row,
  transaction: () => Promise<Row>,
): Promise<Hex | null | undefined> {
  if (receipt['to'] !== null || receipt['status'] === '0x0') return null;
  const nonce = toBigInt((await transaction())['nonce']);
  const from = receipt['from'];
  if (typeof from !== 'string' || nonce === undefined) return undefined;
  return getContractAddress({ from: from as Hex, nonce }).toLowerCase() as Hex;
}

// The gas of a block adds up from transaction to transaction.
async function completeGas(receipt: Row, ask: Ask): Promise<void> {
  if (has(receipt, 'gasUsed') && has(receipt, 'cumulativeGasUsed')) return;
  if (!has(receipt, 'blockNumber') || !has(receipt, 'transactionIndex')) return;
  const index = Number(receipt['transactionIndex']);
  const outcome = await ask('eth_getBlockReceipts', [receipt['blockNumber']]);
  const told = 'result' in outcome ? outcome.result : undefined;
  if (!Array.isArray(told)) return;
  const rows = told.map((row, at) => (at === index ? receipt : (Object(row) as Row)));
  const used = rows.map((row) => toBigInt(row['gasUsed']));
  const sums = rows.map((row) => toBigInt(row['cumulativeGasUsed']));
  sums.forEach((_sum, at) => {
    sums[at] ??= add(at === 0 ? 0n : sums[at - 1], used[at]);
  });
  const block = await fetchBlock(ask, receipt['blockHash']);
  sums.push(toBigInt(block['gasUsed']));
  used.push(0n);
  for (let at = sums.length - 2; at >= index; at -= 1) {
    sums[at] ??= add(sums[at + 1], negative(used[at + 1]));
  }
  const before = index === 0 ? 0n : sums[index - 1];
  receipt['cumulativeGasUsed'] ??= toFound(sums[index]);
  receipt['gasUsed'] ??= toFound(add(sums[index], negative(before)));
}

async function completeLogs(receipt: Row, ask: Ask): Promise<void> {
  const { blockHash, blockNumber, transactionHash, transactionIndex } = receipt;
  const place = { blockHash, blockNumber, transactionHash, transactionIndex };
  const isOwn = (log: unknown): log is Row =>
    isObject(log) && log['transactionHash'] === transactionHash;
  const ofBlock = once(async () => {
    const outcome = await ask('eth_getLogs', [{ blockHash }]);
    return 'result' in outcome && Array.isArray(outcome.result)
      ? (outcome.result as unknown[])
      : undefined;
  });
  const logs = Array.isArray(receipt['logs'])
    ? (receipt['logs'] as unknown[])
    : (await ofBlock())?.filter(isOwn);
  if (!logs) return;
  const lacksIndex = logs.some((log) => isObject(log) && !has(log, 'logIndex'));
  const first = lacksIndex ? (await ofBlock())?.findIndex(isOwn) : undefined;
  receipt['logs'] = logs.map((log, at) => {
    if (!isObject(log)) return log;
    const logIndex = first === undefined || first < 0 ? undefined : first + at;
    const known = { removed: false, ...place };
    return withoutUndefined({
      ...known,
      ...(logIndex === undefined ? {} : { logIndex: toQuantity(logIndex) }),
      ...withoutNothing(log),
    });
  });
  receipt['logsBloom'] ??= toBloom(receipt['logs'] as unknown[]);
}

// Addresses and topics set three bits each (Yellow Paper, 4.3.1).
function toBloom(logs: readonly unknown[]): Hex | undefined {
  let bloom = 0n;
  for (const log of logs) {
    const { address, topics } = isObject(log) ? log : ({} as Row);
    const words = [address, ...(Array.isArray(topics) ? (topics as unknown[]) : [])];
    for (const word of words) {
      if (typeof word !== 'string') return undefined;
      const digits = keccak256(word as Hex).slice(2);
      for (const at of [0, 4, 8]) {
        bloom |= 1n << BigInt(Number.parseInt(digits.slice(at, at + 4), 16) & 2_047);
      }
    }
  }
  return `0x${bloom.toString(16).padStart(512, '0')}`;
}

// What was paid for a unit of gas: before EIP-1559 the price that was offered.
async function findPrice(transaction: Row, ask: Ask): Promise<unknown> {
  const { gasPrice, blockHash } = transaction;
  const most = toBigInt(transaction['maxFeePerGas']);
  const priority = toBigInt(transaction['maxPriorityFeePerGas']);
  if (most === undefined || priority === undefined) return gasPrice;
  const { baseFeePerGas } = await fetchBlock(ask, blockHash);
  const base = toBigInt(baseFeePerGas);
  return base === undefined ? gasPrice : toQuantity(smaller(most, base + priority));
}

// What a transaction's signature and hash tell of its other fields, if they are there: only those
// that were signed give this hash.
async function completeSigned(found: Row, chainId: number): Promise<void> {
  if (['from', 'to', 'type', 'v'].every((name) => found[name] !== undefined)) return;
  const { hash } = found;
  for (const { serialized, fields } of listSigned(found, chainId)) {
    if (!isSame(keccak256(serialized), hash)) continue;
    const from = await recoverTransactionAddress({
      serializedTransaction: serialized as never,
    });
    Object.assign(found, {
      ...fields,
      from: from.toLowerCase(),
      ...withoutUndefined(found),
    });
    return;
  }
}

type Signed = { serialized: Hex; fields: { type: Hex; to: unknown; v: Hex } };

// What it may be as far as it is not said; none where too little of it is there.
function listSigned(found: Row, chainId: number): Signed[] {
  const type = findType(found);
  const { to = null } = found;
  const own = toBigInt(found['chainId']) ?? BigInt(chainId);
  const v = toBigInt(found['v']);
  // EIP-155: the `v` of a legacy transaction names its chain.
  const forms = [0n, 1n].flatMap((yParity) =>
    type === '0x0'
      ? [
          { yParity, v: 27n + yParity, of: undefined },
          { yParity, v: 35n + 2n * own + yParity, of: own },
        ]
      : [{ yParity, v: yParity, of: own }],
  );
  try {
    const fields = formatTransaction({ ...found, type, to } as never) as unknown as Row;
    const { r, s, ...others } = fields;
    return forms
      .filter((form) => v === undefined || form.v === v)
      .map(({ of, yParity, v: signed }) => ({
        fields: { type, to, v: toQuantity(signed) },
        serialized: serializeTransaction(
          {
            ...others,
            data: found['input'],
            chainId: of === undefined ? undefined : Number(of),
          } as never,
          { r: toWord(r), s: toWord(s), v: signed, yParity: Number(yParity) },
        ),
      }));
  } catch {
    return [];
  }
}

function findType(transaction: Row): Hex {
  if (has(transaction, 'type')) return transaction['type'] as Hex;
  if (has(transaction, 'authorizationList')) return '0x4';
  if (has(transaction, 'blobVersionedHashes')) return '0x3';
  if (has(transaction, 'maxFeePerGas')) return '0x2';
  return has(transaction, 'accessList') ? '0x1' : '0x0';
}

/** Fields of a block's header in the order in which they are encoded. */
const HEADER = [
  'parentHash',
  'sha3Uncles',
  'miner',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'extraData',
  'mixHash',
  'nonce',
] as const;

const quantities: ReadonlySet<string> = new Set([
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
]);

// An uncle is its header alone, and the base fee stands at the end of that since London.
function findSize(uncle: Row): Hex | undefined {
  const names = [...HEADER, ...(has(uncle, 'baseFeePerGas') ? ['baseFeePerGas'] : [])];
  if (names.some((name) => typeof uncle[name] !== 'string')) return undefined;
  const fields = names.map((name) => {
    const value = uncle[name] as Hex;
    return quantities.has(name) || name === 'baseFeePerGas'
      ? toRlpInteger(value)
      : value;
  });
  return toQuantity(byteLength(toRlp([fields, [], []])));
}

function toRlpInteger(quantity: Hex): Hex {
  const digits = BigInt(quantity).toString(16);
  return BigInt(quantity) === 0n ? '0x' : `0x${digits.length % 2 ? '0' : ''}${digits}`;
}

// By its hash, its number or a tag.
async function fetchBlock(ask: Ask, block: unknown): Promise<Row> {
  const isHash = typeof block === 'string' && block.length === ZERO_32.length;
  const method = isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber';
  return isNothing(block) ? {} : fetchRow(ask, method, [block, false]);
}

/** Fetch an object; an empty one if the node does not tell. */
async function fetchRow(
  ask: Ask,
  method: string,
  params: readonly unknown[],
): Promise<Row> {
  const outcome = await ask(method, params);
  const result = 'result' in outcome ? outcome.result : undefined;
  return isObject(result) ? result : {};
}

function once<Result>(fetch: () => Promise<Result>): () => Promise<Result> {
  let fetched: Promise<Result> | undefined;
  return async () => (fetched ??= fetch());
}

function entryOf(entries: unknown, index: number): unknown {
  return Array.isArray(entries) ? (entries[index] as unknown) : undefined;
}

function has(row: Row, name: string): boolean {
  return !isNothing(row[name]);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

function isSame(one: Hex, other: unknown): boolean {
  return typeof other === 'string' && isSameAddress(one, other);
}

function isUnset(blockHash: unknown): boolean {
  return blockHash === null || blockHash === ZERO_32;
}

function withoutNothing(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => !isNothing(value)),
  );
}

function withoutUndefined(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== undefined),
  );
}

function toBigInt(quantity: unknown): bigint | undefined {
  const isQuantity =
    typeof quantity === 'string' && /^0x[\da-f]{1,64}$/iu.test(quantity);
  return isQuantity ? BigInt(quantity) : undefined;
}

function toWord(quantity: unknown): Hex {
  return `0x${String(quantity).slice(2).padStart(64, '0')}`;
}

function add(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}

function negative(amount: bigint | undefined): bigint | undefined {
  return amount === undefined ? undefined : -amount;
}

function toFound(amount: bigint | undefined): Hex | undefined {
  return amount === undefined || amount < 0n ? undefined : toQuantity(amount);
}
