// JSON-RPC over HTTP. Repeatable calls are retried after transient failures, and share an array if
// they are made in one tick and the server accepts arrays. A call that must not be repeated is sent
// alone, because its outcome would be unknown if the server refused its array.
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
  /** Whether the server accepts arrays of calls, as far as known. */
  readonly supportsBatches: () => boolean;
};

type CallOutcome = { call: PendingCall; outcome: Outcome; isAnswered: boolean };

type Exchanged = {
  outcomes: readonly CallOutcome[];
  /** Whether the response answered any call, and is an array if the request was one. */
  isAnswered: boolean;
  /** Failure of the exchange as a whole. */
  failure?: unknown;
};

/** Whether a server refused an array; `maybe` can also mean a temporary failure. */
type Refusal = 'surely' | 'maybe' | 'no';

/** Maximum number of an array's calls that are sent singly in parallel. */
const PARALLEL = 8;

/** Consecutive failures that count as a refusal if a single call is then answered. */
const MAX_FAILURES = 2;

/** Creates a transport that sends to a node or bundler at an endpoint.
 * @throws {InvalidParamsError} If an option is invalid. */
export function createHttpTransport(
  endpoint: Endpoint,
  options: HttpOptions,
): HttpTransport {
  const complete = completeOptions(options);
  const sender = new CallSender(endpoint, complete);
  let lastId = 0;
  return {
    label: endpoint.label,
    budgetMs: complete.retry.budgetMs,
    request: async (call) =>
      startCall(++lastId, call, (pending) => {
        if (pending.idempotent && !call.isSlow) sender.collect(pending);
        else sender.send([pending]);
      }),
    supportsBatches: () => !sender.arrays.isDoubtful,
  };
}

/** Tracks whether a server accepts arrays of calls. Servers refuse an array in many ways: an error
 * about the whole request, a status, no answer, or a closed connection. Most of these can have
 * other causes, so a single call afterwards decides. */
class ArraySupport {
  isRefused = false;

  /** Length of the longest fully answered array. */
  #longest = 0;

  #failures = 0;

  /** Whether the server refuses arrays, or may do so because the last one failed. */
  get isDoubtful(): boolean {
    return this.isRefused || this.#failures > 0;
  }

  judge(exchanged: Exchanged): Refusal {
    const refusal = findRefusal(exchanged);
    const { outcomes } = exchanged;
    const isWhole = outcomes.every((each) => each.isAnswered && !findLimit(each));
    if (refusal === 'no' && isWhole) {
      this.#longest = Math.max(this.#longest, outcomes.length);
    }
    if (refusal === 'maybe' && outcomes.length <= this.#longest) return 'no';
    this.#failures = refusal === 'no' ? 0 : this.#failures + 1;
    return refusal;
  }

  /** Records the outcome of a single call after a failed array. */
  noteSingle(refusal: Refusal, isAnswered: boolean): void {
    if (!isAnswered) this.#failures = 0;
    else if (refusal === 'surely' || this.#failures >= MAX_FAILURES) {
      this.isRefused = true;
    }
  }
}

function findRefusal({ failure, isAnswered, outcomes }: Exchanged): Refusal {
  if (!(failure instanceof ClientError)) {
    const answered = outcomes.filter((each) => each.isAnswered);
    if (!isAnswered || answered.every(isInvalid)) return 'surely';
    return outcomes.every(findLimit) ? 'maybe' : 'no';
  }
  // Without the right key, the server refuses every request.
  if (failure instanceof HttpStatusError && failure.status === 401) return 'no';
  // Some servers answer any array with a rate limit.
  const { isRepeated, mayBeDone } = consequences[failure.kind];
  return isRepeated || mayBeDone ? 'maybe' : 'surely';
}

function isInvalid({ outcome: { error } }: CallOutcome): boolean {
  return error instanceof RpcError && error.code === -32600 && error.topic !== 'size';
}

function findLimit({ outcome: { error } }: CallOutcome): RateLimitError | undefined {
  return error instanceof RateLimitError ? error : undefined;
}

/** Sends calls to a server until each is settled; never rejects. */
class CallSender {
  readonly arrays = new ArraySupport();
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

  collect(call: PendingCall): void {
    // A microtask lets calls made together share an array. Snaps have no queueMicrotask.
    if (this.#waiting.length === 0) void Promise.resolve().then(() => this.#flush());
    this.#waiting.push(call);
  }

  send(calls: readonly PendingCall[]): void {
    void this.#sendAndSettle(calls, { attempts: 0, start: this.#retry.now() });
  }

  #flush(): void {
    const all = this.#waiting;
    const { batchLimit } = this.#options;
    // With a limit of 1, calls are not sent in arrays, so they need no chunks.
    const size = batchLimit === 1 ? all.length : batchLimit;
    this.#waiting = [];
    for (let start = 0; start < all.length; start += size) {
      this.send(all.slice(start, start + size));
    }
  }

