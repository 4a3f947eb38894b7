// Random transactions of every type, in viem's form and as callers write them: quantities in every
// notation, and both names of aliased fields.
import { SECP256K1_ORDER, SECP256K1_ORDER_DIV_2 } from '@ethereumjs/util';
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { getAddress } from 'viem';
import type { AccessList, Address, Hex, TransactionSerializable } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';

import { address, bytes, chainId, fixedBytes, toCapitals, uint } from './arbitraries';

type ViemAuthorization = {
  chainId: number;
  address: Address;
  nonce: number;
  r: Hex;
  s: Hex;
  yParity: number;
};

type ViemBody = {
  to?: Address;
  value: bigint;
  data: Hex;
  chainId: number;
  nonce: number;
  gas: bigint;
};

type ViemFees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

export type ViemTransaction = ViemBody &
  (
    | { type: 'legacy'; gasPrice: bigint }
    | { type: 'eip2930'; gasPrice: bigint; accessList: AccessList }
    | ({ type: 'eip1559'; accessList: AccessList } & ViemFees)
    | ({
        type: 'eip4844';
        accessList: AccessList;
        maxFeePerBlobGas: bigint;
        blobVersionedHashes: Hex[];
      } & ViemFees)
    | ({
        type: 'eip7702';
        accessList: AccessList;
        authorizationList: ViemAuthorization[];
      } & ViemFees)
  );

/** Signs with viem. Its types require a sidecar with blobs, but its code does not. */
export async function signByViem(
  account: PrivateKeyAccount,
  transaction: ViemTransaction,
): Promise<Hex> {
  return account.signTransaction(transaction as TransactionSerializable);
}

export type ViemType = ViemTransaction['type'];

export const typeNames = {
  legacy: '0x0',
  eip2930: '0x1',
  eip1559: '0x2',
  eip4844: '0x3',
  eip7702: '0x4',
} as const satisfies Record<ViemType, Hex>;

export const accessList = fc.array(
  fc.record({ address, storageKeys: fc.array(fixedBytes(32), { maxLength: 3 }) }),
  { maxLength: 3 },
);

const nonce = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 }),
  fc.constantFrom(0, 127, 128, Number.MAX_SAFE_INTEGER),
);

const body = { value: uint(256), data: bytes(), chainId, nonce, gas: uint(64) };

const called: Arbitrary<ViemBody> = fc.record({ ...body, to: address });

/** A call or a contract creation. */
const any: Arbitrary<ViemBody> = fc.oneof(
  { arbitrary: called, weight: 4 },
  fc.record({ ...body, data: bytes().filter((data) => data !== '0x') }),
);

// Below 2^192, so gas × price fits in 256 bits.
const price = uint(192);

const fees: Arbitrary<ViemFees> = fc.tuple(price, price).map(([one, other]) => ({
  maxFeePerGas: one > other ? one : other,
  maxPriorityFeePerGas: one > other ? other : one,
}));

const toWord = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;

const authorization: Arbitrary<ViemAuthorization> = fc.record({
  chainId: fc.oneof(fc.constant(0), chainId),
  address,
  nonce,
  r: fc.bigInt({ min: 1n, max: SECP256K1_ORDER - 1n }).map(toWord),
  s: fc.bigInt({ min: 1n, max: SECP256K1_ORDER_DIV_2 }).map(toWord),
  yParity: fc.nat(1),
});

const blobHash = fixedBytes(31).map((hex): Hex => `0x01${hex.slice(2)}`);

export const transactionsOf: Record<ViemType, Arbitrary<ViemTransaction>> = {
  legacy: merge('legacy', any, fc.record({ gasPrice: price })),
  eip2930: merge('eip2930', any, fc.record({ gasPrice: price, accessList })),
  eip1559: merge('eip1559', any, fees, fc.record({ accessList })),
  eip4844: merge(
    'eip4844',
    called,
    fees,
    fc.record({
      accessList,
      maxFeePerBlobGas: price,
      blobVersionedHashes: fc.array(blobHash, { minLength: 1, maxLength: 6 }),
    }),
  ),
  eip7702: merge(
    'eip7702',
    called,
    fees,
    fc.record({
      accessList,
      authorizationList: fc.array(authorization, { minLength: 1, maxLength: 3 }),
    }),
  ).map(forItsChain),
};

