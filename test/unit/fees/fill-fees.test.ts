import { toTransactionJson } from '../../../src/eth/sign-transaction';
import { askedOf } from '../../support/fake-node';
import { PRICE_LEVELS } from '../../support/fees';
import { createFillBench, MARKET } from '../../support/fill-bench';
import { ACCESS_LIST, subsetsOf, withoutFields } from '../../support/transactions';

const { medium } = MARKET;

describe('filling fees', () => {
  const price = (16_284_026_964n * 9n + 7n) / 8n + 100_000_000n;

  it.each([
    ['both', {}, { type: '0x2', ...medium }],
    ['both of type 0x2', { type: '0x2' }, { type: '0x2', ...medium }],
    [
      'the priority fee below the maximum that is there',
      { maxFeePerGas: '0x5' },
      { maxFeePerGas: 5n, maxPriorityFeePerGas: 5n },
    ],
    [
      'the priority fee as it is where the maximum has room',
      { maxFeePerGas: '0x174876e800' },
      { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 100_000_000n },
    ],
    [
      'the maximum on top of the priority fee that is there',
      { maxPriorityFeePerGas: '0x174876e800' },
      {
        maxFeePerGas: medium.maxFeePerGas - 100_000_000n + 100_000_000_000n,
        maxPriorityFeePerGas: 100_000_000_000n,
      },
    ],
    ['a gas price for one full block more', { type: '0x0' }, { gasPrice: price }],
    ['it for type 0x1 too', { type: '0x1' }, { gasPrice: price, accessList: [] }],
  ])('adds %s', async (_what, fields, filled) => {
    expect(await createFillBench().fill(fields)).toMatchObject(filled);
  });

  it('adds no gas price above the maximum fee', async () => {
    const low = { maxFeePerGas: 16_300_000_000n, maxPriorityFeePerGas: 100_000_000n };
    const { fill } = createFillBench({ ...MARKET, medium: low });
    expect(await fill({ type: '0x0' })).toMatchObject({ gasPrice: low.maxFeePerGas });
  });

  it.each([
    [{}, { type: '0x0', gasPrice: 7n }],
    [{ type: '0x0' }, { type: '0x0', gasPrice: 7n }],
    [{ accessList: ACCESS_LIST }, { type: '0x1', gasPrice: 7n }],
    [{ type: '0x2' }, { type: '0x2', maxFeePerGas: 7n, maxPriorityFeePerGas: 7n }],
    [
      { maxFeePerGas: '0x9' },
      { type: '0x2', maxFeePerGas: 9n, maxPriorityFeePerGas: 7n },
    ],
    [
      { maxPriorityFeePerGas: '0x2' },
      { type: '0x2', maxFeePerGas: 2n, maxPriorityFeePerGas: 2n },
    ],
  ])(
    'makes a whole of what is there without a base fee (case %#)',
    async (fields, filled) => {
      expect(await createFillBench(PRICE_LEVELS).fill(fields)).toMatchObject(filled);
    },
  );

  it.each([
    [{ gasPrice: '0x3' }, { type: '0x0', gasPrice: 3n }],
    [
      { gasPrice: '0x3', accessList: [] },
      { type: '0x1', gasPrice: 3n, accessList: [] },
    ],
    [
      { maxFeePerGas: '0x3', maxPriorityFeePerGas: '0x2' },
      { type: '0x2', maxFeePerGas: 3n, maxPriorityFeePerGas: 2n, accessList: [] },
    ],
  ])('asks for no levels where fees are there (case %#)', async (fields, filled) => {
    const { fill, asked } = createFillBench();
    expect(await fill(fields)).toMatchObject(filled);
    expect(asked.levels).toBe(0);
  });
});

describe('what is present', () => {
  const fields = {
    nonce: '0x9',
    gasLimit: '0x30d40',
    chainId: '0x1',
    accessList: ACCESS_LIST,
  };
  const kinds = [
    { type: '0x0' },
    { type: '0x0', gasPrice: '0x1' },
    { type: '0x1', gasPrice: '0x1' },
    { gasPrice: '0x1' },
    {},
    { type: '0x2' },
    { maxFeePerGas: '0x3' },
    { type: '0x2', maxPriorityFeePerGas: '0x2' },
    { maxFeePerGas: '0x3', maxPriorityFeePerGas: '0x2' },
    { type: '0x2', maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' },
  ];
  const cases = kinds.flatMap((kind) =>
    subsetsOf(Object.keys(fields)).map((left) => ({
      ...withoutFields(fields, kind.type === '0x0' ? [...left, 'accessList'] : left),
      ...kind,
    })),
  );

  // Every mixture of present and absent fields, on both kinds of chains.
  it.each([MARKET, PRICE_LEVELS])('is never altered (levels %#)', async (levels) => {
    for (const given of cases) {
      const { fill, node } = createFillBench(levels);
      const filled = await fill(given);
      expect(toTransactionJson(filled)).toMatchObject(given);
      expect(Object.values(filled)).not.toContain(undefined);
      if (filled.type === '0x2') {
        expect(filled.maxFeePerGas >= filled.maxPriorityFeePerGas).toBe(true);
      }
      expect(askedOf(node).sort()).toStrictEqual([
        ...('gasLimit' in given ? [] : ['eth_estimateGas']),
        ...('nonce' in given ? [] : ['eth_getTransactionCount']),
      ]);
    }
  });
});
