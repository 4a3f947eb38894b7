import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { handleTransaction } from '../../../src/handlers/transaction-insight';
import { ALL, dataOf } from '../../fixtures/trust/call';
import { toFieldPairs } from '../../support/field-pairs';
import { createTestApp } from '../../support/test-app';
import type { Edges } from '../../support/test-app';
import { TO } from '../../support/transactions';
import { textOf, warningsOf } from '../../support/view';

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

const gwei = (amount: number): string => `0x${(amount * 1e9).toString(16)}`;

const transaction = {
  from: FROM,
  to: TO,
  nonce: '0x1',
  value: '0x2',
  data: '0x',
  gas: '0x5208',
  maxFeePerGas: gwei(2),
  maxPriorityFeePerGas: gwei(1),
};

type Told = { content: JSXElement; severity?: string } | null;

/** The wallet's node tells a base fee of 1 gwei and priority fees of 1 to 3 wei. */
function setup(): {
  edges: Edges;
  tell: (changes?: Record<string, Json>, chainId?: string) => Promise<Told>;
} {
  const { services, edges } = createTestApp();
  const tell = async (changes = {}, chainId = 'eip155:1'): Promise<Told> => {
    const shown = { ...transaction, ...changes };
    return (await handleTransaction({ transaction: shown, chainId }, services)) as Told;
  };
  return { edges, tell };
}

describe('the insight of a transaction', () => {
  it('compares its fees with the market', async () => {
    const { tell } = setup();
    const told = await tell();
    expect(toFieldPairs(told?.content)).toStrictEqual([
      [
        textOf('insight.fee'),
        textOf('insight.fee.at', { level: textOf('level.high') }),
      ],
      [
        textOf('insight.medium'),
        textOf('insight.medium.wait', {
          cost: '0.000028350000042 ETH',
          wait: '48 sec',
        }),
      ],
      [textOf('insight.trend'), textOf('trend.down')],
      [textOf('insight.congestion'), '50 %'],
    ]);
    expect(warningsOf(told?.content)).toStrictEqual([]);
    expect(told).not.toHaveProperty('severity');
  });

  it('tells by how much they are too high, and warns', async () => {
    const { tell } = setup();
    const told = await tell({ maxFeePerGas: gwei(5.5) });
    expect(toFieldPairs(told?.content)[0]?.[1]).toBe('3.2 times the high level');
    expect(warningsOf(told?.content)).toStrictEqual([
      textOf('alert.fee', { fee: '5.5 gwei', high: '1.700000003 gwei' }),
    ]);
    expect(told).not.toHaveProperty('severity');
  });

  it.each([
    ['below the base fee of now', { maxFeePerGas: gwei(0.5) }, 'insight.fee.belowBase'],
    [
      'below the low level',
      { maxFeePerGas: gwei(2), maxPriorityFeePerGas: '0x0' },
      'insight.fee.below',
    ],
  ] as const)('tells that they are %s', async (_what, changes, key) => {
    const { tell } = setup();
    expect(toFieldPairs((await tell(changes))?.content)[0]?.[1]).toBe(textOf(key));
  });

  it('tells no cost while the gas is not known', async () => {
    const { tell } = setup();
    const labels = toFieldPairs((await tell({ gas: '' }))?.content).map(
      ([label]) => label,
    );
    expect(labels).not.toContain(textOf('insight.medium'));
  });

  it('tells that a contract is created, without a market too', async () => {
    const { tell, edges } = setup();
    edges.wallet.answers = {};
    const told = await tell({ to: '', value: '0x0' });
    expect(warningsOf(told?.content)).toStrictEqual([textOf('insight.creation')]);
    expect(toFieldPairs(told?.content)).toStrictEqual([]);
  });

  it('warns of an approval without limit, which alone is not critical', async () => {
    const { tell } = setup();
    const told = await tell({ data: dataOf('approve(address,uint256)', TO, ALL) });
    expect(warningsOf(told?.content)).toStrictEqual([
      textOf('alert.unlimited', { spender: TO, token: TO }),
    ]);
    expect(told).not.toHaveProperty('severity');
  });

  it.each([
    [
      'a whole collection is given away',
      { data: dataOf('setApprovalForAll(address,bool)', TO, true) },
      [textOf('alert.operator', { operator: TO })],
    ],
    [
      'coins go to nobody',
      { to: `0x${'0'.repeat(40)}` },
      [textOf('alert.nobody', { value: '0.000000000000000002 ETH' })],
    ],
    [
      'an address was made to be taken for another',
      { to: '0xa0b8bad0000000000000000000000000000ceb48' },
      [
        textOf('warning.lookAlike', {
          address: '0xa0b8bad0000000000000000000000000000ceb48',
          known: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
        }),
      ],
    ],
  ])('is critical where %s', async (_what, changes, said) => {
    const { tell } = setup();
    const told = await tell(changes);
    expect(warningsOf(told?.content)).toStrictEqual(said);
    expect(told).toHaveProperty('severity', 'critical');
  });

  it('warns of value for a contract to be, the worse first', async () => {
    const { tell } = setup();
    const told = await tell({ to: null, data: '0x6080' });
    expect(warningsOf(told?.content)).toStrictEqual([
      textOf('alert.creationValue', { value: '0.000000000000000002 ETH' }),
      textOf('insight.creation'),
    ]);
    expect(told).not.toHaveProperty('severity');
  });

  it.each([
    [1.7, 'at the High level'],
    [2.5, 'at the High level'],
    [2.56, '1.5 times the high level'],
    [5.1, '2.9 times the high level'],
    [5.2, '3 times the high level'],
    [170.1, '100 times the high level'],
  ])('tells %d gwei as %j', async (fee, said) => {
    const { tell } = setup();
    const told = await tell({ maxFeePerGas: gwei(fee), maxPriorityFeePerGas: gwei(1) });
    expect(toFieldPairs(told?.content)[0]?.[1]).toBe(said);
  });

  it('compares a gas price as well', async () => {
    const { tell } = setup();
    const told = await tell({
      maxFeePerGas: '',
      maxPriorityFeePerGas: '',
      gasPrice: gwei(5.2),
    });
    expect(toFieldPairs(told?.content)[0]?.[1]).toBe('3 times the high level');
  });

  it('warns of what a call does though there is no market', async () => {
    const { tell, edges } = setup();
    edges.wallet.answers = {};
    const told = await tell({ data: dataOf('approve(address,uint256)', TO, ALL) });
    expect(warningsOf(told?.content)).toStrictEqual([
      textOf('alert.unlimited', { spender: TO, token: TO }),
    ]);
    expect(toFieldPairs(told?.content)).toStrictEqual([]);
  });

  it('is silent where there is nothing to tell', async () => {
    const { tell, edges } = setup();
    expect(await tell({ maxFeePerGas: '', maxPriorityFeePerGas: '' })).toBeNull();
    expect(await tell({ from: 'me' })).toBeNull();
    expect(await tell({}, 'eip155:7')).toBeNull();
    expect(await tell({}, 'nonsense')).toBeNull();
    edges.wallet.answers = {};
    expect(await tell()).toBeNull();
  });

  it('is silent if what is stored cannot be read', async () => {
    const { tell, edges } = setup();
    edges.backend.document = { version: 99 };
    edges.publicBackend.document = 'spoiled';
    expect(await tell()).toBeNull();
  });
});