// The snap refuses authorizations for another chain.
function forItsChain(transaction: ViemTransaction): ViemTransaction {
  if (transaction.type !== 'eip7702') return transaction;
  const { chainId: own } = transaction;
  const authorizationList = transaction.authorizationList.map((each) =>
    each.chainId === 0 ? each : { ...each, chainId: own },
  );
  return { ...transaction, authorizationList };
}

function merge(type: ViemType, ...parts: Arbitrary<object>[]) {
  return fc.tuple(...parts).map(
    (all) =>
      all.reduce((whole, part) => ({ ...whole, ...part }), {
        type,
      }) as ViemTransaction,
  );
}

const quantityForms = ['minimal', 'padded', 'decimal', 'number'] as const;

/** How a caller writes a transaction. */
export type Spelling = {
  /** The notations that the quantities use in rotation. */
  quantities: (typeof quantityForms)[number][];
  gas: 'gas' | 'gasLimit' | 'both';
  data: 'data' | 'input' | 'both';
  addresses: 'same' | 'checksum' | 'lower' | 'capitals';
  parity: 'yParity' | 'v' | 'both';
};

export const spelling: Arbitrary<Spelling> = fc.record({
  quantities: fc.array(fc.constantFrom(...quantityForms), {
    minLength: 7,
    maxLength: 7,
  }),
  gas: fc.constantFrom('gas', 'gasLimit', 'both'),
  data: fc.constantFrom('data', 'input', 'both'),
  addresses: fc.constantFrom('same', 'checksum', 'lower', 'capitals'),
  parity: fc.constantFrom('yParity', 'v', 'both'),
});

export function toRequest(
  { type, gas, data, ...fields }: ViemTransaction,
  spelling: Spelling,
  from: Address,
): Record<string, unknown> {
  const write = createWriter(spelling);
  const both = (names: 'gas' | 'data', values: Record<string, unknown>): object =>
    spelling[names] === 'both'
      ? values
      : { [spelling[names]]: values[spelling[names]] };
  return {
    ...(write(fields) as object),
    ...both('gas', { gas: write(gas), gasLimit: write(gas) }),
    ...both('data', { data, input: toCapitals(data) }),
    type: write(Number(typeNames[type])),
    from: writeAddress(from, spelling),
  };
}

/** Creates a writer for any part of a transaction; each quantity takes the next notation. */
function createWriter(spelling: Spelling): (value: unknown, name?: string) => unknown {
  let written = 0;
  const write = (value: unknown, name = ''): unknown => {
    if (typeof value === 'bigint' || typeof value === 'number') {
      written += 1;
      const form = spelling.quantities[written % spelling.quantities.length];
      return writeQuantity(BigInt(value), form);
    }
    if (name === 'to' || name === 'address') {
      return writeAddress(value as Address, spelling);
    }
    if (name === 'r' || name === 's') return write(BigInt(value as Hex));
    if (Array.isArray(value)) return value.map((each) => write(each));
    if (typeof value !== 'object' || value === null) return value;
    return writeObject(value as Record<string, unknown>, spelling, write);
  };
  return write;
}

function writeObject(
  { yParity, ...fields }: Record<string, unknown>,
  { parity }: Spelling,
  write: (value: unknown, name?: string) => unknown,
): object {
  const names = Object.entries(fields).map(([name, value]) => [
    name,
    write(value, name),
  ]);
  if (yParity === undefined) return Object.fromEntries(names) as object;
  const v = write(Number(yParity) + 27);
  return {
    ...(Object.fromEntries(names) as object),
    ...(parity === 'v' ? {} : { yParity: write(yParity) }),
    ...(parity === 'yParity' ? {} : { v }),
  };
}

function writeQuantity(
  value: bigint,
  form: Spelling['quantities'][number] | undefined,
): string | number {
  const digits = value.toString(16);
  if (form === 'minimal') return `0x${digits}`;
  if (form === 'padded') return `0x${digits.padStart(64, '0')}`;
  return form === 'decimal' || value > Number.MAX_SAFE_INTEGER
    ? value.toString()
    : Number(value);
}

function writeAddress(hex: Address, { addresses }: Spelling): Address {
  if (addresses === 'same') return hex;
  if (addresses === 'checksum') return getAddress(hex);
  return addresses === 'lower' ? (hex.toLowerCase() as Address) : toCapitals(hex);
}
