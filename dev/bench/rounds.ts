// Measuring contestants side by side: warmed up, in turns within one process, so that a
// slow moment of the machine falls on all of them, and compared by their medians.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** One side of a comparison: does its work once and answers with a figure. */
export type Contestant = () => Promise<number>;

/**
 * Let contestants work in turns.
 *
 * @param contestants - By name.
 * @param rounds - How often each is counted, after one round that is not.
 * @returns The median figure of each, by name.
 */
export async function compare<Name extends string>(
  contestants: Record<Name, Contestant>,
  rounds: number,
): Promise<Record<Name, number>> {
  const sides = Object.entries<Contestant>(contestants);
  const figures = new Map(sides.map(([name]) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round += 1) {
    // Whoever goes first alternates: a warm cache must favour nobody.
    for (const [name, work] of round % 2 === 0 ? sides : sides.toReversed()) {
      collectGarbage();
      const figure = await work();
      if (round > 0) figures.get(name)?.push(figure);
    }
  }
  const medians = [...figures].map(([name, all]) => [name, median(all)] as const);
  return Object.fromEntries(medians) as Record<Name, number>;
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
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
