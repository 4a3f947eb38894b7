// Error codes of src/core/errors.ts, and their meaning for callers.
import {
  CallsError,
  InternalError,
  InvalidParamsError,
  LimitExceededError,
  NotFoundError,
  UnauthorizedError,
  UnavailableError,
  UnsupportedMethodError,
  UserRejectedError,
} from '../../../src/core/errors';
import type { TollkeeperError } from '../../../src/core/errors';
import { MAX_REQUEST } from '../../../src/entry-points';
import { LIMITS as DIALOGS, PATIENCE } from '../../../src/sites/consent';
import { LIMITS, WINDOW_MS } from '../../../src/sites/rate-limit';

export type ErrorRow = {
  code: number;
  name: string;
  meaning: string;
  error: TollkeeperError;
};

const text = 'What went wrong.';

/** Errors of any method. */
export const generalErrors = toRows({
  UserRejected: [
    new UserRejectedError(),
    'The user rejected the request or closed the dialog.',
  ],
  Unauthorized: [
    new UnauthorizedError(text),
    'The origin may not call this method, or not with this account.',
  ],
  UnsupportedMethod: [
    new UnsupportedMethodError(text),
    'The method is unknown, or the account does not support it.',
  ],
  InvalidParams: [
    new InvalidParamsError(text),
    `Invalid params: the message names the field and what was expected. Also params of more than ${MAX_REQUEST.toLocaleString('en')} characters.`,
  ],
  NotFound: [
    new NotFoundError(text),
    'The requested account, request or transaction does not exist.',
  ],
  Unavailable: [
    new UnavailableError(text),
    'A server, its configuration or a part of MetaMask is unavailable. The message says which.',
  ],
  LimitExceeded: [
    new LimitExceededError(text),
    `Too many requests: from one site in ${WINDOW_MS / 1_000} s (${LIMITS.read} look-ups; ${LIMITS.sign} signatures or calls), ` +
      `too many dialogs (${DIALOGS.origin} open; none for a while after ${PATIENCE} rejections in a row), or the quota of a server. ` +
      '`data.retryAfter` says how many seconds to wait.',
  ],
  Internal: [new InternalError(text), 'An internal error. It has no further details.'],
});

/** Errors that EIP-5792 defines for batches of calls. */
export const callsErrors = toRows({
  UnsupportedCapability: [
    new CallsError('capability', text),
    'The account does not support a capability that is not `optional`.',
  ],
  UnsupportedChain: [
    new CallsError('chain', text),
    'The account does not support the chain, or the chain has no node (for a smart account: no bundler).',
  ],
  DuplicateCalls: [
    new CallsError('duplicate', text),
    'The site has already used the id.',
  ],
  UnknownCalls: [
    new CallsError('unknown', text),
    'The site has sent no batch with this id, or its account is no longer connected.',
  ],
  TooManyCalls: [new CallsError('size', text), 'The batch has more than 100 calls.'],
  NoAtomicity: [
    new CallsError('atomicity', text),
    'The account cannot send calls atomically.',
  ],
});

function toRows(
  errors: Record<string, readonly [error: TollkeeperError, meaning: string]>,
): ErrorRow[] {
  return Object.entries(errors).map(([name, [error, meaning]]) => ({
    code: error.code,
    name,
    meaning,
    error,
  }));
}

export function getError(code: number): ErrorRow {
  const found = [...generalErrors, ...callsErrors].find((row) => row.code === code);
  if (!found) throw new Error(`There is no error ${code}.`);
  return found;
}
