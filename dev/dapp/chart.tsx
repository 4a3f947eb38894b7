/** @jsxImportSource preact */
// The chart of the gas market: base fees of the last blocks, their usual range, the three
// levels. The table below it says the same to screen readers.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { Market, Point } from './market';

/** The three levels, as they are shown. */
export const levelNames = ['low', 'medium', 'high'] as const;

/** Height of the chart, and of the name of a level, in pixels. */
const HEIGHT = 280;
const NAME_HEIGHT = 15;

/** Space around the chart: figures stand left of it, names of levels right. */
const MARGIN = { left: 52, right: 64, top: 14, bottom: 26 };

const TICKS = 4;

/** The chart, as wide as its place. */
export function Chart({ market }: { market: Market | undefined }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  return (
    <div ref={place} class="chart">
      <svg
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={describe(market)}
      >
        {market && width > 0 && <Drawing market={market} width={width} />}
      </svg>
    </div>
  );
}

function useWidth(place: { current: HTMLDivElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
  return width;
}

function describe(market: Market | undefined): string {
  if (!market) return 'Chart of base fees; nothing is known yet';
  const [first, last] = [market.points[0], market.points.at(-1)];
  return (
    `Base fees of ${market.points.length} blocks, from ${toGwei(first?.fee ?? 0n)} to ` +
    `${toGwei(last?.fee ?? 0n)} gwei, with the levels low, medium and high`
  );
}

function Drawing({ market, width }: { market: Market; width: number }): JSX.Element {
  const { fees, points } = market;
  const levels = levelNames.map((name) => toGwei(fees[name].suggestedMaxFeePerGas));
  const [low, high] = fees.historicalBaseFeeRange.map(toGwei) as [number, number];
  const { x, y, ticks, inner } = createScale(width, points, [...levels, low, high]);
  const { left, right, bottom } = inner;
  const line = points.map(({ block, fee }) => [x(block), y(toGwei(fee))] as const);
  const [lastX, lastY] = line.at(-1) ?? [left, bottom];
  const path = line
    .map(([at, height], index) => {
      return `${index === 0 ? 'M' : 'L'}${at.toFixed(1)} ${height.toFixed(1)}`;
    })
    .join('');
  const heights = levels.map(y);
  const names = spread(heights, NAME_HEIGHT);
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line class="grid" x1={left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text class="tick" x={left - 8} y={y(tick) + 4} text-anchor="end">
            {tick}
          </text>
        </g>
      ))}
      <text class="tick" x={left} y={bottom + 18}>
        {points.length > 1 ? `block ${points[0]?.block}` : ''}
      </text>
      <text class="tick" x={right} y={bottom + 18} text-anchor="end">
        {points.length > 1 ? points.at(-1)?.block : 'now'}
      </text>
      <rect
        class="range"
        x={left}
        y={y(high)}
        width={right - left}
        height={Math.max(y(low) - y(high), 1)}
      />
      {levelNames.map((name, index) => (
        <g key={name} class={`level ${name}`}>
          <line x1={left} x2={right} y1={heights[index]} y2={heights[index]} />
          <text x={right + 8} y={(names[index] ?? 0) + 4}>
            {name}
          </text>
        </g>
      ))}
      <g class="base">
        <path class="area" d={`${path}L${lastX} ${bottom}L${left} ${bottom}Z`} />
        <path class="line" d={path} />
        <circle cx={lastX} cy={lastY} r="4" />
      </g>
    </>
  );
}

type Scale = {
  x: (block: number) => number;
  y: (gwei: number) => number;
  /** Marks of the vertical axis, in gwei. */
  ticks: readonly number[];
  inner: { left: number; right: number; bottom: number };
};

// `others` are further values in gwei that must be seen.
function createScale(
  width: number,
  points: readonly Point[],
  others: readonly number[],
): Scale {
  const { left, top } = MARGIN;
  const right = Math.max(width - MARGIN.right, left + 1);
  const bottom = HEIGHT - MARGIN.bottom;
  const highest = Math.max(1e-9, ...others, ...points.map(({ fee }) => toGwei(fee)));
  const step = niceStep(highest / TICKS);
  const count = Math.ceil(highest / step);
  const first = points[0]?.block ?? 0;
  const span = Math.max((points.at(-1)?.block ?? 0) - first, 1);
  return {
    x: (block) => left + ((block - first) / span) * (right - left),
    y: (gwei) => bottom - (gwei / (step * count)) * (bottom - top),
    ticks: Array.from({ length: count + 1 }, (_, index) =>
      Number((index * step).toPrecision(12)),
    ),
    inner: { left, right, bottom },
  };
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10;
  return factor * power;
}

// Moves heights apart so that their names do not overlap, upwards: there is no room below the
// lowest level.
function spread(heights: readonly number[], gap: number): number[] {
  const order = heights.map((_, index) => index);
  order.sort((one, other) => (heights[one] ?? 0) - (heights[other] ?? 0));
  const moved = [...heights];
  for (let place = order.length - 2; place >= 0; place -= 1) {
    const [own, below] = [order[place] ?? 0, order[place + 1] ?? 0];
    moved[own] = Math.min(moved[own] ?? 0, (moved[below] ?? 0) - gap);
  }
  return moved;
}

// As a number, which is precise enough for a picture.
function toGwei(wei: bigint): number {
  return Number(wei) / 1e9;
}
