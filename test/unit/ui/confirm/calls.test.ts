import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../../../../src/eth/hex';
import type { Transaction } from '../../../../src/eth/transaction';
import { CallsConfirmation } from '../../../../src/ui/confirm/calls';
import type { CallView } from '../../../../src/ui/confirm/calls';
import { TO } from '../../../support/transactions';
import {
  drawPage,
  textOf,
  textsOf,
  translate,
  warningsOf,
} from '../../../support/view';

const FROM: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const dynamic: Transaction = {
  from: FROM,
  to: TO,
  value: 1_500_000_000_000_000_000n,
  data: '0x',
  chainId: 1n,
  nonce: 7n,
  gasLimit: 100_000n,
  type: '0x2',
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  accessList: [],
};

const legacy: Transaction = {
  from: FROM,
  to: null,
  value: 0n,
  data: '0x600a',
  chainId: 1n,
  nonce: 8n,
  gasLimit: 200_000n,
  type: '0x0',
  gasPrice: 20_000_000_000n,
};

const AUTHORIZED = { chainId: 0n, address: TO, nonce: 0n, yParity: 0n, r: 1n, s: 1n };

const plain = (transaction: Transaction): CallView => ({
  transaction,
  alerts: [],
  isEstimated: true,
});

const draw = (...calls: CallView[]): JSXElement =>
  drawPage(
    CallsConfirmation({
      translate,
      origin: 'https://dapp.example',
      account: FROM,
      chain: 'eip155:1',
      calls,
      alerts: [],
    }),
  );

const coins = (amount: string): string => `${amount} ETH`;
const gwei = (amount: string): string => textOf('unit.gwei', { amount });
const about = (number: string, text: string): string =>
  textOf('calls.about', { number, text });

describe('the confirmation of several transactions', () => {
  it('shows that they are separate, each of them, and what all cost at most', () => {
    const content = draw(plain(dynamic), plain(legacy));
    expect(textsOf(content).slice(0, -4)).toStrictEqual([
      textOf('calls.title'),
      textOf('warning.title'),
      textOf('warning.notAtomic'),
      textOf('field.origin'),
      'https://dapp.example',
      textOf('field.account'),
      FROM,
      textOf('field.chain'),
      'Ethereum (eip155:1)',
      textOf('calls.call', { number: '1' }),
      TO,
      textOf('field.value'),
      coins('1.5'),
      textOf('field.callData'),
      textOf('data.none'),
      textOf('field.gasLimit'),
      '100,000',
      textOf('field.maxFee'),
      gwei('30'),
      textOf('calls.call', { number: '2' }),
      textOf('field.creation'),
      textOf('field.value'),
      coins('0'),
      textOf('data.code', { size: '2 B' }),
      '0x600a',
      textOf('field.gasLimit'),
      '200,000',
      textOf('field.maxFee'),
      gwei('20'),
      textOf('field.totalValue'),
      coins('1.5'),
      textOf('field.maxCost'),
      coins('1.507'),
    ]);
  });

  it('says nothing of others if there is one', () => {
    expect(warningsOf(draw(plain(dynamic)))).toStrictEqual([]);
  });

  it('tells which of them an alert is about', () => {
    const content = draw(plain(dynamic), {
      transaction: { ...dynamic, type: '0x4', authorizationList: [AUTHORIZED] },
      alerts: [{ kind: 'unchecked' }],
      isEstimated: false,
    });
    expect(warningsOf(content)).toStrictEqual([
      about('2', textOf('warning.authorizations')),
      textOf('warning.notAtomic'),
      about('2', textOf('alert.unchecked')),
      about('2', textOf('warning.notEstimated')),
    ]);
    expect(textsOf(content)).toContain(textOf('gas.assumed', { gas: '100,000' }));
  });

  it('shows the function that a transaction calls', () => {
    const data: Hex = `0x2e1a7d4d${'9'.padStart(64, '0')}`;
    const texts = textsOf(draw(plain({ ...dynamic, data })));
    expect(texts).toEqual(
      expect.arrayContaining(['withdraw(uint256)', 'uint256', '9', data]),
    );
  });

  it('warns of those on other pages, too', () => {
    const calls = Array<CallView>(21).fill(plain(dynamic));
    const nobody: Transaction = { ...dynamic, to: `0x${'00'.repeat(20)}` };
    expect(warningsOf(draw(...calls, plain(nobody)))).toContain(
      about('22', textOf('alert.nobody', { value: coins('1.5') })),
    );
  });

  it('shows all of them as they are signed', () => {
    const texts = textsOf(draw(plain(dynamic), plain(legacy)));
    const raw = JSON.parse(
      texts[texts.indexOf(textOf('raw.title')) + 1] ?? '',
    ) as object;
    expect(raw).toMatchObject([
      { type: '0x2', nonce: '0x7', to: TO },
      { type: '0x0', nonce: '0x8', to: null },
    ]);
  });
});
