// Random Ethereum values for property tests.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { concat, getAddress } from 'viem';
import type { Address, Hex } from 'viem';

import type { OperationParts } from '../fixtures/eth/user-operation';

const toHex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;

/** Bytes as hex, possibly empty. */
export const bytes = (maxLength = 100) => fc.uint8Array({ maxLength }).map(toHex);

export const fixedBytes = (length: number): Arbitrary<Hex> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map(toHex);

/** An address with its checksum or in lower case, the forms that viem accepts. */
export const address: Arbitrary<Address> = fc
  .tuple(fixedBytes(20), fc.boolean())
  .map(([hex, isChecksummed]) => (isChecksummed ? getAddress(hex) : hex));

/** Converts an address to upper case, which has no checksum. */
export const toCapitals = (hex: Address): Address => `0x${hex.slice(2).toUpperCase()}`;

/** A number below 2^bits; often a small number or a bound. */
export const uint = (bits: number): Arbitrary<bigint> =>
  fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }),
    fc.bigInt({ min: 0n, max: bits < 10 ? 9n : 1_000n }),
    fc.constantFrom(0n, 1n, 2n ** BigInt(bits) - 1n),
  );

/** A chain id that viem accepts: a safe integer above zero. */
export const chainId: Arbitrary<number> = fc.oneof(
  fc.integer({ min: 1, max: 2 ** 33 }),
  fc.constantFrom(1, 56, 59_144, 11_155_111, 2 ** 51),
);

/** Any nonce, or one with a key other than 0. */
const nonce = fc.oneof(
  uint(256),
  fc.tuple(uint(192), uint(64)).map(([key, sequence]) => (key << 64n) | sequence),
);

const paymaster = fc.record({
  paymaster: address,
  paymasterVerificationGasLimit: uint(128),
  paymasterPostOpGasLimit: uint(128),
  paymasterData: bytes(),
});

export const operationParts: Arbitrary<OperationParts> = fc.record({
  numbers: fc.record({
    nonce,
    callGasLimit: uint(128),
    verificationGasLimit: uint(128),
    preVerificationGas: uint(256),
    maxFeePerGas: uint(128),
    maxPriorityFeePerGas: uint(128),
  }),
  sender: address,
  callData: fc.oneof(bytes(300), fc.constantFrom('0x' as const), bytes(3_000)),
  signature: bytes(65),
  deployment: fc.option(fc.record({ factory: address, factoryData: bytes() }), {
    nil: undefined,
  }),
  paymaster: fc.option(paymaster, { nil: undefined }),
});

/** An EntryPoint 0.9 operation signed by its paymaster. */
export const paymasterSignedParts = fc
  .tuple(operationParts, paymaster, bytes(), fixedBytes(1))
  .map(([parts, payer, first, last]) => ({
    ...parts,
    paymaster: { ...payer, paymasterSignature: concat([first, last]) },
  }));
