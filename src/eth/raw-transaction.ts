// Parses signed transactions with @ethereumjs/tx.
import { RLP } from '@ethereumjs/rlp';
import {
  accessListBytesToJSON,
  createTxFromRLP,
  isAccessList2930Tx,
  isBlob4844Tx,
  isEOACode7702Tx,
  isLegacyTx,
} from '@ethereumjs/tx';
import type { EOACode7702Tx, TypedTransaction } from '@ethereumjs/tx';
import { bytesToBigInt, SECP256K1_ORDER_DIV_2 } from '@ethereumjs/util';
import {
  areUint8ArraysEqual,
  bytesToHex,
  concatBytes,
  hexToBytes,
} from '@metamask/utils';

import { InvalidParamsError } from '../core/errors';
import { transactionTypes } from '../core/payload';
import type { Authorization, Transaction, TransactionType } from '../core/payload';
import { MAX_LEGACY_CHAIN_ID, txOptionsOf } from '../core/transaction';
import { matches, parse } from '../schema/parse';
import { ChainIdStruct } from './chain';
import type { ChainId } from './chain';
import { BytesStruct, toQuantity } from './hex';
import type { Hex } from './hex';
import { decodeRlp } from './rlp';
import type { RlpItem } from './rlp';
import { nameType } from './transaction';

type WithoutChain<Whole> = Whole extends unknown ? Omit<Whole, 'chainId'> : never;

export type RawTransaction = {
  hash: Hex;
  /** Undefined for a legacy transaction without EIP-155, which is valid on every chain. */
  chainId: ChainId | undefined;
  /** `from` is the signer. */
  transaction: WithoutChain<Transaction>;
};

/** Number of items in a signed transaction, including three for the signature. */
const itemCounts: Record<TransactionType, number> = {
  '0x0': 9,
  '0x1': 11,
  '0x2': 12,
  '0x3': 14,
  '0x4': 13,
};

/**
 * Parses a signed transaction.
 *
 * @param raw - Hex; a blob transaction's sidecar is ignored.
 * @param root - Its name in error messages.
 * @throws {InvalidParamsError} If it is malformed or not canonical, has an unknown type or too
 *   large a chain id, is not signed, or its `s` is in the upper half (EIP-2). The message does not
 *   quote the transaction.
 */
export function parseRawTransaction(raw: unknown, root: string): RawTransaction {
  const bytes = hexToBytes(parse(raw, BytesStruct, root));
  const type = findType(bytes, root);
  try {
    return read(type, openEnvelope(type, bytes), root);
  } catch (error) {
    if (error instanceof InvalidParamsError) throw error;
    // The cause is omitted because its message quotes the transaction.
    throw new InvalidParamsError(
      `${root} must be a signed transaction (EIP-2718), but it cannot be read as one.`,
    );
  }
}

const dataIndexes: Record<TransactionType, number> = {
  '0x0': 5,
  '0x1': 6,
  '0x2': 7,
  '0x3': 7,
  '0x4': 7,
};

/** Extracts a signed transaction's data without validating the transaction; empty if it is
 * malformed. */
export function findData(raw: Hex): Hex {
  try {
    const bytes = hexToBytes(raw);
    const type = findType(bytes, 'raw');
    const data = openEnvelope(type, bytes).items[dataIndexes[type]];
    return data instanceof Uint8Array ? bytesToHex(data) : '0x';
  } catch {
    return '0x';
  }
}

// A first byte up to 0x7f is a type; legacy transactions start with 0xc0 or above (EIP-2718).
function findType([first = 0xff]: Uint8Array, root: string): TransactionType {
  const type = first > 0x7f ? '0x0' : toQuantity(first);
  const found = transactionTypes.find((known) => known === type && first !== 0);
  if (found) return found;
  throw new InvalidParamsError(
    `${root} has type ${nameType(type)}; only types 0x1 to 0x4 and legacy transactions are supported.`,
  );
}

