import { jest } from '@jest/globals';

import { findBlockMs } from '../../../src/fees/block-time';
import { refuses } from '../../support/fake-node';
import { createFeeBench } from '../../support/fee-bench';
import type { FeeBench } from '../../support/fee-bench';

type Header = { number: unknown; timestamp: unknown } | null;

const header = (number: number, timestamp: number): Header => ({
  number: `0x${number.toString(16)}`,
  timestamp: `0x${timestamp.toString(16)}`,
});

/** A node of a chain with these blocks, by tag or number. */
function setup(blocks: Record<string, Header>): FeeBench {
  return createFeeBench(undefined, {
    eth_getBlockByNumber: ([block]) => (blocks[block as string] ?? null) as never,
  });
}

const find = async ({ chainOf }: FeeBench): Promise<number | undefined> =>
  findBlockMs(chainOf().node);

describe('the time of a block', () => {
  it('is measured from the finalized block to the newest, by one request', async () => {
    const bench = setup({
      latest: header(1_000, 5_000),
      finalized: header(936, 4_872),
    });
    expect(await find(bench)).toBe(2_000);
    expect(bench.node.calls.map(({ params }) => params)).toStrictEqual([
      ['latest', false],
      ['finalized', false],
    ]);
  });

  it('is exact below a second', async () => {
    const blocks = { latest: header(1_000, 5_000), finalized: header(900, 4_975) };
    expect(await find(setup(blocks))).toBe(250);
  });

  it.each<[string, Header]>([
    ['has none', null],
    ['is that of the newest', header(1_000, 5_000)],
    ['is another chain’s', header(1_001, 4_000)],
    ['has no number', { number: null, timestamp: '0x1' }],
  ])('is measured over twenty blocks where the finalized one %s', async (_how, it_) => {
    const blocks = {
      latest: header(1_000, 5_000),
      finalized: it_,
      '0x3d4': header(980, 4_760),
    };
    expect(await find(setup(blocks))).toBe(12_000);
  });

  it('is measured from the first block on where there are fewer', async () => {
    const blocks = { latest: header(3, 1_006), '0x0': header(0, 1_000) };
    expect(await find(setup(blocks))).toBe(2_000);
  });

  it('is a minute at most: some chains pause while nobody sends', async () => {
    const blocks = { latest: header(3, 9_000_000), '0x0': header(0, 1_000) };
    expect(await find(setup(blocks))).toBe(60_000);
  });

  it.each<[string, Record<string, Header>]>([
    ['has no blocks', {}],
    ['has one block', { latest: header(0, 5_000), '0x0': header(0, 5_000) }],
    ['has no earlier one', { latest: header(1_000, 5_000) }],
    ['has no clock', { latest: header(9, 5), finalized: header(8, 5) }],
    ['goes backwards', { latest: header(9, 5), finalized: header(8, 6) }],
    ['answers nonsense', { latest: { number: 7, timestamp: [] } }],
  ])('is not known where the node %s', async (_what, blocks) => {
    expect(await find(setup(blocks))).toBeUndefined();
  });

  it('is not known where the node refuses to tell', async () => {
    const eth_getBlockByNumber = refuses({ code: -32601, message: 'No.' });
    expect(await find(createFeeBench(undefined, { eth_getBlockByNumber }))).toBe(
      undefined,
    );
  });

  it('is not waited for longer than two seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const never = new Promise(() => undefined) as never;
      const finding = find(createFeeBench(undefined, { eth_getBlockByNumber: never }));
      jest.advanceTimersByTime(2_000);
      expect(await finding).toBeUndefined();
    } finally {
      jest.useRealTimers();
    }
  });
});
