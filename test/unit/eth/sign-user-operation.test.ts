import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  hexToBigInt,
  numberToHex,
  parseAbi,
  slice,
} from 'viem';
import type { Hex } from 'viem';

import { signUserOperation } from '../../../dev/signing';
import { entryPointVersions } from '../../../src/core/entry-points';
import type { EntryPointVersion } from '../../../src/core/entry-points';
import { hashUserOperation } from '../../../src/core/operation';
import type { UserOperation } from '../../../src/core/payload';
import {
  encodeValidation,
  findVerdict,
  isSignedBy,
} from '../../../src/eth/operation-signature';
import { DUMMY_SIGNATURE } from '../../../src/eth/user-operation';
import { OTHER, owner, privateKey } from '../../fixtures/eth/owner';
import {
  hashWithViem,
  plain,
  sponsored,
  toInternal,
  toStruct,
} from '../../fixtures/eth/user-operation';
import type { OperationParts } from '../../fixtures/eth/user-operation';
import { refusalIn } from '../../support/refusal';

const MAX = 2n ** 256n - 1n;
const MAX_128 = 2n ** 128n - 1n;

const withNumbers = (numbers: Partial<OperationParts['numbers']>): OperationParts => ({
  ...plain,
  numbers: { ...plain.numbers, ...numbers },
});

describe.each(entryPointVersions)('hashUserOperation for %s', (entryPoint) => {
  it('does not depend on the letter case or the signature', () => {
    const domain = { chainId: 1n, entryPoint };
    const operation = toInternal(sponsored, entryPoint);
    const other = toInternal({ ...sponsored, signature: '0xabcd' }, entryPoint);
    const upperCase: UserOperation = {
      ...other,
      sender: `0x${operation.sender.slice(2).toUpperCase()}`,
      initCode: `0x${operation.initCode.slice(2).toUpperCase()}`,
    };
    expect(hashUserOperation(upperCase, domain)).toBe(
      hashUserOperation(operation, domain),
    );
  });
});

describe('a number over 128 bits', () => {
  const large: Partial<OperationParts['numbers']>[] = [
    { callGasLimit: MAX_128 + 1n },
    { verificationGasLimit: MAX_128 + 1n },
    { maxFeePerGas: MAX_128 + 1n },
    { maxPriorityFeePerGas: MAX },
  ];

  it.each(large)("is rejected in a Safe's document: %p", (numbers) => {
    const domain = { chainId: 1n, entryPoint: '0.7', implementation: 'safe' } as const;
    const operation = toInternal(withNumbers(numbers), '0.7');
    expect(() => signUserOperation(operation, domain, privateKey)).toThrow(
      /must be below 2\^128/u,
    );
  });

  it.each(large)('is rejected from EntryPoint 0.7 on: %p', async (numbers) => {
    for (const entryPoint of ['0.7', '0.8', '0.9'] as const) {
      const operation = toInternal(withNumbers(numbers), entryPoint);
      const hashing = () => hashUserOperation(operation, { chainId: 1n, entryPoint });
      expect(await refusalIn(hashing)).toStrictEqual({
        code: -32602,
        message:
          'Gas limits and fees of a user operation must be below 2^128 from EntryPoint 0.7 on.',
      });
    }
  });
});

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Returns the equivalent signature with s in the upper half, which contracts reject (EIP-2). */
function toUpperHalf(signature: Hex): Hex {
  const s = ORDER - hexToBigInt(slice(signature, 32, 64));
  const parity = signature.endsWith('1b') ? '0x1c' : '0x1b';
  return concat([slice(signature, 0, 32), numberToHex(s, { size: 32 }), parity]);
}

describe.each(entryPointVersions)('an operation of EntryPoint %s', (entryPoint) => {
  const domain = { chainId: 1n, entryPoint };

  async function setup(parts = plain): Promise<UserOperation & { signature: Hex }> {
    const hash = hashWithViem(parts, entryPoint, 1);
    const signature = await (entryPoint === '0.6' || entryPoint === '0.7'
      ? owner.signMessage({ message: { raw: hash } })
      : owner.sign({ hash }));
    return { ...toInternal(parts, entryPoint), signature };
  }

  it.each([
    ['plain', plain],
    ['sponsored', sponsored],
  ])("accepts its owner's signature from viem: %s", async (_name, parts) => {
    const operation = await setup(parts);
    const upperCase = `0x${operation.signature.slice(2).toUpperCase()}` as const;
    expect([
      isSignedBy(operation, domain, owner.address),
      isSignedBy(operation, domain, owner.address.toLowerCase() as Hex),
      isSignedBy({ ...operation, signature: upperCase }, domain, owner.address),
    ]).toStrictEqual([true, true, true]);
  });

  it('rejects a signature for a different signer, chain or content', async () => {
    const operation = await setup();
    expect([
      isSignedBy(operation, domain, OTHER),
      isSignedBy(operation, { ...domain, chainId: 2n }, owner.address),
      isSignedBy({ ...operation, nonce: 4n }, domain, owner.address),
    ]).toStrictEqual([false, false, false]);
  });

  it('rejects a signature for a different version', async () => {
    const operation = await setup();
    const others = entryPointVersions.filter((version) => version !== entryPoint);
    for (const version of others) {
      const other = { chainId: 1n, entryPoint: version };
      expect(isSignedBy(operation, other, owner.address)).toBe(false);
    }
  });

  it.each<[string, (signature: Hex) => Hex]>([
    ['no bytes', () => '0x'],
    ['the dummy signature', () => DUMMY_SIGNATURE],
    ['zeros', () => `0x${'00'.repeat(65)}`],
    ['values outside the curve', () => `0x${'ff'.repeat(64)}1b`],
    ['only r and s', (signature) => slice(signature, 0, 64)],
    ['an extra byte', (signature) => `${signature}00`],
    ['an unknown v', (signature) => concat([slice(signature, 0, 64), '0x1d'])],
    [
      'the parity instead of v',
      (signature) =>
        concat([slice(signature, 0, 64), signature.endsWith('1b') ? '0x00' : '0x01']),
    ],
    ['s in the upper half', toUpperHalf],
  ])(
    'rejects an invalid signature, as its contract does: %s',
    async (_name, change) => {
      const operation = await setup();
      const signature = change(operation.signature);
      expect(isSignedBy({ ...operation, signature }, domain, owner.address)).toBe(
        false,
      );
    },
  );
});

