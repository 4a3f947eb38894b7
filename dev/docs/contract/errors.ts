// Errors by code: the classes of src/errors.ts, with what they mean to a caller.
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

/** An error that a method can answer with. */
export type ErrorRow = {
  code: number;
  /** Its name in the document. */
  name: string;
  /** What the README says that it means. */
  meaning: string;
  /** Makes one, which has its code. */
  create: () => TollkeeperError;
};

const text = 'What went wrong.';

const general = [
  {
    code: 4001,
    name: 'UserRejected',
    meaning: 'the user refused, or closed the dialog',
    create: () => new UserRejectedError(),
  },
  {
    code: 4100,
    name: 'Unauthorized',
    meaning: 'this origin may not do this, or not with this account',
    create: () => new UnauthorizedError(text),
  },
  {
    code: 4200,
    name: 'UnsupportedMethod',
    meaning: 'unknown method, or one that this account does not offer',
    create: () => new UnsupportedMethodError(text),
  },
  {
    code: -32602,
    name: 'InvalidParams',
    meaning:
      'params: the message names the field and what was expected, or that they are too large (5,000,000 characters)',
    create: () => new InvalidParamsError(text),
  },
  {
    code: -32001,
    name: 'NotFound',
    meaning: 'what was asked for does not exist',
    create: () => new NotFoundError(text),
  },
  {
    code: -32002,
    name: 'Unavailable',
    meaning:
      'a server, its configuration or something of MetaMask is not available; the message says which',
    create: () => new UnavailableError(text),
  },
  {
    code: -32005,
    name: 'LimitExceeded',
    meaning:
      "too many requests of a site in 10 s (150 look-ups; 120 to sign or send, where each call counts), too many dialogs (5 open at a time; none for a while after 3 refusals in a row), or too many for a server's quota; `data.rate.backoff_seconds` says how long to wait",
    create: () => new LimitExceededError(text),
  },
  {
    code: -32603,
    name: 'Internal',
    meaning: 'a fault of ours; nothing more is told',
    create: () => new InternalError(text),
  },
] as const satisfies readonly ErrorRow[];

const ofCalls = [
  {
    code: 5700,
    name: 'UnsupportedCapability',
    meaning:
      'a capability is unknown (or this account has it not), and it is not `optional`',
    create: () => new CallsError('capability', text),
  },
  {
    code: 5710,
    name: 'UnsupportedChain',
    meaning:
      'the account does not serve the chain, or the chain has no node (a smart account: bundler)',
    create: () => new CallsError('chain', text),
  },
  {
    code: 5720,
    name: 'DuplicateCalls',
    meaning: 'the site has used the id already',
    create: () => new CallsError('duplicate', text),
  },
  {
    code: 5730,
    name: 'UnknownCalls',
    meaning:
      'the site sent no calls with that id, or is not granted their account any more',
    create: () => new CallsError('unknown', text),
  },
  {
    code: 5740,
    name: 'TooManyCalls',
    meaning: 'more than 100 calls',
    create: () => new CallsError('size', text),
  },
  {
    code: 5760,
    name: 'NoAtomicity',
    meaning: 'the account cannot send calls atomically',
    create: () => new CallsError('atomicity', text),
  },
] as const satisfies readonly ErrorRow[];

/** A code that a method can answer with. */
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
