/** @jsxImportSource preact */
// The chart: base fees of the last blocks, where they have been before, the three levels.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { levelNames } from './market';
import type { Market } from './market';
import { createScale, spread, toGwei, toPath } from './scale';
import type { Scale } from './scale';

const HEIGHT = 280;

/** Space of a level's name, in pixels. */
const NAME_HEIGHT = 15;

/** Draw the chart, as wide as its place. The table beside it says the same to readers. */
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

function Drawing({ market, width }: { market: Market; width: number }): JSX.Element {
  const { fees, points } = market;
  const levels = levelNames.map((name) => ({
    name,
    gwei: toGwei(fees[name].suggestedMaxFeePerGas),
  }));
  const range = fees.historicalBaseFeeRange.map(toGwei) as [number, number];
  const others = [...levels.map(({ gwei }) => gwei), ...range];
  const scale = createScale({ width, height: HEIGHT, points, others });
  return (
    <>
      <Axes scale={scale} points={points} />
      <Range scale={scale} range={range} />
      <Levels scale={scale} levels={levels} />
      <Line scale={scale} points={points} />
    </>
  );
}

type Drawn = { scale: Scale; points: Market['points'] };

function Axes({ scale: { y, ticks, inner }, points }: Drawn): JSX.Element {
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            class="grid"
            x1={inner.left}
            x2={inner.right}
            y1={y(tick)}
            y2={y(tick)}
          />
          <text class="tick" x={inner.left - 8} y={y(tick) + 4} text-anchor="end">
            {tick}
          </text>
        </g>
      ))}
      <text class="tick" x={inner.left} y={inner.bottom + 18}>
        {points[0]?.block ? `block ${points[0].block}` : ''}
      </text>
      <text class="tick" x={inner.right} y={inner.bottom + 18} text-anchor="end">
        {points.at(-1)?.block || 'now'}
      </text>
    </>
  );
}

function Range({
  scale: { y, inner },
  range: [low, high],
}: {
  scale: Scale;
  range: [number, number];
}): JSX.Element {
  return (
    <rect
      class="range"
      x={inner.left}
      y={y(high)}
      width={inner.right - inner.left}
      height={Math.max(y(low) - y(high), 1)}
    />
  );
}

function Levels({
  scale: { y, inner },
  levels,
}: {
  scale: Scale;
  levels: readonly { name: string; gwei: number }[];
}): JSX.Element {
  const heights = levels.map(({ gwei }) => y(gwei));
  const names = spread(heights, NAME_HEIGHT);
  return (
    <>
      {levels.map(({ name }, index) => (
        <g key={name} class={`level ${name}`}>
          <line
            x1={inner.left}
            x2={inner.right}
            y1={heights[index]}
            y2={heights[index]}
          />
          <text x={inner.right + 8} y={(names[index] ?? 0) + 4}>
            {name}
          </text>
        </g>
      ))}
    </>
  );
}

function Line({ scale: { x, y, inner }, points }: Drawn): JSX.Element {
  const places = points.map(({ block, fee }) => [x(block), y(toGwei(fee))] as const);
  const [lastX, lastY] = places.at(-1) ?? [inner.left, inner.bottom];
  const path = toPath(places);
  return (
    <g class="base">
      <path
        class="area"
        d={`${path}L${lastX} ${inner.bottom}L${inner.left} ${inner.bottom}Z`}
      />
      <path class="line" d={path} />
      <circle cx={lastX} cy={lastY} r="4" />
    </g>
  );
}

function describe(market: Market | undefined): string {
  if (!market) return 'Chart of base fees; nothing is known yet';
  const [first, last] = [market.points[0], market.points.at(-1)];
  return (
    `Base fees of ${market.points.length} blocks, from ${toGwei(first?.fee ?? 0n)} to ` +
    `${toGwei(last?.fee ?? 0n)} gwei, with the levels low, medium and high`
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
