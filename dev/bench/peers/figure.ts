// What is measured: one figure of each side, and how they are taken.
import { compare, takeTimes } from '../measure';

/** Times or counts of the same thing done by each side; what a side lacks is left out. */
export type Figure = {
  what: string;
  unit: string;
  ours: number;
  theirs?: number;
  /** What plain `@noble/curves` and the encoding take, without a snap. */
  floor?: number;
  /** Names the limit of the ratio of ours to theirs. */
  limit?: string;
};

type Work = () => Promise<unknown>;

/** The same thing, done by each side. */
export type Contest = { ours: Work; theirs: Work; floor?: () => unknown };

/** Let sides do the same thing in turns. */
export async function compareTimes(
  { ours, theirs, floor }: Contest,
  { rounds, repeats = 1 }: { rounds: number; repeats?: number },
): Promise<{ ours: number; theirs: number; floor?: number }> {
  const take = (work: () => unknown) => async () => takeTimes(work, repeats);
  const sides = { ours: take(ours), theirs: take(theirs) };
  return floor
    ? compare({ ...sides, floor: take(floor) }, rounds)
    : compare(sides, rounds);
}
