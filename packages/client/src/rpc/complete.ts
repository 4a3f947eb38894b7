// Fills in fields that nodes omit from uncles, transactions and receipts (docs/reference/service.md
// #blocks, #receipts, #transactions), from the node's other answers or the fields present. Existing
// fields are kept unless these contradict them, and nothing is guessed.
import { RLP } from '@ethereumjs/rlp';
import type { Input } from '@ethereumjs/rlp';
import { ecrecover, publicToAddress } from '@ethereumjs/util';
import { bytesToHex, concatBytes, hexToBytes, isObject } from '@metamask/utils';

import {
  Bytes32Struct,
  HexQuantityStruct,
  keccak256,
  smaller,
  toPaddedHex,
  toQuantity,
} from '../../../../src/eth/hex';
import type { Hex } from '../../../../src/eth/hex';
import { matches } from '../../../../src/schema/parse';
import { tidy } from './tidy';
import type { Row } from './tidy';

/** Calls the node. Never rejects: returns undefined if the call fails. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

export type Asked = {
  params: readonly unknown[];
  ask: Ask;
  /** Fetched from the node if undefined. */
  chainId?: bigint | undefined;
};

const TRANSACTION = 'eth_getTransactionByHash';
const RECEIPT = 'eth_getTransactionReceipt';

const WAITING = { blockHash: null, blockNumber: null, transactionIndex: null };
const POSITION = Object.keys(WAITING);

/** Completes a method's answer to the specification's form, as far as possible. A receipt without
 * its full position in a block becomes null. Answers to other methods, and values that are not
 * objects, are returned unchanged. */
export async function completeAnswer(
  method: string,
  answer: unknown,
  asked: Asked,
): Promise<unknown> {
  const complete = findCompletion(method);
  if (!complete || !isObject(answer)) return answer;
  const row = tidy(answer);
  const answers = new Map<string, Promise<unknown>>();
  const askOnce: Ask = async (...question) => {
    const key = JSON.stringify(question);
    const found = answers.get(key) ?? asked.ask(...question);
    answers.set(key, found);
    return found;
  };
  // Answers have hashes in lower case. The method's struct will refuse malformed values.
  const params = asked.params.map((each) => String(each).toLowerCase());
  await complete(row, { ...asked, params, ask: askOnce }).catch(() => undefined);
  const isReceipt = matches(answer['transactionHash'], Bytes32Struct);
  return isReceipt && lacks(row, ...POSITION) ? null : row;
}

function findCompletion(method: string): typeof completeUncle | undefined {
  if (method === TRANSACTION) return completeTransaction;
  if (method === RECEIPT) return completeReceipt;
  if (method === 'eth_sendRawTransactionSync') {
    // Some sequencers announce a block before they build it, and have no other fields yet.
    return async (row, asked) => {
      if (row['blockHash'] === null) return;
      await completeReceipt(row, { ...asked, params: [row['transactionHash']] });
    };
  }
  return method.startsWith('eth_getUncleByBlock') ? completeUncle : undefined;
}

/** Header fields in encoding order. */
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
];
const QUANTITIES = [...HEADER.slice(7, 12), 'baseFeePerGas'];

async function completeUncle(row: Row, { params, ask }: Asked): Promise<void> {
  const [block, index] = params;
  // An uncle is a header: it has no transactions and lists no uncles.
  delete row['transactions'];
  fill(row, { uncles: [], totalDifficulty: null });
  dropNull(row, 'mixHash', 'baseFeePerGas');
  const isUnset = ['number', 'nonce', 'logsBloom'].every((name) => row[name] === null);
  if (lacks(row, 'hash') && (block === 'pending' || isUnset)) {
    Object.assign(row, { number: null, hash: null, nonce: null, logsBloom: null });
    return;
  }
  if (lacks(row, 'hash')) {
    const { uncles } = await fetchBlock(ask, block);
    fill(row, { hash: toList(uncles)[Number(index)] });
  }
  if (lacks(row, ...HEADER)) fill(row, await fetchBlock(ask, row['hash']), HEADER);
  // An uncle's parent is a block of the chain.
  if (lacks(row, 'number')) {
    const { number } = await fetchBlock(ask, row['parentHash']);
    fill(row, { number: toFound(toNumber(number) + 1) });
  }
  if (lacks(row, 'parentHash')) {
    const parent = await fetchBlock(ask, toFound(toNumber(row['number']) - 1));
    fill(row, { parentHash: parent['hash'] });
  }
  fill(row, { size: findSize(row) });
}

