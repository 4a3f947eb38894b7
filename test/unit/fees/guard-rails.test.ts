import { jest } from '@jest/globals';

import { createWalletTransport } from '../../../src/chains/wallet-transport';
import { createNodeClient } from '../../../src/client';
import { UnavailableError } from '../../../src/errors';
import { fetchMeasures, findCostAlerts } from '../../../src/fees/guard-rails';
import type { Measures } from '../../../src/fees/guard-rails';
import type { FeeLevels } from '../../../src/fees/level';
import { pass } from '../../support/fake-clock';
import { createFakeNode, refuses } from '../../support/fake-node';
import type { NodeAnswers } from '../../support/fake-node';
import { FROM, MARKET } from '../../support/fill-bench';
import { make } from '../../support/raw-transactions';
import { TO, transactions } from '../../support/transactions';

const HIGH = MARKET.high.maxFeePerGas;

const RICH: Measures = { levels: MARKET, balance: 10n ** 24n, dataFees: [] };

async function fetch(
  answers: NodeAnswers,
  levels: () => Promise<FeeLevels> = async () => Promise.resolve(MARKET),
): Promise<Measures | undefined> {
  const node = createFakeNode(answers);
  const client = createNodeClient(createWalletTransport(node.request));
  const request = { from: FROM, to: TO, value: 1n, data: '0x' } as const;
  return fetchMeasures([request], { chainId: 1n, node: client, levels });
}

describe('what a transaction is measured by', () => {
  it('is the balance and the levels', async () => {
    expect(await fetch({ eth_getBalance: '0x64' })).toStrictEqual({
      levels: MARKET,
      balance: 100n,
      dataFees: [],
    });
  });

  it('is nothing where one of them cannot be had', async () => {
    const refused = refuses({ code: -32000, message: 'no' });
    expect(await fetch({ eth_getBalance: refused })).toBeUndefined();
    const failing = async (): Promise<never> =>
      Promise.reject(new UnavailableError('There are none.'));
    expect(await fetch({ eth_getBalance: '0x64' }, failing)).toBeUndefined();
  });

  it('is nothing after five seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      let isOver = false;
      const silent = async (): Promise<never> => new Promise(() => undefined);
      const fetching = fetch({ eth_getBalance: '0x64' }, silent).then((measures) => {
        isOver = true;
        return measures;
      });
      await pass(4_999);
      expect(isOver).toBe(false);
      await pass(1);
      expect(await fetching).toBeUndefined();
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('what is remarkable about a cost', () => {
  const dynamic = (maxFeePerGas: bigint): ReturnType<typeof make> =>
    make({
      ...transactions['EIP-1559'],
      maxFeePerGas: `0x${maxFeePerGas.toString(16)}`,
    });

  it('is a fee above three times the high level', () => {
    const fee = 3n * HIGH + 1n;
    expect(findCostAlerts(dynamic(fee - 1n), RICH)).toStrictEqual([]);
    expect(findCostAlerts(dynamic(fee), RICH)).toStrictEqual([
      { kind: 'fee', fee, high: HIGH },
    ]);
  });

  it('is a gas price likewise', () => {
    const gasPrice = `0x${(3n * HIGH + 1n).toString(16)}`;
    const legacy = make({ ...transactions.legacy, gasPrice });
    expect(findCostAlerts(legacy, RICH)).toStrictEqual([
      { kind: 'fee', fee: 3n * HIGH + 1n, high: HIGH },
    ]);
  });

  it('is a cost above the balance, with blobs and the value', () => {
    const blob = make(transactions['EIP-4844']);
    const cost = 1n + 21_000n * 2_000_000_000n + 131_072n * 20_000_000_000n;
    const levels = { ...MARKET, estimatedBaseFee: 0n };
    const measures = { levels, balance: cost, dataFees: [] };
    expect(findCostAlerts(blob, measures)).toStrictEqual([]);
    const balance = cost - 1n;
    expect(findCostAlerts(blob, { ...measures, balance })).toStrictEqual([
      { kind: 'balance', cost, balance },
    ]);
  });

  it('is a fee below the base fee of now', () => {
    const base = MARKET.estimatedBaseFee;
    expect(findCostAlerts(dynamic(base), RICH)).toStrictEqual([]);
    expect(findCostAlerts(dynamic(base - 1n), RICH)).toStrictEqual([
      { kind: 'lowFee', fee: base - 1n, base },
    ]);
  });

  it('is both, the fee first', () => {
    const measures = { levels: MARKET, balance: 0n, dataFees: [] };
    const kinds = findCostAlerts(dynamic(4n * HIGH), measures).map(({ kind }) => kind);
    expect(kinds).toStrictEqual(['fee', 'balance']);
  });

  it('is that nothing could be checked', () => {
    expect(findCostAlerts(dynamic(HIGH), undefined)).toStrictEqual([
      { kind: 'unchecked' },
    ]);
  });
});
