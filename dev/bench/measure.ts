// Measures contestants side by side, in turns within one process, so that a slowdown of the machine
// affects all of them.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { formatAs, toTable } from '../docs/tables';

export type Row = {
  what: string;
  ours: number;
  theirs: number;
  unit: string;
  /** Bound on the ratio of ours to theirs. */
  bound?: { atMost: number } | { atLeast: number } | undefined;
};

export type Table = { name: string; ours: string; theirs: string; rows: Row[] };

export type Bench = AsyncGenerator<Table>;

type Contestant = () => Promise<number>;

type Comparison = {
  rounds: number;
  summarize: (figures: readonly number[]) => number;
};

/** Runs contestants in turns. The first round warms up and is not counted. */
export async function takeTurns<Name extends string, Answer>(
  contestants: Record<Name, () => Promise<Answer>>,
  rounds: number,
): Promise<Record<Name, Answer[]>> {
  const answers = mapValues(contestants, (): Answer[] => []);
  const names = Object.keys(contestants) as Name[];
  for (let round = 0; round <= rounds; round += 1) {
    // The sides take turns going first, so that a warm cache favours neither.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      collectGarbage();
      const answer = await contestants[name]();
      if (round > 0) answers[name].push(answer);
    }
  }
  return answers;
}

/** Finds the 5th percentile, because a median of wall times depends on the machine as much as on
 * the work. */
export function undisturbed(times: readonly number[]): number {
  return quantile(times, 0.05);
}

export function mapValues<Name extends string, From, To>(
  record: Record<Name, From>,
  map: (value: From, name: Name) => To,
): Record<Name, To> {
  const entries = Object.entries<From>(record).map(([name, value]) => [
    name,
    map(value, name as Name),
  ]);
  return Object.fromEntries(entries) as Record<Name, To>;
}

/** Measures the average CPU time of all threads per execution, in microseconds. */
export async function measureCpu(
  work: () => unknown,
  repeats: number,
): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < repeats; done += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / repeats;
}

export async function compareSides(
  row: Pick<Row, 'what' | 'unit' | 'bound'>,
  sides: Record<'ours' | 'theirs', Contestant>,
  { rounds, summarize }: Comparison,
): Promise<Row> {
  return { ...row, ...mapValues(await takeTurns(sides, rounds), summarize) };
}

/** Measures a result's size on the heap, in bytes. */
export async function measureHeap(work: () => Promise<unknown>): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const held = await work();
  collectGarbage();
  const after = process.memoryUsage().heapUsed;
  // Uses the result after the measurement, so that it is not collected earlier.
  return held === undefined ? 0 : after - before;
}

export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5);
}

function quantile(figures: readonly number[], part: number): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * part)] ?? NaN;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Prints a Markdown table. Returns the number of rows that miss their bound. */
export async function printTable({ name, ours, theirs, rows }: Table): Promise<number> {
  const cells = rows.map((row) => [
    row.what,
    toShown(row.ours),
    toShown(row.theirs),
    row.unit,
    row.theirs === 0 ? '' : (row.ours / row.theirs).toFixed(2),
    describeBound(row),
    row.bound ? (isWithin(row) ? 'ok' : 'MISSED') : '',
  ]);
  const table = toTable([name, ours, theirs, '', 'ratio', 'must be', ''], cells);
  process.stdout.write(`\n${await formatAs('table.md', table)}`);
  return rows.filter((row) => !isWithin(row)).length;
}

function describeBound({ bound }: Row): string {
  if (!bound) return '';
  return 'atMost' in bound ? `≤ ${bound.atMost}` : `≥ ${bound.atLeast}`;
}

function isWithin({ ours, theirs, bound }: Row): boolean {
  if (!bound) return true;
  const ratio = ours / theirs;
  return 'atMost' in bound ? ratio <= bound.atMost : ratio >= bound.atLeast;
}

function toShown(figure: number): string {
  const digits = figure < 100 && !Number.isInteger(figure) ? 1 : 0;
  return figure.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
