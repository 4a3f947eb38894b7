import {
  fromRlp,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
} from 'viem';
import type { Hex, TransactionSerializable, TransactionSerialized } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { signTransaction, toTransactionJson } from '../../../src/eth/sign-transaction';
import type { Transaction } from '../../../src/eth/transaction';
import { OTHER, owner, privateKey } from '../../fixtures/eth/owner';
import { without } from '../../support/without';

const body = {
  from: owner.address,
  to: OTHER,
  value: 10n ** 18n,
  data: '0x',
  chainId: 1n,
  nonce: 7n,
  gasLimit: 21_000n,
} as const;

const accessList = [
  { address: OTHER, storageKeys: [`0x${'0f'.repeat(32)}`, `0x${'00'.repeat(32)}`] },
  { address: owner.address, storageKeys: [] },
] satisfies { address: Hex; storageKeys: Hex[] }[];

const legacy: Transaction = { ...body, type: '0x0', gasPrice: 20_000_000_000n };
const listed: Transaction = { ...body, type: '0x1', gasPrice: 1n, accessList };
const dynamic: Transaction = {
  ...body,
  type: '0x2',
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1_500_000_000n,
  accessList: [],
};

const VIEM_TYPES = { '0x0': 'legacy', '0x1': 'eip2930', '0x2': 'eip1559' } as const;

/** The same transaction for viem, which takes chain id and nonce as numbers. */
function toViem(transaction: Transaction): TransactionSerializable {
  const { type, to, chainId, nonce, gasLimit, ...others } = without(
    transaction,
    'from',
  );
  return {
    ...others,
    type: VIEM_TYPES[type],
    ...(to === null ? {} : { to }),
    chainId: Number(chainId),
    nonce: Number(nonce),
    gas: gasLimit,
  };
}

const cases: [string, Transaction][] = [
  ['a legacy transaction', legacy],
  ['an EIP-2930 transaction', listed],
  ['an EIP-2930 transaction without a list', { ...listed, accessList: [] }],
  ['an EIP-1559 transaction', dynamic],
  ['an EIP-1559 transaction with a list', { ...dynamic, accessList }],
];

const variants: [string, Partial<Transaction>][] = [
  ['as it is', {}],
  ['creating a contract', { to: null, data: '0x600a600c600039600a6000f3' }],
  ['creating a large contract', { to: null, data: `0x${'60'.repeat(60_000)}` }],
  ['with data', { data: '0xABcdef00' }],
  ['with zeros', { value: 0n, nonce: 0n, gasLimit: 0n }],
  ['on a chain beyond 2^32', { chainId: 2n ** 32n + 1n }],
  ['on the largest chain for all types', { chainId: 4_503_599_627_370_477n }],
  ['on chain 59144', { chainId: 59_144n }],
  ['with all the money there is', { value: 2n ** 256n - 1n }],
];

describe.each(cases)('%s', (_name, transaction) => {
  it.each(variants)('is signed %s as viem signs it', async (_variant, fields) => {
    const whole = { ...transaction, ...fields } as Transaction;
    const { raw, signature } = signTransaction(whole, privateKey);
    expect(raw).toBe(await owner.signTransaction(toViem(whole)));
    const serializedTransaction = raw as TransactionSerialized;
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(
      owner.address,
    );
    const { r, s, v, yParity } = parseTransaction(raw);
    expect(BigInt(signature.r)).toBe(BigInt(r ?? 0n));
    expect(BigInt(signature.s)).toBe(BigInt(s ?? 0n));
    const parity = transaction.type === '0x0' ? v : yParity;
    expect(signature.v).toBe(numberToHex(parity ?? -1n));
  });
});

describe('a signature', () => {
  it('has r and s of 32 bytes and a minimal v', () => {
    for (let nonce = 0n; nonce < 600n; nonce += 1n) {
      const { r, s, v } = signTransaction({ ...dynamic, nonce }, privateKey).signature;
      expect([r, s].join()).toMatch(/^0x[0-9a-f]{64},0x[0-9a-f]{64}$/u);
      expect(v).toMatch(/^0x[01]$/u);
    }
  });

  it('is the one that EIP-155 publishes', () => {
    const key = `0x${'46'.repeat(32)}` as const;
    const { raw, signature } = signTransaction(
      {
        ...legacy,
        from: privateKeyToAccount(key).address,
        to: `0x${'35'.repeat(20)}`,
        nonce: 9n,
      },
      new Uint8Array(32).fill(0x46),
    );
    expect(signature.v).toBe('0x25');
    expect(raw).toBe(
      '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a7' +
        '6400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a0' +
        '67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
    );
  });

  it.each([4_503_599_627_370_478n, 2n ** 53n + 1n, 9_223_372_036_854_775_771n])(
    'is refused for type 0x0 on chain %s, where its v would be wrong',
    (chainId) => {
      expect(() => signTransaction({ ...legacy, chainId }, privateKey)).toThrow(
        'A transaction of type 0x0 cannot be signed for a chain id above 4503599627370477; use type 0x1 or 0x2.',
      );
      const { raw } = signTransaction({ ...dynamic, chainId }, privateKey);
      const [chain] = fromRlp(`0x${raw.slice(4)}`) as Hex[];
      expect(BigInt(chain ?? 0)).toBe(chainId);
    },
  );
});

describe('toTransactionJson', () => {
  it('writes every quantity as minimal hex and leaves the rest alone', () => {
    const { maxFeePerGas, maxPriorityFeePerGas } = dynamic;
    expect(toTransactionJson({ ...dynamic, nonce: 0n, accessList })).toStrictEqual({
      type: '0x2',
      chainId: '0x1',
      nonce: '0x0',
      from: owner.address,
      to: OTHER,
      value: '0xde0b6b3a7640000',
      data: '0x',
      gasLimit: '0x5208',
      maxFeePerGas: numberToHex(maxFeePerGas),
      maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
      accessList,
    });
  });

  it('writes a legacy creation without fields of other types', () => {
    const json = toTransactionJson({ ...legacy, to: null, data: '0x60' });
    expect(json).toMatchObject({ type: '0x0', to: null, gasPrice: '0x4a817c800' });
    expect(Object.keys(json)).not.toEqual(
      expect.arrayContaining(['accessList', 'maxFeePerGas', 'maxPriorityFeePerGas']),
    );
    expect(JSON.parse(JSON.stringify(json))).toStrictEqual(json);
  });
});
