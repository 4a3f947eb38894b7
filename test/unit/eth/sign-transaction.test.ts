import { SECP256K1_ORDER_DIV_2 } from '@ethereumjs/util';
import {
  fromRlp,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  zeroAddress,
} from 'viem';
import type { Hex, TransactionSerialized } from 'viem';

import { implementations, toOwnAuthorization } from '../../../src/eth/delegation';
import { signTransaction, toTransactionJson } from '../../../src/eth/sign-transaction';
import type { Transaction } from '../../../src/eth/transaction';
import { owner, privateKey } from '../../fixtures/eth/owner';
import {
  accessList,
  blob,
  delegating,
  dynamic,
  legacy,
  listed,
} from '../../fixtures/eth/unsigned';
import { TO } from '../../support/transactions';
import { toViem } from '../../support/viem-transaction';

const cases: [string, Transaction][] = [
  ['a legacy transaction', legacy],
  ['an EIP-2930 transaction', listed],
  ['an EIP-2930 transaction without a list', { ...listed, accessList: [] }],
  ['an EIP-1559 transaction', dynamic],
  ['an EIP-1559 transaction with a list', { ...dynamic, accessList }],
];

/** Types that cannot create a contract. */
const calls: [string, Transaction][] = [
  ['a blob transaction', blob],
  ['a blob transaction with a list', { ...blob, accessList }],
  ['a set-code transaction', delegating],
  ['a set-code transaction with a list', { ...delegating, accessList }],
];

const creations: [string, Partial<Transaction>][] = [
  ['creating a contract', { to: null, data: '0x600a600c600039600a6000f3' }],
  ['creating a large contract', { to: null, data: `0x${'60'.repeat(60_000)}` }],
];

const variants: [string, Partial<Transaction>][] = [
  ['as it is', {}],
  ['with data', { data: '0xABcdef00' }],
  ['with zeros', { value: 0n, nonce: 0n, gasLimit: 0n }],
  ['on a chain beyond 2^32', { chainId: 2n ** 32n + 1n }],
  ['on the largest chain for all types', { chainId: 4_503_599_627_370_477n }],
  ['on chain 59144', { chainId: 59_144n }],
  ['with all the money there is', { value: 2n ** 256n - 1n }],
];

const all = [
  ...cases.flatMap(([name, transaction]) =>
    [...variants, ...creations].map(([how, fields]) => ({
      name: `${name} ${how}`,
      whole: { ...transaction, ...fields } as Transaction,
    })),
  ),
  ...calls.flatMap(([name, transaction]) =>
    variants.map(([how, fields]) => ({
      name: `${name} ${how}`,
      whole: { ...transaction, ...fields } as Transaction,
    })),
  ),
];

describe('signing', () => {
  it.each(all)('$name is as viem does it', async ({ whole }) => {
    const { raw, signature } = signTransaction(whole, privateKey);
    expect(raw).toBe(await owner.signTransaction(toViem(toTransactionJson(whole))));
    const serializedTransaction = raw as TransactionSerialized;
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(
      owner.address,
    );
    const { r, s, v, yParity } = parseTransaction(raw);
    expect(BigInt(signature.r)).toBe(BigInt(r ?? 0n));
    expect(BigInt(signature.s)).toBe(BigInt(s ?? 0n));
    const parity = whole.type === '0x0' ? v : yParity;
    expect(signature.v).toBe(numberToHex(parity ?? -1n));
  });

  it.each(all)('$name is in the lower half (EIP-2)', ({ whole }) => {
    const { s } = signTransaction(whole, privateKey).signature;
    expect(BigInt(s) <= SECP256K1_ORDER_DIV_2).toBe(true);
  });
});

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
