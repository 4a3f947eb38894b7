// Whether an operation is signed as its account's contract wants it.
import { concat, hexToBigInt, numberToHex, slice } from 'viem';
import type { Hex } from 'viem';

import { isSignedBy, signUserOperation } from '../../../src/eth/sign-user-operation';
import { DUMMY_SIGNATURE, entryPointVersions } from '../../../src/eth/user-operation';
import type { UserOperation } from '../../../src/eth/user-operation';
import { OTHER, owner, privateKey } from '../../fixtures/eth/owner';
import {
  hashByViem,
  plain,
  sponsored,
  toOurs,
} from '../../fixtures/eth/user-operation';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Writes the other signature of the same content, which contracts do not take (EIP-2). */
function toUpperHalf(signature: Hex): Hex {
  const s = ORDER - hexToBigInt(slice(signature, 32, 64));
  const parity = signature.endsWith('1b') ? '0x1c' : '0x1b';
  return concat([slice(signature, 0, 32), numberToHex(s, { size: 32 }), parity]);
}

describe.each(entryPointVersions)('an operation of %s', (entryPoint) => {
  const domain = { chainId: 1n, entryPoint };

  async function setup(parts = plain): Promise<UserOperation & { signature: Hex }> {
    const hash = hashByViem(parts, entryPoint, 1);
    const signature = await (entryPoint === '0.6' || entryPoint === '0.7'
      ? owner.signMessage({ message: { raw: hash } })
      : owner.sign({ hash }));
    return { ...toOurs(parts, entryPoint), signature };
  }

  it.each([
    ['plain', plain],
    ['sponsored', sponsored],
  ])('is signed by its owner, as viem signs: %s', async (_name, parts) => {
    const operation = await setup(parts);
    expect(isSignedBy(operation, domain, owner.address)).toBe(true);
    expect(isSignedBy(operation, domain, owner.address.toLowerCase() as Hex)).toBe(
      true,
    );
    const capitals = `0x${operation.signature.slice(2).toUpperCase()}` as const;
    const other = { ...operation, signature: capitals };
    expect(isSignedBy(other, domain, owner.address)).toBe(true);
  });

  it('is not signed by another, for another chain, or with another content', async () => {
    const operation = await setup();
    expect([
      isSignedBy(operation, domain, OTHER),
      isSignedBy(operation, { ...domain, chainId: 2n }, owner.address),
      isSignedBy({ ...operation, nonce: 4n }, domain, owner.address),
    ]).toStrictEqual([false, false, false]);
  });

  it('is not signed for another version', async () => {
    const operation = await setup();
    const others = entryPointVersions.filter((version) => version !== entryPoint);
    for (const version of others) {
      const other = { chainId: 1n, entryPoint: version };
      expect(isSignedBy(operation, other, owner.address)).toBe(false);
    }
  });

  it.each<[string, (signature: Hex) => Hex]>([
    ['nothing', () => '0x'],
    ['the dummy of estimates', () => DUMMY_SIGNATURE],
    ['zeros', () => `0x${'00'.repeat(65)}`],
    ['no point of the curve', () => `0x${'ff'.repeat(64)}1b`],
    ['its beginning', (signature) => slice(signature, 0, 64)],
    ['a byte more', (signature) => `${signature}00`],
    ['another parity', (signature) => concat([slice(signature, 0, 64), '0x1d'])],
    [
      'the parity alone',
      (signature) =>
        concat([slice(signature, 0, 64), signature.endsWith('1b') ? '0x00' : '0x01']),
    ],
    ['the upper half of s', toUpperHalf],
  ])('is not signed by %s, as its contract sees it', async (_name, change) => {
    const operation = await setup();
    const signature = change(operation.signature);
    expect(isSignedBy({ ...operation, signature }, domain, owner.address)).toBe(false);
  });
});

describe('the init code of an EIP-7702 account', () => {
  const domain = { chainId: 1n, entryPoint: '0.8' } as const;
  const operation = { ...toOurs(plain, '0.8'), signature: DUMMY_SIGNATURE };

  it.each([
    '0x7702',
    `0x7702${'00'.repeat(18)}`,
    `0x7702${'00'.repeat(18)}ab`,
  ] as const)('%s is not signed', (initCode) => {
    const signing = (): Hex =>
      signUserOperation({ ...operation, initCode }, domain, privateKey);
    expect(signing).toThrow('initCode 0x7702 (EIP-7702) is not supported.');
  });

  it('is not that of a factory whose address begins alike', () => {
    const deployment = {
      factory: `0x7702${'ab'.repeat(18)}`,
      factoryData: '0x01',
    } as const;
    const parts = { ...plain, deployment };
    const signature = signUserOperation(toOurs(parts, '0.8'), domain, privateKey);
    const signed = { ...toOurs(parts, '0.8'), signature };
    expect(isSignedBy(signed, domain, owner.address)).toBe(true);
  });
});
