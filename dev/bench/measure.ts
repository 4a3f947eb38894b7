// Measuring contestants side by side: warmed up, in turns within one process, so that a
// slow moment of the machine falls on all of them, and compared by their medians or, where
// waiting counts, by their undisturbed times.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** One side of a comparison: does its work and answers with a figure, or with several. */
export type Contestant = () => Promise<number | number[]>;

/** Makes one figure of all that a contestant answered with. */
export type Summary = (figures: readonly number[]) => number;

/**
 * Let contestants work in turns.
 *
 * @param rounds - How often each is counted, after one round that is not.
 */
export async function compare<Name extends string>(
  contestants: Record<Name, Contestant>,
  rounds: number,
  summarize: Summary = median,
): Promise<Record<Name, number>> {
  const sides = Object.entries<Contestant>(contestants);
  const figures = new Map(sides.map(([name]) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round += 1) {
    // Whoever goes first alternates: a warm cache must favour nobody.
    for (const [name, work] of round % 2 === 0 ? sides : sides.toReversed()) {
      collectGarbage();
      const answered = [await work()].flat();
      if (round > 0) figures.get(name)?.push(...answered);
    }
  }
  const summaries = [...figures].map(([name, all]) => [name, summarize(all)] as const);
  return Object.fromEntries(summaries) as Record<Name, number>;
}

/**
 * Find the time within which one in twenty is done: that of work which nothing else on the
 * machine held up. A median of wall times tells as much of the machine as of the work.
 */
export const undisturbed: Summary = (times) => quantile(times, 0.05);

/** Do work and find the wall time that it takes, in milliseconds. */
export async function measureTime<Result>(
  work: () => Promise<Result>,
): Promise<[result: Result, time: number]> {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
}

/** Do work several times over, and find the wall time of each, in milliseconds. */
export async function takeTimes(
  work: () => unknown,
  repeats: number,
): Promise<number[]> {
  const times: number[] = [];
  while (times.length < repeats) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times;
}

/** Find the CPU time that work takes in this process, all threads, in microseconds. */
export async function measureCpu(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Find how much the heap holds on to of what work answers, in bytes. */
export async function measureHeap(work: () => Promise<unknown>): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const held = await work();
  collectGarbage();
  const after = process.memoryUsage().heapUsed;
  // Used again after the measurement, it cannot have been collected before.
  return held === undefined ? 0 : after - before;
}

function median(figures: readonly number[]): number {
  return quantile(figures, 0.5);
}

function quantile(figures: readonly number[], part: number): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * part)] ?? NaN;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

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

// Comparing two ways of doing the same thing: in one process, in turns, by CPU time. Both
// sides must give the same result.

/** One thing to do; both sides answer with the same text. */
export type CpuCase = {
  what: string;
  ours: () => string | Promise<string>;
  theirs: () => string | Promise<string>;
  /** How often it is done in a turn. */
  repeats: number;
  atMost: number;
};

const ROUNDS = 15;

/** How often a case is measured that seems to miss its bound. */
const TRIES = 3;

/**
 * Measure cases one after another.
 *
 * @throws {Error} If the two sides of one differ.
 */
export async function measureCpuCases(cases: readonly CpuCase[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const each of cases) rows.push(await measureCase(each));
  return rows;
}

async function measureCase({ what, atMost, ...sides }: CpuCase): Promise<Row> {
  if ((await sides.ours()) !== (await sides.theirs())) {
    throw new Error(`${what}: the two sides differ.`);
  }
  let least = await compareOnce(sides);
  for (let tries = 1; tries < TRIES; tries += 1) {
    if (least.ours <= least.theirs * atMost) break;
    const again = await compareOnce(sides);
    least = {
      ours: Math.min(least.ours, again.ours),
      theirs: Math.min(least.theirs, again.theirs),
    };
  }
  return { what, ...least, unit: 'µs', bound: { atMost } };
}

async function compareOnce({
  ours,
  theirs,
  repeats,
}: Pick<CpuCase, 'ours' | 'theirs' | 'repeats'>): Promise<
  Pick<Row, 'ours' | 'theirs'>
> {
  const contest = (side: CpuCase['ours']) => async (): Promise<number> => {
    const all = await measureCpu(async () => {
      for (let done = 0; done < repeats; done += 1) await side();
    });
    return all / repeats;
  };
  return compare({ ours: contest(ours), theirs: contest(theirs) }, ROUNDS);
}
