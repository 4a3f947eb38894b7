// What a bench prints: aligned tables, and whether every ratio is as it must be.

/** What a ratio must be, or each of its two figures. */
export type Bound =
  { atMost: number } | { atLeast: number } | { exactly: number } | { each: number };

/** One comparison. `bound` is of the ratio of the first to the second. */
export type Row = {
  what: string;
  ours: number;
  theirs: number;
  unit: string;
  bound?: Bound;
};

/** Print a table. */
export function printTable(
  title: { name: string; ours: string; theirs: string },
  rows: readonly Row[],
): number {
  const head = [title.name, title.ours, title.theirs, '', 'ratio', 'must be', ''];
  const cells = [head, ...rows.map(toCells)];
  const widths = head.map((_cell, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = cells.map((row) =>
    row.map((cell, column) => pad(cell, column)).join('  '),
  );
  process.stdout.write(`\n${lines.map((line) => line.trimEnd()).join('\n')}\n`);
  return rows.filter((row) => !isWithin(row)).length;

  function pad(cell: string, column: number): string {
    const width = widths[column] ?? 0;
    return [1, 2, 4].includes(column) ? cell.padStart(width) : cell.padEnd(width);
  }
}

function toCells(row: Row): string[] {
  const { what, ours, theirs, unit, bound } = row;
  const ratio = theirs === 0 ? '' : (ours / theirs).toFixed(2);
  const numbers = [toShown(ours), toShown(theirs), unit, ratio];
  if (!bound) return [what, ...numbers, '', ''];
  return [what, ...numbers, describeBound(bound), isWithin(row) ? 'ok' : 'MISSED'];
}

function describeBound(bound: Bound): string {
  if ('each' in bound) return `${bound.each} each`;
  if ('atMost' in bound) return `≤ ${bound.atMost}`;
  return 'atLeast' in bound ? `≥ ${bound.atLeast}` : `= ${bound.exactly}`;
}

function isWithin({ ours, theirs, bound }: Row): boolean {
  if (!bound) return true;
  if ('each' in bound) return ours === bound.each && theirs === bound.each;
  const ratio = ours / theirs;
  if ('atMost' in bound) return ratio <= bound.atMost;
  return 'atLeast' in bound ? ratio >= bound.atLeast : ratio === bound.exactly;
}

function toShown(figure: number): string {
  const digits = figure < 100 && !Number.isInteger(figure) ? 1 : 0;
  return figure.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
