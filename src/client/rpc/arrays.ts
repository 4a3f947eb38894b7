// Whether a server takes arrays of calls. The specification knows single objects alone (section
// 4.2). A server that knows no more refuses an array in one of many ways: with an error about the
// whole request, with a status, without an answer, or by closing the connection. Most of these have
// other causes as well, so what becomes of a call that is then sent alone decides.
import {
  HttpStatusError,
  InvalidResponseError,
  NetworkError,
  RateLimitError,
} from '../errors';
import { RpcError } from '../rpc-error';
import type { Outcome } from './pending-call';

/** How an exchange ended. */
export type Exchanged = {
  outcomes: readonly Outcome[];
  /** Whether calls were answered as they were sent: an array by an array. */
  isAnswered: boolean;
  /** What went wrong with the exchange as a whole. */
  failure?: unknown;
};

/** Whether a server refused an array; `maybe` has other causes that pass by themselves. */
export type Refusal = 'surely' | 'maybe' | 'no';

/** Statuses of what a server cannot read. */
const REFUSALS = new Set([400, 405, 406, 415, 422, 501]);

const SERVER_FAILED = 500;

const INVALID_REQUEST = -32600;

/** Failures in a row that count as a refusal, if a single call is answered after them. */
const MAX_FAILURES = 2;

/** What is known of a server and arrays. */
export class ArrayUse {
  #isRefused: boolean;

  #isTaken = false;

  #failures = 0;

  constructor(isRefused: boolean) {
    this.#isRefused = isRefused;
  }

  /** Whether the server is known to refuse arrays. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Whether the last array failed where a single call was answered. */
  get isDoubtful(): boolean {
    return this.#isRefused || this.#failures > 0;
  }

  /** Judge what became of an array. */
  judge(exchanged: Exchanged): Refusal {
    const refusal = findRefusal(exchanged);
    if (refusal === 'no' && exchanged.isAnswered) this.#isTaken = true;
    if (this.#isTaken && refusal === 'maybe') return 'no';
    this.#failures = refusal === 'no' ? 0 : this.#failures + 1;
    return refusal;
  }

  /** Take note of what became of a call that was sent alone after an array had failed. */
  noteSingle(refusal: Refusal, isAnswered: boolean): void {
    if (!isAnswered) this.#failures = 0;
    else if (refusal === 'surely' || this.#failures >= MAX_FAILURES) {
      this.#isRefused = true;
    }
  }
}

function findRefusal({ failure, isAnswered, outcomes }: Exchanged): Refusal {
  if (failure === undefined) {
    return isAnswered && !outcomes.every(isInvalid) ? 'no' : 'surely';
  }
  if (failure instanceof RateLimitError) return 'no';
  if (failure instanceof RpcError) return 'surely';
  if (failure instanceof HttpStatusError) {
    if (REFUSALS.has(failure.status)) return 'surely';
    return failure.status === SERVER_FAILED ? 'maybe' : 'no';
  }
  const isCut = failure instanceof NetworkError;
  return isCut || failure instanceof InvalidResponseError ? 'maybe' : 'no';
}

function isInvalid(outcome: Outcome): boolean {
  const error = 'error' in outcome ? outcome.error : undefined;
  return error instanceof RpcError && error.code === INVALID_REQUEST;
}
