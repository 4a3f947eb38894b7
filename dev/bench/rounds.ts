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
