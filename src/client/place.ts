// Where something went wrong, and how a message tells of it.
import type { ErrorContext, ErrorDetails } from '../errors';

/** Where something went wrong: a server's label, and what is known of the tries. */
export type Place = {
  /** The server, or what was asked and the server: `eth_chainId at https://…`. */
  label: string;
  /** Number of the attempt that failed, from 1 on. */
  attempts?: number | undefined;
  /** Whether the server may have carried out a call that must not be repeated. */
  mayBeDone?: boolean | undefined;
};

/** Write what happened at a place: the server, the tries, and what to do. */
export function write(
  { label, attempts = 1, mayBeDone }: Place,
  what: string,
  advice: string,
): string {
  return [
    `${label} ${what}`,
    attempts > 1 ? `It was tried ${attempts} times.` : '',
    mayBeDone ? UNKNOWN_OUTCOME : advice,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

const UNKNOWN_OUTCOME =
  'Whether it was carried out is not known: look before you send it again.';

/** Add what is known of the tries to the facts of an error. */
export function withAttempts(
  { attempts = 1, mayBeDone }: Place,
  details: ErrorDetails = {},
): ErrorDetails {
  const facts: ErrorContext = {
    ...(attempts > 1 ? { attempts } : {}),
    ...(mayBeDone ? { mayBeDone } : {}),
  };
  return { ...details, context: { ...details.context, ...facts } };
}
