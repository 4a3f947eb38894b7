import {
  describeAge,
  describeCongestion,
  describeTrend,
  describeWait,
  mergePoints,
  readHistory,
} from '../../../dev/dapp/gas/market';

const blocks = (from: number, to: number): { block: number; fee: bigint }[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    block: from + index,
    fee: BigInt(from + index),
  }));

describe('mergePoints', () => {
  it('adds a block', () => {
    expect(mergePoints(blocks(1, 2), blocks(3, 3))).toStrictEqual(blocks(1, 3));
  });

  it('takes a block that comes again for another one', () => {
    const again = { block: 2, fee: 9n };
    expect(mergePoints(blocks(1, 3), [again])).toStrictEqual([...blocks(1, 1), again]);
  });

  it('keeps the newest sixty', () => {
    expect(mergePoints(blocks(1, 60), blocks(61, 61))).toStrictEqual(blocks(2, 61));
  });

  it('forgets what lies sixty blocks before the newest', () => {
    expect(mergePoints(blocks(1, 5), blocks(100, 100))).toStrictEqual(blocks(100, 100));
  });

  it('leaves what is known where nothing is added', () => {
    expect(mergePoints(blocks(1, 3), [])).toStrictEqual(blocks(1, 3));
  });
});

it('reads a history without the block that is to come', () => {
  const history = { oldestBlock: '0x10', baseFeePerGas: ['0x1', '0x2', '0x3'] };
  expect(readHistory(history)).toStrictEqual([
    { block: 16, fee: 1n },
    { block: 17, fee: 2n },
  ]);
});

it.each([
  [0, 'quiet'],
  [0.5, 'normal'],
  [1, 'busy'],
])('calls a congestion of %d %s', (congestion, words) => {
  expect(describeCongestion(congestion)).toBe(words);
});

it.each([
  ['up' as const, 'rising'],
  ['down' as const, 'falling'],
])('calls a trend that is %s %s', (trend, words) => {
  expect(describeTrend(trend)).toBe(words);
});

it.each([
  [15_000, 60_000, '15 to 60 s'],
  [0, 30_000, 'up to 30 s'],
  [15_000, 15_000, 'up to 15 s'],
  [0, 0, 'at once'],
])('calls a wait of %d to %d ms %s', (min, max, words) => {
  expect(describeWait(min, max)).toBe(words);
});

it.each([
  [-5, 'just now'],
  [1_400, 'just now'],
  [59_000, '59 s ago'],
  [180_000, '3 min ago'],
])('calls an age of %d ms %s', (ms, words) => {
  expect(describeAge(ms)).toBe(words);
});
