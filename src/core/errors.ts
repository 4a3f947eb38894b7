// Errors as callers see them, with codes from JSON-RPC, EIP-1193, EIP-1474 or EIP-5792. Messages
// say what failed, where, and what to do, and are safe to show. Only platform/boundary converts
// them to SnapErrors.
import type { Json } from '@metamask/utils';

/** Facts about a failure that a program can read. Never holds a secret. */
export type ErrorContext = Record<string, Json>;

export type ErrorDetails = { context?: ErrorContext; cause?: unknown };

/** A failure with a code and a message that may be shown to the caller. */
export class TollkeeperError extends Error {
  /** Identifies the class, even in minified code. */
  override readonly name: string = 'TollkeeperError';

  /** JSON-RPC 2.0, EIP-1193, EIP-1474 or EIP-5792 error code, or a server's own. */
  readonly code: number;

  readonly context: ErrorContext;

  constructor(code: number, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.context = details.context ?? {};
  }
}

/** Creates a base class for errors with a fixed code. */
function coded(name: string, code: number) {
  return class extends TollkeeperError {
    override readonly name = name;

    constructor(message: string, details?: ErrorDetails) {
      super(code, message, details);
    }
  };
}

/** The params are not valid for the method (-32602). */
export class InvalidParamsError extends coded('InvalidParamsError', -32602) {}

/** The user refused or closed the dialog (EIP-1193: 4001). */
export class UserRejectedError extends coded('UserRejectedError', 4001) {
  constructor(message = 'The user refused the request.', details?: ErrorDetails) {
    super(message, details);
  }
}

/** This origin may not do this, or not with this account (EIP-1193: 4100). */
export class UnauthorizedError extends coded('UnauthorizedError', 4100) {}

/** The method is unknown, or this account does not offer it (EIP-1193: 4200). */
export class UnsupportedMethodError extends coded('UnsupportedMethodError', 4200) {}

/** The requested resource does not exist (EIP-1474: -32001). */
export class NotFoundError extends coded('NotFoundError', -32001) {}

/** A required external resource is not available now (EIP-1474: -32002). */
export class UnavailableError extends coded('UnavailableError', -32002) {}

/** MetaMask failed or did not answer (EIP-1474: -32002). */
export class PlatformError extends UnavailableError {
  constructor(message: string, details?: ErrorDetails) {
    super(`${message}; try again.`, details);
  }
}

/** Too many requests (EIP-1474: -32005). If it is known when to try again, {@link toRetryContext}
 * writes it into the context. */
export class LimitExceededError extends coded('LimitExceededError', -32005) {}

/** Creates a context with the seconds until the next attempt, in our own form (`retryAfter`) and in
 * the gas API's (`rate`). */
export function toRetryContext(seconds: number): ErrorContext {
  return { retryAfter: seconds, rate: { backoff_seconds: seconds } };
}

const callsCodes = {
  capability: 5700,
  chain: 5710,
  duplicate: 5720,
  unknown: 5730,
  size: 5740,
  atomicity: 5760,
} as const;

/** Calls that cannot be sent or found, with a code from EIP-5792. */
export class CallsError extends TollkeeperError {
  override readonly name = 'CallsError';

  constructor(
    reason: keyof typeof callsCodes,
    message: string,
    details?: ErrorDetails,
  ) {
    super(callsCodes[reason], message, details);
  }
}

/** An internal error (-32603). Callers see a generic message instead of its own. */
export class InternalError extends coded('InternalError', -32603) {}
