// Reading signed transactions; the property test compares them with viem's.

import {
  parseRawTransaction,
  signTransaction,
} from '../../../src/eth/sign-transaction';
import { privateKey } from '../../fixtures/eth/owner';
import { edit, make, rawOf } from '../../support/raw-transactions';
import type { Items } from '../../support/raw-transactions';
import { transactions } from '../../support/transactions';

describe('a signed transaction', () => {
  it('is read for any chain that can be signed for', () => {
    for (const chainId of [1n, 4_503_599_627_370_477n]) {
      const { raw } = signTransaction(
        { ...make(transactions.legacy), chainId },
        privateKey,
      );
      expect(parseRawTransaction(raw, 'raw').chainId).toBe(chainId);
    }
    const chainId = 2n ** 62n + 1n;
    const { raw } = signTransaction(
      { ...make(transactions['EIP-1559']), chainId },
      privateKey,
    );
    expect(parseRawTransaction(raw, 'raw').chainId).toBe(chainId);
  });

  it.each<[string, Items]>([
    ['EIP-4844', [['0xb1'], ['0xc1'], ['0xd1']]],
    ['EIP-7594', ['0x01', ['0xb1'], ['0xc1'], ['0xd1']]],
  ])('is read without the sidecar that %s puts beside it', (_name, sidecar) => {
    const raw = rawOf('0x3');
    const wrapped = edit(raw, (items) => [items, ...sidecar]);
    expect(wrapped).not.toBe(raw);
    expect(parseRawTransaction(wrapped, 'raw')).toStrictEqual(
      parseRawTransaction(raw, 'raw'),
    );
  });

  it('keeps authorisations as they are, also those that no chain would heed', () => {
    const raw = edit(rawOf('0x4'), (items) => {
      const authorization = ['0x', `0x${'11'.repeat(20)}`, '0x', '0xff', '0x01', '0x'];
      return items.map((item, index) =>
        index === 9 ? [authorization] : item,
      ) as Items;
    });
    expect(parseRawTransaction(raw, 'raw').transaction).toMatchObject({
      authorizationList: [
        {
          chainId: 0n,
          address: `0x${'11'.repeat(20)}`,
          nonce: 0n,
          yParity: 255n,
          r: 1n,
          s: 0n,
        },
      ],
    });
  });
});