// Since London, the base fee is the last header field.
function findSize(row: Row): Hex | undefined {
  if (lacks(row, ...HEADER)) return undefined;
  const names = lacks(row, 'baseFeePerGas') ? HEADER : [...HEADER, 'baseFeePerGas'];
  const header = names.map((name) =>
    QUANTITIES.includes(name) ? toBigInt(row[name]) : String(row[name]),
  );
  return toQuantity(RLP.encode([header, [], []]).length);
}

async function completeTransaction(row: Row, asked: Asked): Promise<void> {
  const { ask } = asked;
  fill(row, { hash: asked.params[0] });
  fill(row, { input: row['data'], v: row['yParity'], chainId: row['chainID'] });
  delete row['chainID'];
  dropNull(row, 'v', 'gasPrice');
  const isWaiting = row['blockHash'] === null;
  if (isWaiting) Object.assign(row, WAITING);
  const fetchReceipt = async (): Promise<Row> =>
    toRow(await ask(RECEIPT, [row['hash']]));
  await completeSigned(row, asked);
  const names = ['from', 'to', 'type', ...(isWaiting ? [] : POSITION)];
  if (lacks(row, ...names)) fill(row, await fetchReceipt(), names);
  if (!isWaiting && lacks(row, ...POSITION)) {
    const { hash, number, transactions } = await fetchBlockOf(row, ask);
    const index = toFound(toList(transactions).indexOf(row['hash']));
    fill(row, { blockHash: hash, blockNumber: number, transactionIndex: index });
    if (lacks(row, ...POSITION)) Object.assign(row, WAITING);
  }
  if (lacks(row, 'gasPrice')) {
    // While the base fee is unknown, most nodes report the maximum price.
    const gasPrice = lacks(row, 'blockHash')
      ? row['maxFeePerGas']
      : ((await findPrice(row, ask)) ?? (await fetchReceipt())['effectiveGasPrice']);
    fill(row, { gasPrice });
  }
  await completeSigned(row, asked);
  if (lacks(row, 'chainId') && !lacks(row, 'maxFeePerGas')) {
    const chainId = await findChainId(asked);
    fill(row, { chainId: chainId && toQuantity(chainId) });
  }
}

async function completeReceipt(row: Row, asked: Asked): Promise<void> {
  const { ask } = asked;
  fill(row, { transactionHash: asked.params[0] });
  const names = [...POSITION, 'from', 'to', 'type'];
  const isCreation = (): boolean => row['to'] === null && toNumber(row['status']) !== 0;
  const isUnnamed = isCreation() && lacks(row, 'contractAddress');
  if (isUnnamed || lacks(row, 'effectiveGasPrice', ...names)) {
    const transaction = await fetchTransaction(row, asked);
    if (differsInPosition(row, transaction)) row['blockHash'] = null;
    else fill(row, transaction, names);
    if (lacks(row, ...POSITION)) return;
    const nonce = toBigInt(transaction['nonce']);
    if (isCreation() && nonce !== undefined) {
      const digest = keccak256(RLP.encode([String(row['from']), nonce]));
      fill(row, { contractAddress: bytesToHex(digest.subarray(12)) });
    }
    if (lacks(row, 'effectiveGasPrice')) {
      fill(row, { effectiveGasPrice: await findPrice(transaction, ask) });
    }
  }
  if (!isCreation()) fill(row, { contractAddress: null });
  await completeGas(row, ask);
  await completeLogs(row, ask);
}

// If the node has forgotten the hash, the block may still list the transaction.
async function fetchTransaction(receipt: Row, asked: Asked): Promise<Row> {
  const { ask } = asked;
  const { transactionHash: hash, blockHash, transactionIndex } = receipt;
  const row = { ...toRow(await ask(TRANSACTION, [hash])) };
  if (lacks(row, 'nonce')) {
    const method = 'eth_getTransactionByBlockHashAndIndex';
    fill(row, toRow(await ask(method, [blockHash, transactionIndex])));
  }
  if (lacks(row, 'nonce')) {
    const { transactions } = await fetchBlockOf(receipt, ask, true);
    fill(row, toRow(toList(transactions).find((each) => toRow(each)['hash'] === hash)));
  }
  if (lacks(row, 'nonce')) return row;
  await completeTransaction(row, { ...asked, params: [hash] });
  return row;
}

