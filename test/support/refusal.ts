// The caller's view of a refused call, as one comparable value.
import { failureOf } from './error-of';

export type Refusal = { code: unknown; message: string };

/** Returns the code and message with which a call is refused. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const { code, message } = await failureOf(() => call);
  return { code, message };
}

/** Like {@link refusalOf}, for a function that throws synchronously. */
export async function refusalIn(run: () => unknown): Promise<Refusal> {
  return refusalOf(Promise.resolve().then(run));
}

/** Expects a call to be refused with a code, and with a message that matches all words. */
export async function expectRefusal(
  call: Promise<unknown>,
  code: unknown,
  ...words: (string | RegExp)[]
): Promise<void> {
  const refusal = await refusalOf(call);
  expect(refusal).toMatchObject({ code });
  for (const each of words) expect(refusal.message).toMatch(each);
}
