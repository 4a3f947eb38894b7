// Comparing two ways of doing the same thing: in one process, in turns, by CPU time. Both
// sides must give the same result.
import { compare, measureCpu } from './rounds';
import type { Row } from './table';

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