// Gas accumulates over the block's transactions.
async function completeGas(row: Row, ask: Ask): Promise<void> {
  const names = ['gasUsed', 'cumulativeGasUsed'];
  if (!lacks(row, ...names)) return;
  const index = toNumber(row['transactionIndex']);
  const receipts = await ask('eth_getBlockReceipts', [row['blockNumber']]);
  const rows = toList(receipts).map(toRow);
  if (index > 0 && !(index < rows.length)) return;
  fill(row, toRow(rows[index]), names);
  let [before, total] = [0, 0];
  for (const { gasUsed, cumulativeGasUsed } of [...rows.slice(0, index), row]) {
    before = total;
    total = toNumber(cumulativeGasUsed ?? toFound(before + toNumber(gasUsed)));
  }
  fill(row, { cumulativeGasUsed: toFound(total), gasUsed: toFound(total - before) });
}

async function completeLogs(row: Row, ask: Ask): Promise<void> {
  const { blockHash, blockNumber, transactionHash, transactionIndex } = row;
  const place = { blockHash, blockNumber, transactionHash, transactionIndex };
  const isOwn = (log: unknown): boolean =>
    toRow(log)['transactionHash'] === transactionHash;
  const isGiven = Array.isArray(row['logs']);
  const given = toList(row['logs']);
  const isNumbered = isGiven && given.every((log) => !lacks(toRow(log), 'logIndex'));
  const ofBlock = isNumbered ? given : await ask('eth_getLogs', [{ blockHash }]);
  const isEmpty = /^0x0+$/u.test(String(row['logsBloom']));
  if (!isGiven && !isEmpty && !Array.isArray(ofBlock)) return;
  const first = toList(ofBlock).findIndex(isOwn);
  const logs = isGiven ? given : toList(ofBlock).filter(isOwn);
  const whole = logs.map((log, at) => {
    const logIndex = first < 0 ? undefined : toQuantity(first + at);
    return fill({ ...toRow(log) }, { ...place, removed: false, logIndex });
  });
  row['logs'] = whole;
  if (lacks(row, 'logsBloom')) fill(row, { logsBloom: toBloom(whole) });
}

// Each address and topic sets three bits (Yellow Paper, 4.3.1).
function toBloom(logs: readonly unknown[]): Hex {
  let bloom = 0n;
  for (const { address, topics } of logs.map(toRow)) {
    for (const word of [address, ...toList(topics)]) {
      const digest = keccak256(hexToBytes(String(word)));
      for (const at of [0, 2, 4]) {
        const bit = (Number(digest[at]) * 256 + Number(digest[at + 1])) % 2_048;
        bloom |= 1n << BigInt(bit);
      }
    }
  }
  return toPaddedHex(bloom, 256);
}

// Finds the price paid per unit of gas; without EIP-1559 fees, this is the transaction's price.
async function findPrice(transaction: Row, ask: Ask): Promise<unknown> {
  const maximum = toBigInt(transaction['maxFeePerGas']);
  const priority = toBigInt(transaction['maxPriorityFeePerGas']);
  if (maximum === undefined || priority === undefined) return transaction['gasPrice'];
  const { baseFeePerGas } = await fetchBlockOf(transaction, ask);
  const base = toBigInt(baseFeePerGas);
  if (base === undefined) return transaction['gasPrice'];
  return toQuantity(smaller(maximum, base + priority));
}

// Derives fields from the signature. The hash confirms them: only the signed fields reproduce it.
async function completeSigned(row: Row, asked: Asked): Promise<void> {
  if (!lacks(row, 'from', 'to', 'type', 'v')) return;
  const type = findType(row);
  const given = toBigInt(row['v']);
  try {
    // EIP-155: a legacy transaction's `v` may include the chain id.
    const isNamed = type === 0 && given !== undefined;
    const chain =
      toBigInt(row['chainId']) ?? (isNamed ? 0n : ((await findChainId(asked)) ?? 0n));
    const forms =
      type === 0 ? [27n, 28n, 35n + 2n * chain, 36n + 2n * chain] : [0n, 1n];
    const [r, s] = [BigInt(row['r'] as Hex), BigInt(row['s'] as Hex)];
    const fields = listSigned(type).map((name) =>
      name === 'chainId' ? chain : encode(name, row[name]),
    );
    const prefix = Uint8Array.from(type === 0 ? [] : [type]);
    const hash = (items: Input[]): Uint8Array =>
      keccak256(concatBytes([prefix, RLP.encode(items)]));
    const v = (given === undefined ? forms : [given]).find(
      (each) => bytesToHex(hash([...fields, each, r, s])) === row['hash'],
    );
    if (v === undefined) return;
    const bound = type === 0 && v > 28n ? (v - 35n) / 2n : undefined;
    const toWord = (value: bigint): Uint8Array => hexToBytes(toPaddedHex(value, 32));
    const digest = hash(bound === undefined ? fields : [...fields, bound, 0n, 0n]);
    const key = ecrecover(digest, v, toWord(r), toWord(s), bound);
    const from = bytesToHex(publicToAddress(key));
    fill(row, { type: toQuantity(type), to: null, v: toQuantity(v), from });
  } catch {
    // A field is missing or malformed.
  }
}

