// What a user does, as the sweep runs it: once undisturbed, and then once for each call that
// the snap makes in it and each way in which that can go wrong.
import type { Case } from './bench';
import type { Ending } from './drive';

/** A user's job. */
export type Flow<Given = unknown> = {
  name: string;
  /** Whether another flow asks the same until something changes: a sample leaves that to it. */
  sharesReading?: true;
  /** Make what the job needs; what was on disk then is what each case begins with. */
  prepare: (bench: Case) => Promise<Given>;
  /** Look, before the job, at what it shall change. */
  look?: (bench: Case, given: Given) => Promise<unknown>;
  run: (bench: Case, given: Given, before: unknown) => Promise<unknown>;
  /**
   * Check what holds after the job, and do it again as a user would; nothing goes wrong now.
   *
   * @throws If it does not.
   */
  check: (bench: Case, given: Given, ended: Ended) => Promise<string>;
};

/** How the disturbed job ended, and what was seen before it. */
export type Ended = { ending: Ending; before: unknown };

/** A statement that has to be true. */
export function hold(isTrue: boolean, statement: string): asserts isTrue {
  if (!isTrue) throw new Error(`It does not hold that ${statement}.`);
}