describe('the init code of an EIP-7702 account', () => {
  const domain = { chainId: 1n, entryPoint: '0.8' } as const;
  const operation = { ...toInternal(plain, '0.8'), signature: DUMMY_SIGNATURE };

  it.each([
    '0x7702',
    `0x7702${'00'.repeat(18)}`,
    `0x7702${'00'.repeat(18)}ab`,
  ] as const)('is not signed if it is %s', (initCode) => {
    const signing = (): Hex =>
      signUserOperation({ ...operation, initCode }, domain, privateKey);
    expect(signing).toThrow('initCode 0x7702 (EIP-7702) is not supported.');
  });

  it('is not recognized in a factory address that begins with 0x7702', () => {
    const deployment = {
      factory: `0x7702${'ab'.repeat(18)}`,
      factoryData: '0x01',
    } as const;
    const parts = { ...plain, deployment };
    const signature = signUserOperation(toInternal(parts, '0.8'), domain, privateKey);
    const signed = { ...toInternal(parts, '0.8'), signature };
    expect(isSignedBy(signed, domain, owner.address)).toBe(true);
  });
});

const abi06 = parseAbi([
  'struct Operation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }',
  'function validateUserOp(Operation userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256)',
  'function validatePaymasterUserOp(Operation userOp, bytes32 userOpHash, uint256 maxCost) returns (bytes, uint256)',
]);
const abiPacked = parseAbi([
  'struct Operation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function validateUserOp(Operation userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256)',
  'function validatePaymasterUserOp(Operation userOp, bytes32 userOpHash, uint256 maxCost) returns (bytes, uint256)',
]);

const abiOf = (version: EntryPointVersion): typeof abi06 =>
  version === '0.6' ? abi06 : (abiPacked as never);

describe.each(entryPointVersions)('validation for EntryPoint %s', (version) => {
  const abi = abiOf(version);

  it.each([
    ['plain', plain],
    ['sponsored', sponsored],
    ['signed', { ...plain, signature: `0x${'cd'.repeat(65)}` as const }],
  ])('is encoded as viem encodes it: %s', (_name, parts) => {
    const operation = toInternal(parts, version);
    const struct = toStruct(operation, version) as never;
    const domain = { chainId: 1n, entryPoint: version };
    const hash = hashUserOperation(operation, domain);
    for (const [contract, functionName, amount] of [
      ['account', 'validateUserOp', 0n],
      ['paymaster', 'validatePaymasterUserOp', 5n],
    ] as const) {
      const args = [struct, hash, amount] as const;
      expect(encodeValidation(operation, domain, { contract, amount })).toBe(
        encodeFunctionData({ abi, functionName, args }).toLowerCase(),
      );
    }
  });
});

describe('a validation result', () => {
  const answer = (data: bigint, context: Hex = '0x'): Hex =>
    encodeAbiParameters([{ type: 'bytes' }, { type: 'uint256' }], [context, data]);
  const MAX_TIME = 2n ** 48n - 1n;
  const BLOCKS = 2n ** 47n;

  it.each([
    ['valid forever', 0n, { isSignatureValid: true, validUntil: 0n, validAfter: 0n }],
    ['invalid', 1n, { isSignatureValid: false, validUntil: 0n, validAfter: 0n }],
    [
      'valid for a limited time',
      (3n << 208n) | (9n << 160n),
      { isSignatureValid: true, validUntil: 9n, validAfter: 3n },
    ],
    [
      'invalid with an aggregator',
      (3n << 208n) | (MAX_TIME << 160n) | (2n ** 160n - 1n),
      { isSignatureValid: false, validUntil: MAX_TIME, validAfter: 3n },
    ],
    [
      'valid in a range of blocks',
      ((BLOCKS + 5n) << 208n) | ((BLOCKS + 9n) << 160n),
      { isSignatureValid: true, validUntil: 0n, validAfter: 0n },
    ],
    [
      'valid from a block on',
      (BLOCKS + 5n) << 208n,
      { isSignatureValid: true, validUntil: 0n, validAfter: 0n },
    ],
    [
      'valid from a time that only looks like a block number',
      ((BLOCKS + 5n) << 208n) | (9n << 160n),
      { isSignatureValid: true, validUntil: 9n, validAfter: BLOCKS + 5n },
    ],
  ])('is %s', (_name, data, verdict) => {
    expect(findVerdict(answer(data), '0.9')).toStrictEqual(verdict);
    const withContext = answer(data, `0x${'ff'.repeat(40)}`);
    expect(findVerdict(withContext, '0.9')).toStrictEqual(verdict);
  });

  it('has no range of blocks before EntryPoint 0.9', () => {
    const validAfter = BLOCKS + 5n;
    expect(findVerdict(answer(validAfter << 208n), '0.8')).toStrictEqual({
      isSignatureValid: true,
      validUntil: 0n,
      validAfter,
    });
  });

  it.each(['0x', '0x01', `0x${'00'.repeat(63)}`] as const)(
    'is not read from %s',
    (bytes) => {
      expect(findVerdict(bytes, '0.9')).toBeUndefined();
    },
  );
});
