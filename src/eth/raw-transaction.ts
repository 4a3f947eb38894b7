// Reading a signed transaction as it is sent: whose it is, and what it does.
import { RLP } from '@ethereumjs/rlp';
import type { NestedUint8Array } from '@ethereumjs/rlp';
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

import { InvalidParamsError } from '../errors';
import { matches, parse } from '../parse';
import type { Authorization } from './authorization';
import { ChainIdStruct } from './chain';
import type { ChainId } from './chain';
import { BytesStruct, toQuantity } from './hex';
import type { Hex } from './hex';
import { decodeRlp } from './rlp';
import { transactionTypes } from './transaction';
import type { Transaction, TransactionType } from './transaction';
import { MAX_LEGACY_CHAIN_ID, txOptionsOf } from './tx-options';

type WithoutChain<Whole> = Whole extends unknown ? Omit<Whole, 'chainId'> : never;

/** A transaction that was signed, by this account or by any other. */
export type RawTransaction = {
  /** What nodes call it. */
  hash: Hex;
  /** Absent in a legacy transaction without EIP-155, which every chain takes. */
  chainId: ChainId | undefined;
  /** What was signed; with a chain id it can be signed again. `from` is the signer. */
  transaction: WithoutChain<Transaction>;
};

/** The bytes of a transaction without sidecar, and what stands in them. */
type Envelope = { type: TransactionType; bytes: Uint8Array; items: NestedUint8Array };

/** How many items a signed transaction has; the last three are its signature. */
const itemCounts: Record<TransactionType, number> = {
  '0x0': 9,
  '0x1': 11,
  '0x2': 12,
  '0x3': 14,
  '0x4': 13,
};

/**
 * Read what `eth_sendRawTransaction` takes.
 *
 * @param raw - Hex; a blob transaction may come with its sidecar, which is not looked at.
 * @param root - How messages name it.
 * @throws {InvalidParamsError} If it cannot be read exactly, is of an unknown type or not
 * signed, or its `s` is in the upper half (EIP-2). The message quotes nothing of it.
 */
export function parseRawTransaction(raw: unknown, root: string): RawTransaction {
  const bytes = hexToBytes(parse(raw, BytesStruct, root));
  const type = findType(bytes, root);
  try {
    return read(openEnvelope(type, bytes), root);
  } catch (error) {
    if (error instanceof InvalidParamsError) throw error;
    // Without a cause: it quotes.
    throw new InvalidParamsError(
      `${root} must be a signed transaction (EIP-2718), but it cannot be read as one.`,
    );
  }
}

// What begins with more than 0x7f has no type in front (EIP-2718).
function findType([first = 0xff]: Uint8Array, root: string): TransactionType {
  const type = first > 0x7f ? '0x0' : toQuantity(first);
  const found = transactionTypes.find((known) => known === type && first !== 0);
  if (found) return found;
  throw new InvalidParamsError(
    `${root} begins with the type ${type}; 0x1, 0x2, 0x3 and 0x4 can be read, and legacy transactions.`,
  );
}

// With its sidecar a blob transaction is the first item of a list (EIP-4844, EIP-7594);
// signed, hashed and included it is without.
function openEnvelope(type: TransactionType, bytes: Uint8Array): Envelope {
  const items = decodeRlp(type === '0x0' ? bytes : bytes.subarray(1));
  if (!Array.isArray(items)) throw new Error('no list');
  const [inner] = items;
  if (type !== '0x3' || !Array.isArray(inner)) return { type, bytes, items };
  const canonical = concatBytes([Uint8Array.of(3), RLP.encode(inner)]);
  return { type, bytes: canonical, items: inner };
}

function read({ type, bytes, items }: Envelope, root: string): RawTransaction {
  const v = readSignature(items, itemCounts[type], root);
  const chainId = type === '0x0' ? toChainId(v, root) : toNumber(items[0]);
  if (chainId !== undefined && !matches(chainId, ChainIdStruct)) {
    throw new Error('no chain id');
  }
  const tx = createTxFromRLP(bytes, txOptionsOf(chainId ?? 1n));
  // Not every zero in front is noticed: what is read must be all that was there.
  if (!areUint8ArraysEqual(tx.serialize(), bytes)) throw new Error('not canonical');
  return { hash: bytesToHex(tx.hash()), chainId, transaction: toTransaction(tx) };
}

/** Read `v`, after a look at `r` and `s`. */
function readSignature(items: NestedUint8Array, count: number, root: string): bigint {
  const [v = 0n, r = 0n, s = 0n] = items.slice(count - 3).map(toNumber);
  if (r === 0n || s === 0n) throw new InvalidParamsError(`${root} is not signed.`);
  if (s <= SECP256K1_ORDER_DIV_2) return v;
  throw new InvalidParamsError(
    `${root} has a signature whose s is in the upper half, which no chain takes (EIP-2).`,
  );
}

function toNumber(item: NestedUint8Array[number] | undefined): bigint {
  if (item instanceof Uint8Array) return bytesToBigInt(item);
  throw new Error('no number');
}

/** Get the chain of a legacy `v` (EIP-155); 27 and 28 name none. */
function toChainId(v: bigint, root: string): ChainId | undefined {
  if (v === 27n || v === 28n) return undefined;
  const chainId = (v - 35n) / 2n;
  if (chainId <= MAX_LEGACY_CHAIN_ID) return chainId;
  throw new InvalidParamsError(
    `${root} is a legacy transaction for a chain id above ${MAX_LEGACY_CHAIN_ID}, which cannot be read; use another type.`,
  );
}

function toTransaction(tx: TypedTransaction): WithoutChain<Transaction> {
  const body = {
    from: tx.getSenderAddress().toString(),
    to: tx.to?.toString() ?? null,
    value: tx.value,
    data: bytesToHex(tx.data),
    nonce: tx.nonce,
    gasLimit: tx.gasLimit,
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