// With a sidecar, a blob transaction is the first item of a list (EIP-4844, EIP-7594). The sidecar
// is neither signed, hashed nor included in the block.
function openEnvelope(type: TransactionType, bytes: Uint8Array) {
  const items = decodeRlp(type === '0x0' ? bytes : bytes.subarray(1));
  if (!Array.isArray(items)) throw new Error('no list');
  const [inner] = items;
  if (type !== '0x3' || !Array.isArray(inner)) return { bytes, items };
  const canonical = concatBytes([Uint8Array.of(3), RLP.encode(inner)]);
  return { bytes: canonical, items: inner };
}

function read(
  type: TransactionType,
  { bytes, items }: ReturnType<typeof openEnvelope>,
  root: string,
): RawTransaction {
  const v = readSignature(items, itemCounts[type], root);
  const chainId = type === '0x0' ? toChainId(v, root) : toNumber(items[0]);
  if (chainId !== undefined && !matches(chainId, ChainIdStruct)) {
    throw new Error('no chain id');
  }
  const tx = createTxFromRLP(bytes, txOptionsOf(chainId ?? 1n));
  // The library accepts some leading zeros, so the serialized bytes are compared.
  if (!areUint8ArraysEqual(tx.serialize(), bytes)) throw new Error('not canonical');
  return { hash: bytesToHex(tx.hash()), chainId, transaction: toTransaction(tx) };
}

function readSignature(items: RlpItem[], count: number, root: string): bigint {
  const [v = 0n, r = 0n, s = 0n] = items.slice(count - 3).map(toNumber);
  if (r === 0n || s === 0n) throw new InvalidParamsError(`${root} is not signed.`);
  if (s <= SECP256K1_ORDER_DIV_2) return v;
  throw new InvalidParamsError(
    `${root} has a signature whose s is in the upper half, which no chain accepts (EIP-2).`,
  );
}

function toNumber(item: RlpItem | undefined): bigint {
  if (item instanceof Uint8Array) return bytesToBigInt(item);
  throw new Error('no number');
}

/** Gets the chain id from a legacy `v` (EIP-155); 27 and 28 mean no chain. */
function toChainId(v: bigint, root: string): ChainId | undefined {
  if (v === 27n || v === 28n) return undefined;
  const chainId = (v - 35n) / 2n;
  if (chainId <= MAX_LEGACY_CHAIN_ID) return chainId;
  throw new InvalidParamsError(
    `${root} is a legacy transaction for a chain id above ${MAX_LEGACY_CHAIN_ID}, which is not supported; use another type.`,
  );
}

function toTransaction(tx: TypedTransaction): WithoutChain<Transaction> {
  const { value, nonce, gasLimit } = tx;
  const body = {
    from: tx.getSenderAddress().toString(),
    to: tx.to?.toString() ?? null,
    data: bytesToHex(tx.data),
    value,
    nonce,
    gasLimit,
  };
  if (isLegacyTx(tx)) return { ...body, type: '0x0', gasPrice: tx.gasPrice };
  const listed = { ...body, accessList: accessListBytesToJSON(tx.accessList) };
  if (isAccessList2930Tx(tx)) return { ...listed, type: '0x1', gasPrice: tx.gasPrice };
  const { maxFeePerGas, maxPriorityFeePerGas } = tx;
  const dynamic = { ...listed, maxFeePerGas, maxPriorityFeePerGas };
  if (isBlob4844Tx(tx)) {
    const { maxFeePerBlobGas, blobVersionedHashes } = tx;
    return { ...dynamic, type: '0x3', maxFeePerBlobGas, blobVersionedHashes };
  }
  if (!isEOACode7702Tx(tx)) return { ...dynamic, type: '0x2' };
  const authorizationList = tx.authorizationList.map(toAuthorizationOf);
  return { ...dynamic, type: '0x4', authorizationList };
}

function toAuthorizationOf(
  items: EOACode7702Tx['authorizationList'][number],
): Authorization {
  const [chainId, address, nonce, yParity, r, s] = items;
  return {
    chainId: toNumber(chainId),
    address: bytesToHex(address),
    nonce: toNumber(nonce),
    yParity: toNumber(yParity),
    r: toNumber(r),
    s: toNumber(s),
  };
}
