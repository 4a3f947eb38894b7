// What became of a request, and who said so.
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

/** What became of a request. */
export type Outcome =
  | { kind: 'answered'; value: Json }
  | { kind: 'refused'; code: number; message: string; data: Json }
  /** The platform did not let it come to the snap, whose worker it may end for it. */
  | { kind: 'platform'; message: string; isEnd: boolean }
  | { kind: 'hung' };

/** Says that a request was not answered within its time. */
const HUNG = Symbol('hung');

/** What the platform says of an entry point's arguments; it takes them for the snap's fault. */
const PLATFORM = /^Invalid request params/u;

/** What it says where no answer came. */
const TIMED_OUT = /failed to respond to the request in time/u;

/** See what becomes of a request within a time. */
export async function see(
  request: () => Promise<unknown>,
  limitMs: number,
): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<typeof HUNG>((resolve) => {
    timer = setTimeout(() => resolve(HUNG), limitMs);
  });
  try {
    const value = await Promise.race([request(), limit]);
    return value === HUNG
      ? { kind: 'hung' }
      : { kind: 'answered', value: value as Json };
  } catch (error) {
    return toOutcome(error);
  } finally {
    clearTimeout(timer);
  }
}

function toOutcome(error: unknown): Outcome {
  const { code, message, data } = (isObject(error) ? error : {}) as Record<
    string,
    unknown
  >;
  const text = typeof message === 'string' ? message : String(error);
  if (TIMED_OUT.test(text)) return { kind: 'hung' };
  const isEnd = PLATFORM.test(text);
  if (typeof code !== 'number' || isEnd) {
    return { kind: 'platform', message: text, isEnd };
  }
  return { kind: 'refused', code, message: text, data: (data ?? null) as Json };
}
