// Compares EIP-7702 authorizations with those that viem signs for the same account.
import { hexToBytes } from '@metamask/utils';
import fc from 'fast-check';
import { isAddressEqual, numberToHex, zeroAddress } from 'viem';
import type { Hex, TransactionSerializableEIP7702 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { signAuthorization, signTransaction } from '../../../dev/signing';
import { implementations } from '../../../src/core/authorization';
import {
  findAuthority,
  toOthersAuthorization,
  toOwnAuthorization,
} from '../../../src/eth/delegation';
import { runs } from '../../support/runs';

const INPUTS = 1_000;

const keys = fc.bigInt(1n, 2n ** 252n).map((key) => numberToHex(key, { size: 32 }));

const cases = fc.record({
  key: keys,
  chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  nonce: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER - 1 }),
  delegate: fc.constantFrom(
    zeroAddress,
    ...implementations.map((each) => each.address),
  ),
});

it('signs the same authorizations and transactions as viem', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ key, chainId, nonce, delegate }) => {
      const account = privateKeyToAccount(key);
      const from = account.address.toLowerCase() as Hex;
      const { raw } = signTransaction(
        {
          type: '0x4',
          from,
          to: from,
          value: 0n,
          data: '0x',
          accessList: [],
          chainId: BigInt(chainId),
          nonce: BigInt(nonce),
          gasLimit: 60_000n,
          maxFeePerGas: 2n,
          maxPriorityFeePerGas: 1n,
          authorizationList: [toOwnAuthorization(BigInt(chainId), delegate)],
        },
        hexToBytes(key),
      );
      const authorization = await account.signAuthorization({
        address: delegate,
        chainId,
        nonce: nonce + 1,
      });
      const expected: TransactionSerializableEIP7702 = {
        type: 'eip7702',
        to: from,
        chainId,
        nonce,
        gas: 60_000n,
        maxFeePerGas: 2n,
        maxPriorityFeePerGas: 1n,
        authorizationList: [authorization],
      };
      expect(raw).toBe(await account.signTransaction(expected));
      const signed = {
        address: delegate,
        chainId: BigInt(chainId),
        nonce: BigInt(nonce + 1),
        yParity: BigInt(authorization.yParity ?? 0),
        r: BigInt(authorization.r),
        s: BigInt(authorization.s),
      };
      expect(findAuthority(signed)).toBe(from);
    }),
    runs(INPUTS),
  );
});

const addresses = fc.oneof(
  fc.bigInt(0n, 2n ** 160n - 1n).map((each) => numberToHex(each, { size: 20 })),
  fc.constantFrom(zeroAddress, ...implementations.map(({ address }) => address)),
);

it('signs only for the zero address and the offered contracts, and never for chain 0', () => {
  const inputs = fc.record({
    key: keys,
    address: addresses,
    chainId: fc.bigInt(0n, 3n),
    nonce: fc.bigInt(0n, 2n ** 64n - 2n),
  });
  fc.assert(
    fc.property(inputs, ({ key, address, chainId, nonce }) => {
      const isOffered =
        address === zeroAddress ||
        implementations.some((each) => isAddressEqual(each.address, address));
      const own = { ...toOwnAuthorization(chainId, address), nonce };
      const signing = (): unknown => signAuthorization(own, hexToBytes(key));
      if (isOffered && chainId > 0n) {
        expect(signing()).toMatchObject({ address, nonce });
      } else {
        expect(signing).toThrow('No authorization is signed');
      }
    }),
    runs(INPUTS),
  );
});

it("signs another account's authorization like viem, and only with that account's key", async () => {
  const inputs = fc.record({
    key: keys,
    other: keys,
    chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    nonce: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  });
  await fc.assert(
    fc.asyncProperty(inputs, async ({ key, other, chainId, nonce }) => {
      fc.pre(key !== other);
      const account = privateKeyToAccount(key);
      const revocation = toOthersAuthorization(BigInt(chainId), {
        authority: account.address,
        nonce: BigInt(nonce),
      });
      const { r, s, yParity } = signAuthorization(revocation, hexToBytes(key));
      const expected = await account.signAuthorization({
        address: zeroAddress,
        chainId,
        nonce,
      });
      expect([r, s, yParity]).toStrictEqual([
        BigInt(expected.r),
        BigInt(expected.s),
        BigInt(expected.yParity ?? 0),
      ]);
      expect(() => signAuthorization(revocation, hexToBytes(other))).toThrow(
        'No authorization is signed',
      );
    }),
    runs(INPUTS),
  );
});
