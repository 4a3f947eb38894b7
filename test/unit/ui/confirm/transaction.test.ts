import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../../../../src/eth/hex';
import type { Transaction } from '../../../../src/eth/transaction';
import { TransactionConfirmation } from '../../../../src/ui/confirm/transaction';
import type { TransactionView } from '../../../../src/ui/confirm/transaction';
import { ACCESS_LIST, BLOB_HASH, TO } from '../../../support/transactions';
import {
  drawPage,
  textOf,
  textsOf,
  translate,
  warningsOf,
} from '../../../support/view';

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const body = {
  from: FROM as Hex,
  to: TO as Hex | null,
  value: 1_500_000_000_000_000_000n,
  data: '0xa9059cbb' as Hex,
  chainId: 1n,
  nonce: 7n,
  gasLimit: 100_000n,
};

const legacy: Transaction = { ...body, type: '0x0', gasPrice: 20_000_000_001n };

const dynamic: Transaction = {
  ...body,
  type: '0x2',
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  accessList: [],
};

const blob: Transaction = {
  ...dynamic,
  type: '0x3',
  maxFeePerBlobGas: 2_000_000_000n,
  blobVersionedHashes: [BLOB_HASH, BLOB_HASH],
};

const delegating: Transaction = {
  ...dynamic,
  type: '0x4',
  authorizationList: [
    { chainId: 0n, address: TO, nonce: 0n, yParity: 0n, r: 1n, s: 1n },
  ],
};

const view = {
  translate,
  title: 'transaction.title',
  origin: 'https://dapp.example',
  chain: 'eip155:1',
  alerts: [],
  isNonceOpen: false,
} as const;

const draw = (
  transaction: Transaction,
  about: Partial<TransactionView> = {},
): JSXElement => drawPage(TransactionConfirmation({ ...view, transaction, ...about }));

/** Get what stands beside a label. */
function fieldOf(content: JSXElement, label: string): string | undefined {
  const texts = textsOf(content);
  const index = texts.indexOf(label);
  return index < 0 ? undefined : texts[index + 1];
}

const coins = (amount: string): string => `${amount} ETH`;
const gwei = (amount: string): string => textOf('unit.gwei', { amount });

