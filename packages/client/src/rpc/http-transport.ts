// JSON-RPC over HTTP: calls of one tick that may be repeated go as one array where the server takes
// arrays, and what fails in passing is tried again. A call that must not be repeated goes alone: if
// the server refused an array with it, its outcome would be unknown.
import type { Endpoint } from '../endpoint';
import {
  BodyTooLargeError,
  ClientError,
  HttpStatusError,
  RateLimitError,
  RpcError,
  withPlace,
  TimeoutError,
} from '../errors';
import type { Place } from '../errors';
import { completeOptions, fetchReply } from '../http';
import type { CompleteOptions, HttpOptions } from '../http';
import { consequences } from '../reading';
import { findDelay, toLeftMs } from '../retry';
import type { Progress, Retry } from '../retry';
import { readResult, sortAnswers, startCall } from './calls';
import type { Outcome, PendingCall } from './calls';
import type { Transport } from './transport';

export type HttpTransport = Transport & {
  /** Whether the server takes arrays of calls, as far as that is known by now. */
  readonly takesArrays: () => boolean;
};

/** A call with what came of carrying it, and whether the response has an answer for it. */
type Carried = { call: PendingCall; outcome: Outcome; isAnswered: boolean };

type Exchanged = {
  carried: readonly Carried[];
  /** Whether calls were answered as they were sent: an array by an array. */
  isAnswered: boolean;
  /** What went wrong with the exchange as a whole. */
  failure?: unknown;
};

/** Whether a server refused an array; `maybe` has other causes that are temporary. */
type Refusal = 'surely' | 'maybe' | 'no';

/** Calls that go at a time to a server that takes no arrays. */
const PARALLEL = 8;

/** Failures in a row that count as a refusal, if a single call is answered after them. */
const MAX_FAILURES = 2;

/** Creates a transport that sends to a node or bundler at an endpoint.
 * @throws {InvalidParamsError} If an option is out of its bounds. */
export function createHttpTransport(
  endpoint: Endpoint,
  options: HttpOptions,
): HttpTransport {
  const complete = completeOptions(options);
  const carrier = new Carrier(endpoint, complete);
  let lastId = 0;
  return {
    label: endpoint.label,
    budgetMs: complete.retry.budgetMs,
    request: async (call) =>
      startCall(++lastId, call, (pending) => {
        if (pending.idempotent && !call.isSlow) carrier.collect(pending);
        else carrier.send([pending]);
      }),
    takesArrays: () => !carrier.arrays.isDoubtful,
  };
}

/** Whether a server takes arrays of calls. The specification knows single objects alone (section 4.2).
 * A server that knows no more refuses an array in one of many ways: with an error about the whole
 * request, with a status, without an answer, or by closing the connection. Most of these have other
 * causes as well, so what becomes of a call that is then sent alone decides. */
class ArrayUse {
  isRefused = false;

  /** Length of the longest array that was answered whole. */
  #longest = 0;

  #failures = 0;

  /** Whether the last array failed where a single call was answered. */
  get isDoubtful(): boolean {
    return this.isRefused || this.#failures > 0;
  }

  judge(exchanged: Exchanged): Refusal {
    const refusal = findRefusal(exchanged);
    const { carried } = exchanged;
    // Answered, and not put off.
    const isWhole = carried.every((each) => each.isAnswered && !findLimit(each));
    if (refusal === 'no' && isWhole) {
      this.#longest = Math.max(this.#longest, carried.length);
    }
    if (refusal === 'maybe' && carried.length <= this.#longest) return 'no';
    this.#failures = refusal === 'no' ? 0 : this.#failures + 1;
    return refusal;
  }

  /** Takes note of what became of a call that was sent alone after an array had failed. */
  noteSingle(refusal: Refusal, isAnswered: boolean): void {
    if (!isAnswered) this.#failures = 0;
    else if (refusal === 'surely' || this.#failures >= MAX_FAILURES) {
      this.isRefused = true;
    }
  }
}

function findRefusal({ failure, isAnswered, carried }: Exchanged): Refusal {
  if (!(failure instanceof ClientError)) {
    const answered = carried.filter((each) => each.isAnswered);
    if (!isAnswered || answered.every(isInvalid)) return 'surely';
    return carried.every(findLimit) ? 'maybe' : 'no';
  }
  // Without the right key, nothing is answered.
  if (failure instanceof HttpStatusError && failure.status === 401) return 'no';
  // Some servers say of any array that it comes too early.
  const { isRepeated, mayBeDone } = consequences[failure.kind];
  return isRepeated || mayBeDone ? 'maybe' : 'surely';
}

function isInvalid({ outcome: { error } }: Carried): boolean {
  return error instanceof RpcError && error.code === -32600 && error.topic !== 'size';
}

function findLimit({ outcome: { error } }: Carried): RateLimitError | undefined {
  return error instanceof RateLimitError ? error : undefined;
}

/** Carries calls to a server until each is settled; never rejects. */
class Carrier {
  readonly arrays = new ArrayUse();
  readonly #endpoint: Endpoint;
  readonly #options: CompleteOptions;
  readonly #retry: Retry;
  #waiting: PendingCall[] = [];

