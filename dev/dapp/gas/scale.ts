// Where a chart's figures stand: pure, in pixels.
import type { Point } from './market';

/** A chart's place, and what it must show. */
export type Frame = {
  width: number;
  height: number;
  points: readonly Point[];
  /** Other values that must be seen, in gwei. */
  others: readonly number[];
};

/** Places of a chart. */
export type Scale = {
  x: (block: number) => number;
  /** Of gwei. */
  y: (gwei: number) => number;
  /** Marks of the upright axis, in gwei. */
  ticks: readonly number[];
  inner: { left: number; right: number; top: number; bottom: number };
};

/** Space around the chart: figures stand left of it, names of levels right. */
const MARGIN = { left: 52, right: 64, top: 14, bottom: 26 };

const TICKS = 4;

/** Convert wei to gwei, as a number: a picture's precision. */
export function toGwei(wei: bigint): number {
  return Number(wei) / 1e9;
}

/** Compute where everything stands. */
export function createScale({ width, height, points, others }: Frame): Scale {
  const inner = {
    left: MARGIN.left,
    right: Math.max(width - MARGIN.right, MARGIN.left + 1),
    top: MARGIN.top,
    bottom: height - MARGIN.bottom,
  };
  const highest = Math.max(1e-9, ...others, ...points.map(({ fee }) => toGwei(fee)));
  const step = niceStep(highest / TICKS);
  const count = Math.ceil(highest / step);
  const top = step * count;
  const first = points[0]?.block ?? 0;
  const span = Math.max((points.at(-1)?.block ?? 0) - first, 1);
  return {
    x: (block) => inner.left + ((block - first) / span) * (inner.right - inner.left),
    y: (gwei) => inner.bottom - (gwei / top) * (inner.bottom - inner.top),
    ticks: Array.from({ length: count + 1 }, (_, index) => round(index * step)),
    inner,
  };
}

/** Write a path through points. */
export function toPath(points: readonly (readonly [number, number])[]): string {
  return points
    .map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('');
}

/** Move heights apart so that their names do not overlap; in the order given, from above. */
export function spread(heights: readonly number[], gap: number): number[] {
  const order = heights.map((_, index) => index);
  order.sort((one, other) => (heights[one] ?? 0) - (heights[other] ?? 0));
  const moved = [...heights];
  // From below, since the lowest level stands at the bottom and has no room there.
  for (let place = order.length - 2; place >= 0; place -= 1) {
    const [own, below] = [order[place] ?? 0, order[place + 1] ?? 0];
    moved[own] = Math.min(moved[own] ?? 0, (moved[below] ?? 0) - gap);
  }
  return moved;
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10;
  return factor * power;
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}
