// The caller's view of a refused call, as one comparable value.
import { failureOf } from './error-of';

/** A refusal as a caller sees it. */
export type Refusal = { code: unknown; message: string };

/** Waits for a call to be refused, and returns its code and message. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const { code, message } = await failureOf(() => call);
  return { code, message };
}

/** Like {@link refusalOf}, for a function that throws synchronously. */
export async function refusalIn(run: () => unknown): Promise<Refusal> {
  return refusalOf(Promise.resolve().then(run));
}

/** Expects a call to be refused with a code and matching messages. */
export async function expectRefusal(
  call: Promise<unknown>,
  code: unknown,
  ...words: (string | RegExp)[]
): Promise<void> {
  const refusal = await refusalOf(call);
  expect(refusal).toMatchObject({ code });
  for (const each of words) expect(refusal.message).toMatch(each);
}