  constructor(endpoint: Endpoint, options: CompleteOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#retry = options.retry;
    this.arrays.isRefused = options.batchLimit === 1;
  }

  /** Sends a call with the others of this tick. */
  collect(call: PendingCall): void {
    // Calls made together go together, and no timer delays them. Snaps have no queueMicrotask.
    if (this.#waiting.length === 0) void Promise.resolve().then(() => this.#flush());
    this.#waiting.push(call);
  }

  send(calls: readonly PendingCall[]): void {
    void this.#carry(calls, { attempts: 0, start: this.#retry.now() });
  }

  #flush(): void {
    const all = this.#waiting;
    const { batchLimit } = this.#options;
    // With a limit of 1 no array is sent, so that all are carried by one run.
    const size = batchLimit === 1 ? all.length : batchLimit;
    this.#waiting = [];
    for (let start = 0; start < all.length; start += size) {
      this.send(all.slice(start, start + size));
    }
  }

  async #carry(all: readonly PendingCall[], before: Progress): Promise<void> {
    const calls = all.filter(({ isSettled }) => !isSettled());
    const isArray = calls.length > 1;
    if (calls.length === 0) return;
    if (isArray && this.arrays.isRefused) return this.#carryEach(calls, before);
    const progress = { ...before, attempts: before.attempts + 1 };
    const exchanged = await this.#exchange(calls, progress);
    const { carried, failure, isAnswered } = exchanged;
    if (isArray && isTooLarge(failure) && !this.#isOver(progress)) {
      // None of it was carried out, and calls of an array may be repeated.
      const half = Math.ceil(calls.length / 2);
      const halves = [calls.slice(0, half), calls.slice(half)];
      await Promise.all(halves.map(async (each) => this.#carry(each, before)));
      return;
    }
    const refusal = isArray ? this.arrays.judge(exchanged) : 'no';
    const isFinal = ({ outcome }: Carried): boolean =>
      findDelay(outcome.error, progress, this.#retry) === undefined;
    if (refusal === 'surely' || (refusal === 'maybe' && carried.every(isFinal))) {
      return this.#carryApart(exchanged, progress, refusal);
    }
    // What an array's answer passes over goes alone.
    const isLeft = (each: Carried): boolean =>
      isArray && isAnswered && (!each.isAnswered || isTooLarge(each.outcome.error));
    const left = carried.filter(isLeft).map(({ call }) => call);
    const others = carried.filter((each) => !isLeft(each));
    await Promise.all([
      this.#settleOrRepeat(others, progress),
      this.#carryEach(left, { ...progress, attempts: 0 }),
    ]);
  }

  // Calls that are answered alone show that it was the array.
  async #carryApart(
    { carried, failure }: Exchanged,
    progress: Progress,
    refusal: Refusal,
  ): Promise<void> {
    const calls = carried
      .map(({ call }) => call)
      .filter(({ isSettled }) => !isSettled());
    if (calls.length === 0 || this.#isOver(progress)) return settleAll(carried);
    const limit = carried.map(findLimit).find(Boolean);
    if (limit) {
      // A client that repeats nothing does not wait either.
      const delay = findDelay(limit, { ...progress, attempts: 1 }, this.#retry);
      if (delay === undefined) return settleAll(carried);
      await this.#retry.sleep(delay);
    }
    // Any of them may fail for a reason of its own. A server that is down is asked once.
    const isMute =
      failure instanceof ClientError && consequences[failure.kind].mayBeDone;
    const first = calls.slice(0, limit || isMute ? 1 : PARALLEL);
    const alone = await Promise.all(
      first.map(async (call) => this.#exchange([call], progress)),
    );
    const isAnswered = alone.some(
      (each) => each.isAnswered && !(limit && each.carried.some(findLimit)),
    );
    this.arrays.noteSingle(refusal, isAnswered);
    if (!isAnswered) {
      return settleAll([...alone.flatMap((each) => each.carried), ...carried]);
    }
    await Promise.all([
      ...alone.map(async (each) => this.#settleOrRepeat(each.carried, progress)),
      this.#carryEach(calls.slice(first.length), { ...progress, attempts: 0 }),
    ]);
  }

  async #carryEach(calls: readonly PendingCall[], before: Progress): Promise<void> {
    const left = calls.values();
    const work = async (): Promise<void> => {
      for (const call of left) {
        if (this.#isOver(before)) {
          // It was never sent: the calls before it took all the time that there was.
          const error = new TimeoutError(this.#placeOf(call, 1), this.#retry.budgetMs);
          call.settle({ error });
        } else await this.#carry([call], before);
      }
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL, calls.length) }, work));
  }

  // Answers the callers, but for the calls that are worth another attempt.
  async #settleOrRepeat(
    carried: readonly Carried[],
    progress: Progress,
  ): Promise<void> {
    const again: Carried[] = [];
    let longest = 0;
    for (const each of carried) {
      const { call, outcome } = each;
      const delay = findDelay(outcome.error, progress, this.#retry);
      if (delay === undefined || !call.idempotent || call.isSettled()) {
        call.settle(outcome);
      } else {
        again.push(each);
        longest = Math.max(longest, delay);
      }
    }
    if (again.length === 0) return;
    await this.#retry.sleep(longest);
    // The machine may have slept longer than we did.
    if (this.#isOver(progress)) return settleAll(again);
    const calls = again.map(({ call }) => call);
    await this.#carry(calls, progress);
  }

  async #exchange(
    calls: readonly PendingCall[],
    progress: Progress,
  ): Promise<Exchanged> {
    const endpoint = this.#endpoint;
    const toFailed = (call: PendingCall, failure: unknown): Carried => {
      const error = withPlace(failure, this.#placeOf(call, progress.attempts));
      return { call, outcome: { error }, isAnswered: false };
    };
    try {
      const leftMs = toLeftMs(progress, this.#retry);
      const bodies = calls.map((call) => call.body).join(',');
      const reply = await fetchReply({
        ...this.#options,
        endpoint,
        body: calls.length === 1 ? bodies : `[${bodies}]`,
        timeoutMs: Math.min(this.#options.timeoutMs, leftMs),
        signal: whenAllSettled(calls),
      });
      const answers = sortAnswers(reply, endpoint, calls);
      const isOfForm = calls.length === 1 || Array.isArray(reply.value);
      const carried = calls.map((call): Carried => {
        try {
          const result = readResult(call, answers, { endpoint, reply });
          return { call, outcome: { result }, isAnswered: true };
        } catch (error) {
          return { ...toFailed(call, error), isAnswered: answers.has(call.id) };
        }
      });
      const isAnswered = isOfForm && carried.some((each) => each.isAnswered);
      return { carried, isAnswered };
    } catch (failure) {
      const carried = calls.map((call) => toFailed(call, failure));
      return { carried, failure, isAnswered: false };
    }
  }

  #placeOf({ method, idempotent }: PendingCall, attempts: number): Place {
    const label = `${method} at ${this.#endpoint.label}`;
    return { label, attempts, mayBeDone: !idempotent };
  }

  #isOver(progress: Progress): boolean {
    return toLeftMs(progress, this.#retry) <= 0;
  }
}

function isTooLarge(failure: unknown): boolean {
  if (failure instanceof HttpStatusError) return failure.status === 413;
  const isLimit = failure instanceof RpcError && failure.topic === 'size';
  return isLimit || failure instanceof BodyTooLargeError;
}

function settleAll(carried: readonly Carried[]): void {
  carried.forEach(({ call, outcome }) => call.settle(outcome));
}

// All callers have given up: the exchange need not go on.
function whenAllSettled(calls: readonly PendingCall[]): AbortSignal {
  const abort = new AbortController();
  let left = calls.length;
  for (const call of calls) {
    call.onSettled(() => {
      left -= 1;
      if (left === 0) abort.abort();
    });
  }
  return abort.signal;
}
