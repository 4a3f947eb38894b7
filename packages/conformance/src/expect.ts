// What cases check with.

/** A case that does not apply to this provider or this run. */
export class NotApplicable extends Error {}

export function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

export function skip(reason: string): never {
  throw new NotApplicable(reason);
}

export function show(value: unknown): string {
  const text = value instanceof Error ? value.message : JSON.stringify(value);
  return (text ?? String(value)).slice(0, 160);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is hex, of so many bytes if that is said. */
export function isHex(value: unknown, bytes?: number): value is string {
  return (
    typeof value === 'string' &&
    /^0x[\da-f]*$/iu.test(value) &&
    (bytes === undefined || value.length === 2 + 2 * bytes)
  );
}

/** Whether a value is a number as JSON-RPC writes it. */
export function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && /^0x(?:0|[1-9a-f][\da-f]*)$/iu.test(value);
}

export function toHex(chainId: number): string {
  return `0x${chainId.toString(16)}`;
}

/** Expects a request to fail with one of some codes; none of them if any will do. */
export async function rejects(
  run: () => Promise<unknown>,
  codes: readonly number[],
): Promise<void> {
  let value: unknown;
  try {
    value = await run();
  } catch (error) {
    if (error instanceof NotApplicable) throw error;
    const { code, message } = Object(error) as { code?: number; message?: unknown };
    const isRight = Number.isInteger(code) && typeof message === 'string';
    check(isRight, `It rejected with ${show(error)}, which has no code and message.`);
    const isKnown = codes.length === 0 || codes.includes(Number(code));
    const wanted = codes.join(' or ');
    return check(isKnown, `It rejected with ${code}, not ${wanted}: ${show(message)}`);
  }
  throw new Error(`It answered ${show(value)} instead of rejecting.`);
}

/** Waits until something is so; looks once more when the time is up. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs: number,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const isLast = Date.now() >= end;
    if (await isSo()) return;
    check(!isLast, `${what} within ${timeoutMs / 1000} s.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
