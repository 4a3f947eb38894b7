// Errors by code: the classes of src/errors.ts, with what they mean to a caller.
import { MAX_REQUEST } from '../../../src/entry-points';
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
} from '../../../src/errors';
import type { TollkeeperError } from '../../../src/errors';
import { LIMITS as DIALOGS, PATIENCE } from '../../../src/sites/consent';
import { LIMITS, WINDOW_MS } from '../../../src/sites/rate-limit';

export type ErrorRow = {
  code: number;
  name: string;
  meaning: string;
  /** Makes one, which has its code. */
  create: () => TollkeeperError;
};

const text = 'What went wrong.';

const general = [
  {
    code: 4001,
    name: 'UserRejected',
    meaning: 'The user rejected the request or closed the dialog.',
    create: () => new UserRejectedError(),
  },
  {
    code: 4100,
    name: 'Unauthorized',
    meaning: 'The origin may not call this method, or not with this account.',
    create: () => new UnauthorizedError(text),
  },
  {
    code: 4200,
    name: 'UnsupportedMethod',
    meaning: 'The method is unknown, or the account does not support it.',
    create: () => new UnsupportedMethodError(text),
  },
  {
    code: -32602,
    name: 'InvalidParams',
    meaning: `Invalid params: the message names the field and what was expected. Also params of more than ${MAX_REQUEST.toLocaleString('en')} characters.`,
    create: () => new InvalidParamsError(text),
  },
  {
    code: -32001,
    name: 'NotFound',
    meaning: 'The requested account, request or transaction does not exist.',
    create: () => new NotFoundError(text),
  },
  {
    code: -32002,
    name: 'Unavailable',
    meaning:
      'A server, its configuration or a part of MetaMask is unavailable. The message says which.',
    create: () => new UnavailableError(text),
  },
  {
    code: -32005,
    name: 'LimitExceeded',
    meaning:
      `Too many requests: from one site in ${WINDOW_MS / 1_000} s (${LIMITS.read} look-ups; ${LIMITS.sign} signatures or calls), ` +
      `too many dialogs (${DIALOGS.origin} open; none for a while after ${PATIENCE} rejections in a row), or the quota of a server. ` +
      '`data.retryAfter` says how many seconds to wait.',
    create: () => new LimitExceededError(text),
  },
  {
    code: -32603,
    name: 'Internal',
    meaning: 'An internal error. It has no further details.',
    create: () => new InternalError(text),
  },
] as const satisfies readonly ErrorRow[];

const ofCalls = [
  {
    code: 5700,
    name: 'UnsupportedCapability',
    meaning: 'The account does not support a capability that is not `optional`.',
    create: () => new CallsError('capability', text),
  },
  {
    code: 5710,
    name: 'UnsupportedChain',
    meaning:
      'The account does not support the chain, or the chain has no node (for a smart account: no bundler).',
    create: () => new CallsError('chain', text),
  },
  {
    code: 5720,
    name: 'DuplicateCalls',
    meaning: 'The site has already used the id.',
    create: () => new CallsError('duplicate', text),
  },
  {
    code: 5730,
    name: 'UnknownCalls',
    meaning:
      'The site has sent no batch with this id, or its account is no longer connected.',
    create: () => new CallsError('unknown', text),
  },
  {
    code: 5740,
    name: 'TooManyCalls',
    meaning: 'The batch has more than 100 calls.',
    create: () => new CallsError('size', text),
  },
  {
    code: 5760,
    name: 'NoAtomicity',
    meaning: 'The account cannot send calls atomically.',
    create: () => new CallsError('atomicity', text),
  },
] as const satisfies readonly ErrorRow[];

export type ErrorCode = (typeof general | typeof ofCalls)[number]['code'];

/** Errors that any method can answer with. */
export const generalErrors: readonly ErrorRow[] = general;

/** Errors that EIP-5792 has for calls. */
export const callsErrors: readonly ErrorRow[] = ofCalls;

/**
 * Get an error by its code.
 *
 * @throws {Error} If there is none.
 */
export function getError(code: ErrorCode): ErrorRow {
  const found = [...generalErrors, ...callsErrors].find((row) => row.code === code);
  if (!found) throw new Error(`There is no error ${code}.`);
  return found;
}
