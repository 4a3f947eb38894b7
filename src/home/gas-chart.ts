// The chart of the gas market: the base fees of past blocks as an area, the three levels as lines
// over it, and the congestion as a gauge. Pure.
import { weiToGwei } from '../eth/units';
import { toShownRounded } from '../ui/format';
import type { Translate } from '../ui/i18n';
import { levelKeys, levelNames } from '../ui/words';
import type { LevelName } from '../ui/words';

const WIDTH = 480;

const PLOT = { left: 52, right: 376, top: 26, bottom: 190 } as const;

const HEIGHT = { plain: 218, withGauge: 264 } as const;

/** Least distance between the words of two levels. */
const LINE = 17;

// Readable on a light and on a dark background: MetaMask does not say which it has.
const colors = {
  text: '#7a8494',
  grid: '#8a94a4',
  baseFee: '#4c7df0',
  low: '#2f9e62',
  medium: '#c98a12',
  high: '#dd4f4f',
} as const;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const fromHighest = [...levelNames].reverse();

/** Input of the chart; fees in wei. */
export type GasChartView = {
  translate: Translate;
  /** From the oldest block on; fewer than two are not drawn. */
  baseFees: readonly bigint[];
  levels: Record<LevelName, { maxFeePerGas: bigint }>;
  /** From 0, empty blocks, to 1, where it is known. */
  congestion?: number | undefined;
};

type Scale = { top: number; y: (gwei: number) => number };

export function drawGasChart(view: GasChartView): string {
  const { translate, baseFees, levels, congestion } = view;
  const fees = baseFees.map(toGwei);
  const maxima = fromHighest.map((name) => toGwei(levels[name].maxFeePerGas));
  const scale = toScale([...fees, ...maxima]);
  const hasGauge = congestion !== undefined;
  const height = hasGauge ? HEIGHT.withGauge : HEIGHT.plain;
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    width: WIDTH,
    height,
    viewBox: `0 0 ${WIDTH} ${height}`,
  };
  return element('svg', attributes, [
    label(translate('unit.gweiAlone'), { x: 4, y: 12 }),
    ...drawAxis(scale, translate),
    ...drawArea(fees, scale),
    ...drawBlocks(fees.length, translate),
    ...drawLevels(maxima, { scale, translate }),
    ...(hasGauge ? drawGauge(congestion, translate) : []),
  ]);
}

// A chart needs no exact figures.
function toGwei(wei: bigint): number {
  return Number(weiToGwei(wei));
}

function toScale(fees: readonly number[]): Scale {
  const top = Math.max(...fees, Number.MIN_VALUE) * 1.05;
  const height = PLOT.bottom - PLOT.top;
  return { top, y: (gwei) => at(PLOT.bottom - (gwei / top) * height) };
}

function drawAxis({ top, y }: Scale, translate: Translate): string[] {
  return [0, 0.5, 1].flatMap((part) => {
    const height = y(top * part);
    const words = toShownRounded(String(top * part), translate);
    return [
      element('line', {
        x1: PLOT.left,
        x2: PLOT.right,
        y1: height,
        y2: height,
        stroke: colors.grid,
        'stroke-opacity': 0.35,
      }),
      label(words, { x: PLOT.left - 6, y: height + 4, 'text-anchor': 'end' }),
    ];
  });
}

function drawArea(fees: readonly number[], { y }: Scale): string[] {
  if (fees.length < 2) return [];
  const step = (PLOT.right - PLOT.left) / (fees.length - 1);
  const points = fees.map((fee, index) => `${at(PLOT.left + index * step)},${y(fee)}`);
  const corners = `${PLOT.right},${PLOT.bottom} ${PLOT.left},${PLOT.bottom}`;
  return [
    element('polygon', {
      points: `${points.join(' ')} ${corners}`,
      fill: colors.baseFee,
      'fill-opacity': 0.2,
    }),
    element('polyline', {
      points: points.join(' '),
      fill: 'none',
      stroke: colors.baseFee,
      'stroke-width': 2,
    }),
  ];
}

function drawBlocks(count: number, translate: Translate): string[] {
  if (count < 2) return [];
  const y = PLOT.bottom + 20;
  const blocks = translate('gas.blocksAgo', { count: String(count - 1) });
  return [
    label(blocks, { x: PLOT.left, y }),
    label(translate('gas.nextBlock'), { x: PLOT.right, y, 'text-anchor': 'end' }),
  ];
}

function drawLevels(
  maxima: readonly number[],
  { scale, translate }: { scale: Scale; translate: Translate },
): string[] {
  const heights = maxima.map(scale.y);
  const places = apart(heights);
  return fromHighest.flatMap((name, index) => {
    const y = heights[index] ?? 0;
    const line = { x1: PLOT.left, x2: PLOT.right, y1: y, y2: y, stroke: colors[name] };
    const where = { x: PLOT.right + 8, y: (places[index] ?? 0) + 4 };
    return [
      element('line', { ...line, 'stroke-width': 1.5, 'stroke-dasharray': '6 4' }),
      label(translate(levelKeys[name]), { ...where, fill: colors[name] }),
    ];
  });
}

// From the top downwards, and none below the plot.
function apart(heights: readonly number[]): number[] {
  const lowest = PLOT.bottom - (heights.length - 1) * LINE;
  return heights.reduce<number[]>((places, height, index) => {
    const highest = Math.min(height, lowest + index * LINE);
    return [...places, Math.max(highest, (places.at(-1) ?? -LINE) + LINE)];
  }, []);
}

function drawGauge(congestion: number, translate: Translate): string[] {
  const percent = toShownRounded(String(Math.round(congestion * 100)), translate);
  const bar = { x: PLOT.left, y: 244, height: 10, rx: 5 };
  const width = WIDTH - PLOT.left - 8;
  const level = congestion < 0.4 ? 'low' : congestion < 0.75 ? 'medium' : 'high';
  return [
    label(translate('gas.congestionShort', { percent }), { x: PLOT.left, y: 236 }),
    element('rect', { ...bar, width, fill: colors.grid, 'fill-opacity': 0.3 }),
    element('rect', {
      ...bar,
      width: at(Math.max(bar.height, width * congestion)),
      fill: colors[level],
    }),
  ];
}

type Attributes = Record<string, string | number>;

// The children are elements, or text that is escaped already.
function element(
  name: string,
  attributes: Attributes,
  children: readonly string[] = [],
): string {
  const own = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeText(String(value))}"`,
  );
  return `<${name}${own.join('')}>${children.join('')}</${name}>`;
}

function label(text: string, attributes: Attributes): string {
  const style = { 'font-family': 'sans-serif', 'font-size': 13, fill: colors.text };
  return element('text', { ...style, ...attributes }, [escapeText(text)]);
}

// More than one decimal is not visible.
function at(position: number): number {
  return Math.round(position * 10) / 10;
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => ENTITIES[character] ?? character);
}
