import { createScale, spread, toPath } from '../../../dev/dapp/gas/scale';

const points = [
  { block: 10, fee: 1_000_000_000n },
  { block: 20, fee: 2_000_000_000n },
];

it('gives blocks and fees their places, and marks round figures', () => {
  const { x, y, ticks, inner } = createScale({
    width: 516,
    height: 140,
    points,
    others: [3.5],
  });
  expect(inner).toStrictEqual({ left: 52, right: 452, top: 14, bottom: 114 });
  expect([x(10), x(15), x(20)]).toStrictEqual([52, 252, 452]);
  expect(ticks).toStrictEqual([0, 1, 2, 3, 4]);
  expect([y(0), y(4)]).toStrictEqual([114, 14]);
});

it('marks tiny fees exactly', () => {
  const { ticks } = createScale({
    width: 500,
    height: 140,
    points: [],
    others: [0.007],
  });
  expect(ticks).toStrictEqual([0, 0.002, 0.004, 0.006, 0.008]);
});

it('stands a lone block and no fees at all', () => {
  const { x, y } = createScale({
    width: 500,
    height: 140,
    points: [{ block: 0, fee: 0n }],
    others: [],
  });
  expect([x(0), y(0)]).toStrictEqual([52, 114]);
});

it('moves names apart, the lowest one staying', () => {
  expect(spread([100, 98, 50], 15)).toStrictEqual([100, 85, 50]);
  expect(spread([100, 99, 98], 15)).toStrictEqual([100, 85, 70]);
});

it('writes a path', () => {
  expect(
    toPath([
      [0, 1],
      [2.25, 3],
    ]),
  ).toBe('M0.0 1.0L2.3 3.0');
});
