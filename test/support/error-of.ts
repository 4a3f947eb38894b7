// The whole error of a failing call, for comparisons.
import { inspect, types } from 'node:util';

/** Runs something that must fail, and gets what it threw. */
export async function errorOf(run: () => unknown): Promise<Error> {
  let result: unknown;
  try {
    result = await run();
  } catch (error) {
    // Not `instanceof`: Node's own errors come from outside of Jest's realm.
    if (types.isNativeError(error)) return error;
    throw new Error(`It threw ${inspect(error)}, which is no error.`);
  }
  throw new Error(`It did not fail; it gave ${inspect(result)}.`);
}

/** Runs something that must fail, and gets what callers learn of it. */
export async function failureOf(run: () => unknown) {
  const error = await errorOf(run);
  const { code, context } = error as { code?: unknown; context?: unknown };
  return { name: error.name, code, message: error.message, context };
}

/** Writes all that an error holds: message, stack, context, and its causes likewise. */
export function toWholeText(error: unknown): string {
  return inspect(error, { depth: Infinity, showHidden: true, maxStringLength: null });
}
