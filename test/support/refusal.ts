// What the caller of a refused call learns, in one value that a test can compare whole.
import { failureOf } from './error-of';

/** A refusal as a caller sees it. */
export type Refusal = { code: unknown; message: string };

/** Waits for a call to be refused, and gets its code and message. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const { code, message } = await failureOf(() => call);
  return { code, message };
}

/** Like {@link refusalOf}, for a function that throws at once. */
export async function refusalIn(run: () => unknown): Promise<Refusal> {
  return refusalOf(Promise.resolve().then(run));
}