describe('the confirmation of a transaction', () => {
  it('shows who asks, what is sent where, and what it costs at most, in that order', () => {
    const texts = textsOf(draw(legacy));
    expect(texts.slice(0, -4)).toStrictEqual([
      textOf('transaction.title'),
      textOf('field.origin'),
      'https://dapp.example',
      textOf('field.account'),
      FROM,
      textOf('field.chain'),
      'Ethereum (eip155:1)',
      textOf('field.to'),
      TO,
      textOf('field.value'),
      coins('1.5'),
      textOf('field.meaning'),
      textOf('call.transfer'),
      textOf('field.function'),
      'transfer(address,uint256)',
      textOf('field.arguments'),
      textOf('arguments.unread'),
      textOf('data.call', { size: '4 B' }),
      '0xa9059cbb',
      textOf('field.maxCost'),
      coins('1.5020000000001'),
      textOf('field.gasLimit'),
      '100,000',
      textOf('field.gasPrice'),
      gwei('20.000000001'),
      textOf('field.nonce'),
      '7',
    ]);
    expect(warningsOf(draw(legacy))).toStrictEqual([]);
  });

  it('counts the maximum fee of a dynamic transaction, not the likely one', () => {
    const content = draw(dynamic);
    expect(fieldOf(content, textOf('field.maxCost'))).toBe(coins('1.503'));
    expect(fieldOf(content, textOf('field.maxFee'))).toBe(gwei('30'));
    expect(fieldOf(content, textOf('field.priorityFee'))).toBe(gwei('1'));
    expect(textsOf(content)).not.toContain(textOf('field.gasPrice'));
  });

  it('says that a contract is created', () => {
    const content = draw({ ...legacy, to: null });
    expect(fieldOf(content, textOf('field.to'))).toBe(textOf('field.creation'));
  });

  it('tells of an access list', () => {
    const content = draw({ ...dynamic, accessList: ACCESS_LIST });
    expect(fieldOf(content, textOf('field.accessList'))).toBe('1');
    expect(textsOf(draw(dynamic))).not.toContain(textOf('field.accessList'));
  });

  it('tells of blobs and counts what they cost', () => {
    const content = draw(blob);
    expect(fieldOf(content, textOf('field.blobs'))).toBe('2');
    expect(fieldOf(content, textOf('field.maxBlobFee'))).toBe(gwei('2'));
    expect(fieldOf(content, textOf('field.maxCost'))).toBe(coins('1.503524288'));
    expect(warningsOf(content)).toStrictEqual([]);
    expect(textsOf(draw(dynamic))).not.toContain(textOf('field.blobs'));
    expect(textsOf(draw(dynamic))).not.toContain(textOf('field.maxBlobFee'));
  });

  it('tells of authorisations and warns of what they let others do', () => {
    const content = draw(delegating);
    expect(fieldOf(content, textOf('field.authorizations'))).toBe('1');
    expect(fieldOf(content, textOf('field.delegate'))).toBe(TO);
    expect(fieldOf(content, textOf('field.delegateChain'))).toBe(
      textOf('delegate.everyChain'),
    );
    expect(warningsOf(content)).toStrictEqual([textOf('warning.authorizations')]);
    expect(fieldOf(content, textOf('field.maxCost'))).toBe(coins('1.503'));
    expect(warningsOf(draw(dynamic))).toStrictEqual([]);
    expect(textsOf(draw(blob))).not.toContain(textOf('field.authorizations'));
  });

  it.each([legacy, dynamic, blob, delegating, { ...legacy, to: null }])(
    'shows all of it as it is signed (case %#)',
    (transaction) => {
      const raw = JSON.parse(
        fieldOf(draw(transaction), textOf('raw.title')) ?? '',
      ) as Record<string, unknown>;
      expect(raw).toMatchObject({
        type: transaction.type,
        chainId: '0x1',
        nonce: '0x7',
        from: FROM,
        to: transaction.to,
        value: '0x14d1120d7b160000',
        data: '0xa9059cbb',
        gasLimit: '0x186a0',
      });
    },
  );

  it('writes the smallest and the largest amount exactly', () => {
    const smallest = { ...legacy, value: 1n, gasPrice: 0n };
    const largest = { ...legacy, value: 2n ** 256n - 1n, gasPrice: 0n };
    expect(fieldOf(draw(smallest), textOf('field.maxCost'))).toBe(
      coins('0.000000000000000001'),
    );
    expect(fieldOf(draw(largest), textOf('field.value'))).toBe(
      coins(
        '115,792,089,237,316,195,423,570,985,008,687,907,853,269,984,665,640,564,039,457.584007913129639935',
      ),
    );
  });

  it('shows long data whole, without a warning', () => {
    const data: Hex = `0x${'ab'.repeat(50_000)}`;
    const content = draw({ ...legacy, to: null, value: 0n, data });
    expect(warningsOf(content)).toStrictEqual([]);
    expect(textsOf(content)).toContain(data);
  });

  it('spreads what is longer over pages', () => {
    const transaction = { ...legacy, data: `0x${'ab'.repeat(100_000)}` as const };
    const paged = TransactionConfirmation({ ...view, transaction });
    expect(paged.pages).toBe(2);
    const parts = [0, 1].map((page) => {
      const texts = textsOf(drawPage(paged, page));
      expect(texts.join('').length).toBeLessThan(400_000);
      return texts[texts.indexOf(`${textOf('raw.title')} (${page + 1}/2)`) + 1];
    });
    expect(JSON.parse(parts.join(''))).toHaveProperty('data', transaction.data);
  });
});
