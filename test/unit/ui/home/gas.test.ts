import { GasTab } from '../../../../src/ui/home/gas';
import type { GasMarket, GasView } from '../../../../src/ui/home/gas';
import { textOf, textsOf, translate } from '../../../support/view';

const GWEI = 1_000_000_000n;

const pair = { maxFeePerGas: 2n * GWEI, maxPriorityFeePerGas: GWEI };
const wait = { min: 15_000, max: 30_000 };

const market: GasMarket = {
  levels: { low: pair, medium: pair, high: pair },
  baseFee: GWEI,
  baseFees: [GWEI, GWEI],
  source: 'gas-api',
  ageMs: 29_999,
  waits: { low: wait, medium: wait, high: { min: 15_000, max: 15_000 } },
  congestion: 0.5125,
  baseFeeTrend: 'up',
  priorityFeeTrend: 'down',
};

const view: GasView = {
  translate,
  chains: ['eip155:1'],
  chain: 'eip155:1',
  market,
  notices: [],
  servers: { inUse: [], now: 100_000 },
};

const draw = (fields: Partial<GasView> = {}): string[] =>
  textsOf(GasTab({ ...view, ...fields }));

const levelOf = (name: string, wait_: string): string[] => [
  name,
  'Maximum fee',
  '2 gwei',
  'Priority fee',
  '1 gwei',
  'Wait',
  wait_,
  'A transfer costs at most',
  '0.000042 ETH',
];

describe('the view of the gas market', () => {
  it('writes every figure', () => {
    expect(draw()).toStrictEqual([
      'Gas market',
      'Network',
      'Ethereum (eip155:1)',
      'Base fee',
      '1 gwei',
      'Base fee is',
      'rising',
      'Priority fees are',
      'falling',
      'Congestion',
      '51 %',
      'Source',
      'gas API',
      'Age',
      'just now',
      ...levelOf('Low', '15 sec to 30 sec'),
      ...levelOf('Medium', '15 sec to 30 sec'),
      ...levelOf('High', '15 sec'),
    ]);
  });

  it('says how old figures are that are old', () => {
    const texts = draw({ market: { ...market, ageMs: 30_000 } });
    expect(texts).toContain(textOf('gas.asOf', { age: '30 sec' }));
  });

  it('shows a gas price as one, and nothing that is not known', () => {
    const bare = {
      ...market,
      source: 'gas-price' as const,
      baseFee: undefined,
      baseFees: [],
      waits: undefined,
      congestion: undefined,
      baseFeeTrend: undefined,
      priorityFeeTrend: undefined,
    };
    expect(draw({ market: bare })).toStrictEqual([
      'Gas market',
      'Network',
      'Ethereum (eip155:1)',
      'Source',
      textOf('source.gasPrice'),
      'Age',
      'just now',
      ...['Low', 'Medium', 'High'].flatMap((name) => [
        name,
        'Gas price',
        '2 gwei',
        'A transfer costs at most',
        '0.000042 ETH',
      ]),
    ]);
  });

  it.each([
    ['ok', 'fine, 10 sec ago'],
    ['limited', 'too many requests, 10 sec ago'],
    ['quota', 'the quota is used up, 10 sec ago'],
    ['denied', 'key or origin refused, 10 sec ago'],
    ['unreachable', 'not reachable, 10 sec ago'],
    ['failed', 'of no use, 10 sec ago'],
  ] as const)('says how a server answered: %s', (kind, words) => {
    const servers = { ...view.servers, gas: { at: 90_000, kind } };
    const texts = draw({ market: undefined, servers });
    expect(texts.slice(-2)).toStrictEqual(['Gas API, last answer', words]);
  });

  it('says when a server wants to be asked again', () => {
    const gas = { at: 90_000, kind: 'limited', retryAt: 107_000 } as const;
    const servers = { ...view.servers, gas };
    expect(draw({ servers }).at(-1)).toBe(
      'too many requests, 10 sec ago; to be asked again in 7 sec',
    );
  });

  it('lists where the fees of all networks come from', () => {
    const inUse = [
      { chain: 'eip155:1', source: 'gas-api' as const, ageMs: 3_000 },
      { chain: 'eip155:777', source: 'fee-history' as const, ageMs: 120_000 },
    ];
    const texts = draw({ servers: { ...view.servers, inUse } });
    expect(texts.slice(-5)).toStrictEqual([
      'Sources in use',
      'Ethereum (eip155:1)',
      'gas API, 3 sec',
      'eip155:777',
      'past blocks, 2 min',
    ]);
  });
});
