// The table of everything that is measured beside other keyring snaps, ratios first, in
// Markdown, as the README holds it.
import { toTable } from '../../docs/table';
import { findLimit } from './budgets';
import type { Figure } from './figure';

/** What was measured on one version of Node. */
export type Run = { nodeVersion: string; figures: Figure[] };

/**
 * Write the table.
 *
 * @param runs - The same figures, on one version of Node after another.
 */
export function writeFigures(runs: readonly Run[]): { text: string; missed: number } {
  const names = runs.map(({ nodeVersion }) => `Node ${majorOf(nodeVersion)}`);
  const head = [
    'What',
    ...names.map((name) => `Ratio, ${name}`),
    ...names.map((name) => `Ours / theirs / floor, ${name}`),
  ];
  const [first] = runs;
  let missed = 0;
  const rows = (first?.figures ?? []).map(({ what }) => {
    const measured = runs.map(({ nodeVersion, figures }) => {
      const figure = figures.find((each) => each.what === what);
      const limit = findLimit(what, majorOf(nodeVersion));
      if (figure && isOver(figure, limit)) missed += 1;
      return { figure, limit };
    });
    return [
      what,
      ...measured.map(({ figure, limit }) => (figure ? toRatio(figure, limit) : '')),
      ...measured.map(({ figure }) => (figure ? toSides(figure) : '')),
    ];
  });
  return { text: toTable(head, rows), missed };
}

function majorOf(nodeVersion: string): number {
  return Number.parseInt(nodeVersion.replace('v', ''), 10);
}

function ratioOf({ ours, theirs }: Figure): number {
  return ours / (theirs ?? NaN);
}

function isOver(figure: Figure, limit: number | undefined): boolean {
  return limit !== undefined && !(ratioOf(figure) <= limit);
}

function toRatio(figure: Figure, limit: number | undefined): string {
  const ratio = ratioOf(figure);
  const shown = Number.isFinite(ratio) ? ratio.toFixed(2) : '';
  if (limit === undefined) return shown;
  return isOver(figure, limit)
    ? `**${shown}**, missed (≤ ${limit})`
    : `${shown} (≤ ${limit})`;
}

function toSides({ ours, theirs, floor, unit }: Figure): string {
  const sides = [ours, theirs, floor]
    .filter((each) => each !== undefined)
    .map((each) => (unit === 'ms' ? each.toFixed(1) : each.toLocaleString('en')));
  return `${sides.join(' / ')} ${unit}`.trim();
}
