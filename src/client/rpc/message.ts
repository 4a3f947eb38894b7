// A message from a socket: its JSON, unless it is too long to be read.

/** What a message says. */
export type Message = {
  /** Undefined if it is no JSON, or too long. */
  value: unknown;
  /** If it is too long: the id that it answers, if that can be told. */
  answered?: number | 'unknown';
};

/** Length of what is read of a message that is too long. */
const HEAD_LENGTH = 200;

/**
 * Read a message.
 *
 * @param maxBytes - Longest message; of a longer one only the beginning is looked at, in
 * which servers name the call that it answers, so that no other call suffers from it.
 */
export function readMessage(text: string, maxBytes: number): Message {
  // No text has more characters than bytes.
  if (text.length <= maxBytes) return { value: findJson(text) };
  const head = text.slice(0, HEAD_LENGTH);
  const id = /^\s*\{[^{}[\]]*?"id"\s*:\s*(\d{1,16})\s*,/u.exec(head)?.[1];
  if (id !== undefined) return { value: undefined, answered: Number(id) };
  // A notification answers nobody.
  if (/^\s*\{[^{}[\]]*?"method"\s*:/u.test(head)) return { value: undefined };
  return { value: undefined, answered: 'unknown' };
}

function findJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
