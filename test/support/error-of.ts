// The complete error of a failing call, for comparisons.
import { inspect, types } from 'node:util';

/** Runs a function that must fail, and returns its error. */
export async function errorOf(run: () => unknown): Promise<Error> {
  let result: unknown;
  try {
    result = await run();
  } catch (error) {
    // Not `instanceof`: Node's own errors come from outside Jest's realm.
    if (types.isNativeError(error)) return error;
    throw new Error(`It threw ${inspect(error)}, which is not an error.`);
  }
  throw new Error(`It did not fail; it returned ${inspect(result)}.`);
}

/** Runs a function that must fail, and returns the parts of its error that callers see. */
export async function failureOf(run: () => unknown) {
  const error = await errorOf(run);
  const { code, context } = error as { code?: unknown; context?: unknown };
  return { name: error.name, code, message: error.message, context };
}

/** Formats everything in an error: message, stack, context, and its causes. */
export function toWholeText(error: unknown): string {
  return inspect(error, { depth: Infinity, showHidden: true, maxStringLength: null });
}
