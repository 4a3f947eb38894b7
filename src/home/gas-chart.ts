// Draws the gas market as a chart: base fees as an area, the maximum fees of the three levels as
// dashed lines, and the congestion as a gauge.
import { weiToGwei } from '../eth/units';
import { toShownRounded } from '../ui/format';
import { levelNames } from '../ui/i18n';
import type { LevelName, Translate } from '../ui/i18n';

const WIDTH = 480;

const PLOT = { left: 52, right: 376, top: 26, bottom: 190 } as const;

const HEIGHT = { plain: 218, withGauge: 264 } as const;

const LINE = 17;

// Readable on light and dark backgrounds, because MetaMask does not say which theme it uses.
const colors = {
  text: '#7a8494',
  grid: '#8a94a4',
  baseFee: '#4c7df0',
  low: '#2f9e62',
  medium: '#c98a12',
  high: '#dd4f4f',
} as const;

const TEXT = `fill="${colors.text}"`;

const AT_END = `${TEXT} text-anchor="end"`;

const fromHighest = [...levelNames].reverse();

/** Fees are in wei. */
export type GasChartView = {
  translate: Translate;
  /** Oldest block first. The base fees are drawn only if there are at least two. */
  baseFees: readonly bigint[];
  levels: Record<LevelName, { maxFeePerGas: bigint }>;
  /** From 0 (empty blocks) to 1 (full blocks), if known. */
  congestion?: number | undefined;
};

type Scale = { top: number; y: (gwei: number) => number };

export function drawGasChart(view: GasChartView): string {
  const { translate, baseFees, levels, congestion } = view;
  const fees = baseFees.map(toGwei);
  const maxima = fromHighest.map((name) => toGwei(levels[name].maxFeePerGas));
  const scale = toScale([...fees, ...maxima]);
  const height = congestion === undefined ? HEIGHT.plain : HEIGHT.withGauge;
  const size = `width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"`;
  const parts = [
    drawLabel(translate('unit.gweiAlone'), [4, 12]),
    ...drawAxis(scale, translate),
    ...(fees.length < 2 ? [] : drawPast(fees, scale, translate)),
    ...drawLevels(maxima, scale, translate),
    ...(congestion === undefined ? [] : drawGauge(congestion, translate)),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${parts.join('')}</svg>`;
}

function toGwei(wei: bigint): number {
  return Number(weiToGwei(wei));
}

function toScale(fees: readonly number[]): Scale {
  const top = Math.max(...fees, Number.MIN_VALUE) * 1.05;
  const height = PLOT.bottom - PLOT.top;
  return { top, y: (gwei) => round(PLOT.bottom - (gwei / top) * height) };
}

function drawAxis({ top, y }: Scale, translate: Translate): string[] {
  return [0, 0.5, 1].flatMap((part) => {
    const height = y(top * part);
    const words = toShownRounded(String(top * part), translate);
    return [
      drawLine(height, `stroke="${colors.grid}" stroke-opacity="0.35"`),
      drawLabel(words, [PLOT.left - 6, height + 4], AT_END),
    ];
  });
}

function drawPast(
  fees: readonly number[],
  { y }: Scale,
  translate: Translate,
): string[] {
  const { left, right, bottom } = PLOT;
  const step = (right - left) / (fees.length - 1);
  const points = fees
    .map((fee, index) => `${round(left + index * step)},${y(fee)}`)
    .join(' ');
  const area = `${points} ${right},${bottom} ${left},${bottom}`;
  const blocks = translate('gas.blocksAgo', { count: String(fees.length - 1) });
  const line = `fill="none" stroke="${colors.baseFee}" stroke-width="2"`;
  return [
    `<polygon points="${area}" fill="${colors.baseFee}" fill-opacity="0.2"></polygon>`,
    `<polyline points="${points}" ${line}></polyline>`,
    drawLabel(blocks, [left, bottom + 20]),
    drawLabel(translate('gas.nextBlock'), [right, bottom + 20], AT_END),
  ];
}

function drawLevels(
  maxima: readonly number[],
  scale: Scale,
  translate: Translate,
): string[] {
  const heights = maxima.map(scale.y);
  const places = apart(heights);
  return fromHighest.flatMap((name, index) => {
    const dashed = `stroke="${colors[name]}" stroke-width="1.5" stroke-dasharray="6 4"`;
    const place = [PLOT.right + 8, (places[index] ?? 0) + 4] as const;
    return [
      drawLine(heights[index] ?? 0, dashed),
      drawLabel(translate(`level.${name}`), place, `fill="${colors[name]}"`),
    ];
  });
}

// Separates overlapping labels from the top down, and keeps them above the bottom of the plot.
function apart(heights: readonly number[]): number[] {
  const lowest = PLOT.bottom - (heights.length - 1) * LINE;
  return heights.reduce<number[]>((places, height, index) => {
    const highest = Math.min(height, lowest + index * LINE);
    return [...places, Math.max(highest, (places.at(-1) ?? -LINE) + LINE)];
  }, []);
}

function drawGauge(congestion: number, translate: Translate): string[] {
  const percent = toShownRounded(String(Math.round(congestion * 100)), translate);
  const bar = `x="${PLOT.left}" y="244" height="10" rx="5"`;
  const width = WIDTH - PLOT.left - 8;
  const filled = round(Math.max(10, width * congestion));
  const level = congestion < 0.4 ? 'low' : congestion < 0.75 ? 'medium' : 'high';
  return [
    drawLabel(translate('gas.congestionShort', { percent }), [PLOT.left, 236]),
    `<rect ${bar} width="${width}" fill="${colors.grid}" fill-opacity="0.3"></rect>`,
    `<rect ${bar} width="${filled}" fill="${colors[level]}"></rect>`,
  ];
}

function drawLine(y: number, style: string): string {
  const { left, right } = PLOT;
  return `<line x1="${left}" x2="${right}" y1="${y}" y2="${y}" ${style}></line>`;
}

function drawLabel(
  text: string,
  [x, y]: readonly [x: number, y: number],
  style = TEXT,
): string {
  const font = 'font-family="sans-serif" font-size="13"';
  const words = text.replace(/[&<>"']/gu, (each) => `&#${each.charCodeAt(0)};`);
  return `<text ${font} ${style} x="${x}" y="${y}">${words}</text>`;
}

function round(position: number): number {
  return Math.round(position * 10) / 10;
}
