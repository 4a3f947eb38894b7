import { drawGasChart } from '../../../src/home/gas-chart';
import type { GasChartView } from '../../../src/home/gas-chart';
import type { TextKey, Translate } from '../../../src/ui/i18n';
import { textOf, translate } from '../../support/view';

const GWEI = 1_000_000_000n;

const view: GasChartView = {
  translate,
  baseFees: [10n * GWEI, 20n * GWEI, 15n * GWEI],
  levels: levelsOf(16n * GWEI, 22n * GWEI, 40n * GWEI),
  congestion: 0.5,
};

function levelsOf(...maxima: [bigint, bigint, bigint]): GasChartView['levels'] {
  const [low, medium, high] = maxima.map((maxFeePerGas) => ({ maxFeePerGas }));
  return { low, medium, high } as GasChartView['levels'];
}

function setup(fields: Partial<GasChartView> = {}) {
  const svg = drawGasChart({ ...view, ...fields });
  expect(isWellFormed(svg)).toBe(true);
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)</gu)].map(([, text = '']) => text);
  const lines = svg.matchAll(/<line[^>]*y1="([\d.]+)"[^>]*dasharray/gu);
  return { svg, texts, levels: [...lines].map(([, y]) => Number(y)) };
}

// Requires closed elements, quoted attributes and escaped text.
function isWellFormed(svg: string): boolean {
  const empty =
    /<(\w+)(?: [\w-]+="[^"<&]*")*>(?:[^<&]|&(?:amp|lt|gt|quot|#\d+);)*<\/\1>/gu;
  const without = svg.replace(empty, '');
  return without === svg ? svg === '' : isWellFormed(without);
}

describe('the gas market chart', () => {
  it('shows the levels, the axis, the blocks and the congestion', () => {
    expect(setup().texts).toStrictEqual([
      'gwei',
      '0',
      '21',
      '42',
      textOf('gas.blocksAgo', { count: '2' }),
      textOf('gas.nextBlock'),
      textOf('level.high'),
      textOf('level.medium'),
      textOf('level.low'),
      textOf('gas.congestionShort', { percent: '50' }),
    ]);
  });

  it('draws base fees from left to right, at their height', () => {
    const { svg } = setup();
    const points = /<polyline points="([^"]*)"/u.exec(svg)?.[1];
    expect(points).toBe('52,151 214,111.9 376,131.4');
  });

  it('draws higher levels higher up', () => {
    const { levels } = setup();
    expect(levels).toStrictEqual([33.8, 104.1, 127.5]);
  });

  it.each([
    ['no block is known', []],
    ['one block is known', [GWEI]],
  ])('draws no history if %s', (_what, baseFees: bigint[]) => {
    const { svg, texts } = setup({ baseFees });
    expect(svg).not.toContain('polyline');
    expect(texts).not.toContain(textOf('gas.nextBlock'));
  });

  it('draws no gauge if the congestion is unknown', () => {
    const { svg } = setup({ congestion: undefined });
    expect(svg).not.toContain('<rect');
    expect(svg).toContain('height="218"');
  });

  it.each([
    [0, '#2f9e62', 10],
    [0.5, '#c98a12', 210],
    [1, '#dd4f4f', 420],
  ])('fills the gauge to the congestion %d', (congestion, color, width) => {
    const { svg } = setup({ congestion });
    expect(svg).toContain(`width="${width}" fill="${color}"`);
  });

  it('keeps the labels of equal levels apart, within the chart', () => {
    const { svg } = setup({ levels: levelsOf(1n, 1n, 1n), baseFees: [] });
    const heights = [...svg.matchAll(/<text[^>]*x="384" y="([\d.]+)"/gu)].map(([, y]) =>
      Number(y),
    );
    const [high = 0, medium = 0, low = 0] = heights;
    expect([medium - high, low - medium]).toStrictEqual([
      expect.closeTo(17),
      expect.closeTo(17),
    ]);
    expect(low).toBeLessThanOrEqual(194);
  });

  it.each([
    ['zero', 0n],
    ['the largest possible', 2n ** 256n - 1n],
  ])('is well-formed with fees that are %s', (_what, fee) => {
    const { svg } = setup({ baseFees: [fee, fee], levels: levelsOf(fee, fee, fee) });
    expect(svg).not.toMatch(/NaN|Infinity|undefined/u);
  });

  it('escapes special characters in translations', () => {
    const odd: Translate = Object.assign((key: TextKey) => `<&"'> ${key}`, {
      template: (key: TextKey) => key,
      language: 'de',
    });
    const { svg, texts } = setup({ translate: odd });
    expect(texts[0]).toBe('&#60;&#38;&#34;&#39;&#62; unit.gweiAlone');
    expect(svg).not.toContain('<&');
    expect(texts).toContain('21');
  });
});