function findType(row: Row): number {
  const type = toNumber(row['type']);
  if (!Number.isNaN(type)) return type;
  // The field that identifies each type, starting with 0x1.
  const marks = [
    'accessList',
    'maxFeePerGas',
    'blobVersionedHashes',
    'authorizationList',
  ];
  return marks.findLastIndex((name) => !lacks(row, name)) + 1;
}

/** The signed fields of a transaction, in order (EIP-155, 2930, 1559, 4844, 7702). */
function listSigned(type: number): string[] {
  const fees = type < 2 ? ['gasPrice'] : ['maxPriorityFeePerGas', 'maxFeePerGas'];
  const all = ['nonce', ...fees, 'gas', 'to', 'value', 'input'];
  if (type === 0) return all;
  const blobs = type === 3 ? ['maxFeePerBlobGas', 'blobVersionedHashes'] : [];
  const own = type === 4 ? ['authorizationList'] : blobs;
  return ['chainId', ...all, 'accessList', ...own];
}

const HASHES = ['blobVersionedHashes', 'storageKeys'];

/** List-valued fields, and the fields encoded for each entry. */
const ROWS: Record<string, readonly string[]> = {
  accessList: ['address', 'storageKeys'],
  authorizationList: ['chainId', 'address', 'nonce', 'yParity', 'r', 's'],
};

function encode(name: string, value: unknown): Input {
  if (['to', 'address', 'input'].includes(name)) return (value ?? '0x') as Hex;
  if (HASHES.includes(name)) return (value ?? []) as Hex[];
  const fields = ROWS[name];
  if (!fields) return BigInt(value as Hex);
  const rows = toList(value).map(toRow);
  return rows.map((row) => fields.map((each) => encode(each, row[each])));
}

async function findChainId({ chainId, ask }: Asked): Promise<bigint | undefined> {
  return chainId ?? toBigInt(await ask('eth_chainId', []));
}

async function fetchBlockOf(row: Row, ask: Ask, isFull = false): Promise<Row> {
  return fetchBlock(ask, row['blockHash'] ?? row['blockNumber'], isFull);
}

async function fetchBlock(ask: Ask, block: unknown, isFull = false): Promise<Row> {
  if (block === undefined || block === null) return {};
  const isHash = matches(block, Bytes32Struct);
  const method = isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber';
  return toRow(await ask(method, [block, isFull]));
}

/** Returns whether two versions of a transaction differ in position, as during a reorganization. */
export function differsInPosition(row: Row, other: Row): boolean {
  return POSITION.some(
    (name) => toBigInt(row[name] ?? other[name]) !== toBigInt(other[name] ?? row[name]),
  );
}

/** Returns whether a row lacks any of the fields. Null counts as missing, except in `to`, where it
 * means a contract creation. */
function lacks(row: Row, ...names: readonly string[]): boolean {
  return names.some(
    (name) => row[name] === undefined || (row[name] === null && name !== 'to'),
  );
}

function fill(row: Row, others: Row, names = Object.keys(others)): Row {
  for (const name of names) {
    if (lacks(row, name) && others[name] !== undefined) row[name] = others[name];
  }
  return row;
}

function dropNull(row: Row, ...names: readonly string[]): void {
  for (const name of names) if (row[name] === null) delete row[name];
}

function toRow(value: unknown): Row {
  return isObject(value) ? tidy(value) : {};
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function toBigInt(quantity: unknown): bigint | undefined {
  return matches(quantity, HexQuantityStruct) ? BigInt(quantity) : undefined;
}

function toNumber(quantity: unknown): number {
  return Number(toBigInt(quantity) ?? NaN);
}

function toFound(amount: number): Hex | undefined {
  return amount >= 0 ? toQuantity(amount) : undefined;
}
