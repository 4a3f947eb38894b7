import { fromRlp, zeroAddress } from 'viem';
import type { Hex } from 'viem';

import { implementations, toOwnAuthorization } from '../../../src/eth/delegation';
import { signTransaction } from '../../../src/eth/sign-transaction';
import type { Transaction } from '../../../src/eth/transaction';
import { privateKey } from '../../fixtures/eth/owner';
import { make } from '../../support/raw-transactions';
import { TO, transactions } from '../../support/transactions';

const legacy = make(transactions.legacy);
const dynamic = make(transactions['EIP-1559']);
const delegating = make(transactions['EIP-7702']) as Extract<
  Transaction,
  { type: '0x4' }
>;

it.each<[string, bigint, Hex]>([
  ['for every chain', 0n, implementations[0]?.address ?? zeroAddress],
  ['that revokes on every chain', 0n, zeroAddress],
  ['for a contract that is not offered', 1n, TO],
])("signs no authorization of the sender's own %s", (_what, chainId, delegate) => {
  const authorizationList = [toOwnAuthorization(chainId, delegate)];
  expect(() =>
    signTransaction({ ...delegating, authorizationList }, privateKey),
  ).toThrow('No authorization is signed');
});

describe('a signature', () => {
  it('has r and s of 32 bytes and a minimal v', () => {
    for (let nonce = 0n; nonce < 600n; nonce += 1n) {
      const { r, s, v } = signTransaction({ ...dynamic, nonce }, privateKey).signature;
      expect([r, s].join()).toMatch(/^0x[0-9a-f]{64},0x[0-9a-f]{64}$/u);
      expect(v).toMatch(/^0x[01]$/u);
    }
  });

  it.each([4_503_599_627_370_478n, 2n ** 53n + 1n, 9_223_372_036_854_775_771n])(
    'is refused for type 0x0 on chain %s, where its v would be wrong',
    (chainId) => {
      expect(() => signTransaction({ ...legacy, chainId }, privateKey)).toThrow(
        'A transaction of type 0x0 cannot be signed for a chain id above 4503599627370477; use another type.',
      );
      const { raw } = signTransaction({ ...dynamic, chainId }, privateKey);
      const [chain] = fromRlp(`0x${raw.slice(4)}`) as Hex[];
      expect(BigInt(chain ?? 0)).toBe(chainId);
    },
  );
});