  async #sendAndSettle(all: readonly PendingCall[], before: Progress): Promise<void> {
    const calls = all.filter(({ isSettled }) => !isSettled());
    const isArray = calls.length > 1;
    if (calls.length === 0) return;
    if (isArray && this.arrays.isRefused) return this.#sendEach(calls, before);
    const progress = { ...before, attempts: before.attempts + 1 };
    const exchanged = await this.#exchange(calls, progress);
    const { outcomes, failure, isAnswered } = exchanged;
    if (isArray && isTooLarge(failure) && !this.#isOver(progress)) {
      // Calls in an array are repeatable, whether or not the server executed them.
      const half = Math.ceil(calls.length / 2);
      const halves = [calls.slice(0, half), calls.slice(half)];
      await Promise.all(halves.map(async (each) => this.#sendAndSettle(each, before)));
      return;
    }
    const refusal = isArray ? this.arrays.judge(exchanged) : 'no';
    const isFinal = ({ outcome }: CallOutcome): boolean =>
      findDelay(outcome.error, progress, this.#retry) === undefined;
    if (refusal === 'surely' || (refusal === 'maybe' && outcomes.every(isFinal))) {
      return this.#sendApart(exchanged, progress, refusal);
    }
    // Calls that the array left unanswered, or that were too large for it, are sent alone.
    const isLeft = (each: CallOutcome): boolean =>
      isArray && isAnswered && (!each.isAnswered || isTooLarge(each.outcome.error));
    const left = outcomes.filter(isLeft).map(({ call }) => call);
    const others = outcomes.filter((each) => !isLeft(each));
    await Promise.all([
      this.#settleOrRepeat(others, progress),
      this.#sendEach(left, { ...progress, attempts: 0 }),
    ]);
  }

  // Sends an array's calls singly. If the server answers any, the array may be the problem.
  async #sendApart(
    { outcomes, failure }: Exchanged,
    progress: Progress,
    refusal: Refusal,
  ): Promise<void> {
    const calls = outcomes
      .map(({ call }) => call)
      .filter(({ isSettled }) => !isSettled());
    if (calls.length === 0 || this.#isOver(progress)) return settleAll(outcomes);
    const limit = outcomes.map(findLimit).find(Boolean);
    if (limit) {
      // A client without retries does not wait either.
      const delay = findDelay(limit, { ...progress, attempts: 1 }, this.#retry);
      if (delay === undefined) return settleAll(outcomes);
      await this.#retry.sleep(delay);
    }
    // Sends several calls, because one may fail for its own reason, but only one to a server that
    // is silent or limits the rate.
    const isSilent =
      failure instanceof ClientError && consequences[failure.kind].mayBeDone;
    const first = calls.slice(0, limit || isSilent ? 1 : PARALLEL);
    const alone = await Promise.all(
      first.map(async (call) => this.#exchange([call], progress)),
    );
    const isAnswered = alone.some(
      (each) => each.isAnswered && !(limit && each.outcomes.some(findLimit)),
    );
    this.arrays.noteSingle(refusal, isAnswered);
    if (!isAnswered) {
      return settleAll([...alone.flatMap((each) => each.outcomes), ...outcomes]);
    }
    await Promise.all([
      ...alone.map(async (each) => this.#settleOrRepeat(each.outcomes, progress)),
      this.#sendEach(calls.slice(first.length), { ...progress, attempts: 0 }),
    ]);
  }

  async #sendEach(calls: readonly PendingCall[], before: Progress): Promise<void> {
    const left = calls.values();
    const work = async (): Promise<void> => {
      for (const call of left) {
        if (this.#isOver(before)) {
          // This call was never sent alone: earlier calls used up the time.
          const error = new TimeoutError(this.#placeOf(call, 1), this.#retry.budgetMs);
          call.settle({ error });
        } else await this.#sendAndSettle([call], before);
      }
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL, calls.length) }, work));
  }

  // Settles calls, or repeats them after transient failures.
  async #settleOrRepeat(
    outcomes: readonly CallOutcome[],
    progress: Progress,
  ): Promise<void> {
    const again: CallOutcome[] = [];
    let longest = 0;
    for (const each of outcomes) {
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
    // The machine may have slept longer than requested.
    if (this.#isOver(progress)) return settleAll(again);
    const calls = again.map(({ call }) => call);
    await this.#sendAndSettle(calls, progress);
  }

  async #exchange(
    calls: readonly PendingCall[],
    progress: Progress,
  ): Promise<Exchanged> {
    const endpoint = this.#endpoint;
    const toFailed = (call: PendingCall, failure: unknown): CallOutcome => {
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
      const hasExpectedForm = calls.length === 1 || Array.isArray(reply.value);
      const outcomes = calls.map((call): CallOutcome => {
        try {
          const result = readResult(call, answers, { endpoint, reply });
          return { call, outcome: { result }, isAnswered: true };
        } catch (error) {
          return { ...toFailed(call, error), isAnswered: answers.has(call.id) };
        }
      });
      const isAnswered = hasExpectedForm && outcomes.some((each) => each.isAnswered);
      return { outcomes, isAnswered };
    } catch (failure) {
      const outcomes = calls.map((call) => toFailed(call, failure));
      return { outcomes, failure, isAnswered: false };
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

function settleAll(outcomes: readonly CallOutcome[]): void {
  outcomes.forEach(({ call, outcome }) => call.settle(outcome));
}

// Aborts the exchange once all callers have given up.
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
