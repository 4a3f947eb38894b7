// How large a request may be. The platform lets through what is as large as 64 MB; nothing of
// that is looked at, copied or shown that is larger than anything which is taken: a message
// or calldata of a million bytes, typed data of four million characters.
import type { Json } from '@metamask/utils';

import { InvalidParamsError } from '../errors';

/** Most characters of params, keys and what each value is written with included. */
export const MAX_REQUEST = 5_000_000;

/**
 * Refuse params that are too large, before anything else looks at them.
 *
 * @param method - How the message names the request.
 * @throws {InvalidParamsError} If they are. It stops counting there.
 */
export function assertSize(method: string, params: unknown): void {
  let left = MAX_REQUEST;
  // Without recursion: JSON can be deeper than a stack.
  const waiting: unknown[] = [params];
  while (waiting.length > 0 && left >= 0) {
    const value = waiting.pop() as Json;
    left -= measure(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const part of Object.values(value)) waiting.push(part);
  }
  if (left >= 0) return;
  throw new InvalidParamsError(
    `${method}: params are too large: at most ${MAX_REQUEST} characters are taken.`,
  );
}

// A sign between it and the next, and what it is written with itself.
function measure(value: Json): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 2;
  if (Array.isArray(value)) return 3;
  return Object.keys(value).reduce((sum, key) => sum + key.length + 3, 3);
}
