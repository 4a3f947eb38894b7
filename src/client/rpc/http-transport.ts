// JSON-RPC over HTTP: calls of one tick that may be repeated go as one array where the server takes
// arrays, and what fails in passing is tried again. A call that must not be repeated goes alone.
import type { Endpoint } from '../endpoint';
import {
  BodyTooLargeError,
  HttpStatusError,
  InvalidResponseError,
  NetworkError,
  RateLimitError,
  RpcError,
  tellAt,
  TimeoutError,
} from '../errors';
import type { Place } from '../errors';
import { completeOptions, fetchJson } from '../http';
import type { CompleteOptions, HttpOptions } from '../http';
import { findDelay } from '../retry';
import type { Retry, Tries } from '../retry';
import { findOutcome, sortAnswers, startCall } from './calls';
import type { Outcome, PendingCall } from './calls';
import type { Transport } from './transport';

// Collects what comes within one tick and passes it on in lots.

/**
 * Create a function that takes one item at a time.
 *
 * @param send - Takes a lot, in the order of the items; must not throw.
 * @param limit - Most items in a lot; what is beyond goes in further lots.
 */
export function createBatcher<Item>(
  send: (items: readonly Item[]) => void,
  limit: number,
): (item: Item) => void {
  let waiting: Item[] = [];
  const flush = (): void => {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += limit) {
      send(all.slice(start, start + limit));
    }
  };
  return (item) => {
    // A microtask: calls made together go together, and nobody waits for a timer. By a
    // promise, since a snap's worker has no queueMicrotask.
    if (waiting.length === 0) void Promise.resolve().then(flush);
    waiting.push(item);
  };
}

// Whether a server takes arrays of calls. The specification knows single objects alone (section
// 4.2). A server that knows no more refuses an array in one of many ways: with an error about the
// whole request, with a status, without an answer, or by closing the connection. Most of these have
// other causes as well, so what becomes of a call that is then sent alone decides.

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

const TOO_LARGE = 413;

/** Calls that go at a time to a server that takes no arrays. */
const PARALLEL = 8;

type Carrier = CompleteOptions & { endpoint: Endpoint; arrays: ArrayUse };

/** The tries of a batch so far. */
type Progress = { attempts: number; start: number };

/** A call with what came of carrying it. */
type Carried = { call: PendingCall; outcome: Outcome };

/** Calls with what came of carrying them together. */
type Exchange = Omit<Exchanged, 'outcomes'> & { carried: readonly Carried[] };

/** A transport over HTTP. */
export type HttpTransport = Transport & {
  /** Whether the server takes arrays of calls, as far as that is known by now. */
  readonly takesArrays: () => boolean;
};

/**
 * Create a transport that sends to a node or bundler at an endpoint.
 *
 * A call that must not be repeated goes alone: if the server refused an array with it, nobody
 * could tell what became of it.
 *
 * @throws {InvalidParamsError} If an option is out of its bounds.
 */
export function createHttpTransport(
  endpoint: Endpoint,
  options: HttpOptions,
): HttpTransport {
  const complete = completeOptions(options);
  const { batchLimit } = complete;
  const arrays = new ArrayUse(batchLimit === 1);
  const carrier: Carrier = { ...complete, endpoint, arrays };
  let lastId = 0;
  const send = (calls: readonly PendingCall[]): void => {
    void carry(calls, carrier, { attempts: 0, start: carrier.retry.now() });
  };
  const collect = createBatcher(send, batchLimit === 1 ? Infinity : batchLimit);
  return {
    label: endpoint.label,
    request: async (call) =>
      startCall(++lastId, call, call.idempotent ? collect : (each) => send([each])),
    takesArrays: () => !arrays.isDoubtful,
  };
}

// Carries calls until each is settled; never rejects.
async function carry(
  all: readonly PendingCall[],
  carrier: Carrier,
  before: Progress,
): Promise<void> {
  const calls = all.filter(({ isSettled }) => !isSettled());
  const isArray = calls.length > 1;
  if (calls.length === 0) return;
  if (isArray && carrier.arrays.isRefused) return carryEach(calls, carrier, before);
  const progress = { ...before, attempts: before.attempts + 1 };
  const exchange = await exchangeOnce(calls, carrier, progress);
  const { carried, failure } = exchange;
  if (isArray && isTooLarge(failure) && !isOver(carrier, progress)) {
    return carryHalves(calls, carrier, before);
  }
  const refusal = isArray ? carrier.arrays.judge(toExchanged(exchange)) : 'no';
  if (
    refusal === 'surely' ||
    (refusal === 'maybe' && isLast(exchange, progress, carrier))
  ) {
    return carryApart(carried, carrier, { refusal, progress });
  }
  return settleOrRepeat(carried, carrier, progress);
}

// Nothing of what the server refused was carried out; what is in an array may be repeated.
function isTooLarge(failure: unknown): boolean {
  return (
    failure instanceof BodyTooLargeError ||
    (failure instanceof HttpStatusError && failure.status === TOO_LARGE)
  );
}

async function carryHalves(
  calls: readonly PendingCall[],
  carrier: Carrier,
  before: Progress,
): Promise<void> {
  const half = Math.ceil(calls.length / 2);
  await Promise.all([
    carry(calls.slice(0, half), carrier, before),
    carry(calls.slice(half), carrier, before),
  ]);
}

// A call that is answered alone shows that it was the array.
async function carryApart(
  carried: readonly Carried[],
  carrier: Carrier,
  { refusal, progress }: { refusal: Refusal; progress: Progress },
): Promise<void> {
  const [first, ...others] = toCalls(carried).filter(({ isSettled }) => !isSettled());
  if (!first || isOver(carrier, progress)) return settleAll(carried);
  const alone = await exchangeOnce([first], carrier, progress);
  carrier.arrays.noteSingle(refusal, alone.isAnswered);
  if (!alone.isAnswered) return settleAll(carried);
  await Promise.all([
    settleOrRepeat(alone.carried, carrier, progress),
    carryEach(others, carrier, { ...progress, attempts: 0 }),
  ]);
}

async function carryEach(
  calls: readonly PendingCall[],
  carrier: Carrier,
  before: Progress,
): Promise<void> {
  const left = calls.values();
  const work = async (): Promise<void> => {
    for (const call of left) {
      if (isOver(carrier, before)) settleLate(call, carrier);
      else await carry([call], carrier, before);
    }
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL, calls.length) }, work));
}

function settleAll(carried: readonly Carried[]): void {
  carried.forEach(({ call, outcome }) => call.settle(outcome));
}

// Answers the callers, but for the calls that are worth another attempt.
async function settleOrRepeat(
  carried: readonly Carried[],
  carrier: Carrier,
  progress: Progress,
): Promise<void> {
  const { retry } = carrier;
  const elapsedMs = retry.now() - progress.start;
  const again: Carried[] = [];
  let longest = 0;
  for (const each of carried) {
    const delay = findDelayOf(each, { ...progress, elapsedMs }, retry);
    if (delay === undefined) each.call.settle(each.outcome);
    else again.push(each);
    longest = Math.max(longest, delay ?? 0);
  }
  if (again.length === 0) return;
  await retry.sleep(longest);
  // The machine may have slept longer than we did.
  if (isOver(carrier, progress)) {
    again.forEach(({ call, outcome }) => call.settle(outcome));
  } else {
    await carry(toCalls(again), carrier, progress);
  }
}

function isOver({ retry }: Carrier, { start }: Progress): boolean {
  return retry.now() - start >= retry.budgetMs;
}

function isLast(
  { failure }: Exchange,
  { attempts, start }: Progress,
  { retry }: Carrier,
): boolean {
  const tries = { attempts, elapsedMs: retry.now() - start };
  return findDelay(failure, tries, retry) === undefined;
}

function findDelayOf(
  { call, outcome }: Carried,
  tries: Tries,
  retry: Retry,
): number | undefined {
  const isWorthwhile = 'error' in outcome && call.idempotent && !call.isSettled();
  return isWorthwhile ? findDelay(outcome.error, tries, retry) : undefined;
}

async function exchangeOnce(
  calls: readonly PendingCall[],
  carrier: Carrier,
  { attempts, start }: Progress,
): Promise<Exchange> {
  const { endpoint, retry } = carrier;
  const placeOf = (call: PendingCall): Place => toPlace(call, endpoint, attempts);
  try {
    const leftMs = retry.budgetMs - (retry.now() - start);
    const timeoutMs = Math.min(carrier.timeoutMs, leftMs);
    const options = { ...carrier, timeoutMs, signal: whenAllSettled(calls) };
    const body = await fetchJson({ endpoint, body: write(calls) }, options);
    const answers = sortAnswers(body, endpoint);
    const carried = calls.map((call) => ({
      call,
      outcome: findOutcome(call, answers, { endpoint, place: placeOf(call) }),
    }));
    const isOfForm = calls.length === 1 || Array.isArray(body);
    return { carried, isAnswered: isOfForm && calls.some(({ id }) => answers.has(id)) };
  } catch (failure) {
    const carried = calls.map((call) => ({
      call,
      outcome: { error: tellAt(failure, placeOf(call)) },
    }));
    return { carried, failure, isAnswered: false };
  }
}

function toPlace(
  { method, idempotent }: PendingCall,
  { label }: Endpoint,
  attempts: number,
): Place {
  return { label: `${method} at ${label}`, attempts, mayBeDone: !idempotent };
}

// It was never sent: the calls before it took all the time that there was.
function settleLate(call: PendingCall, { endpoint, retry }: Carrier): void {
  const place = toPlace(call, endpoint, 1);
  call.settle({ error: new TimeoutError(place, retry.budgetMs) });
}

function toExchanged({ carried, ...exchange }: Exchange): Exchanged {
  return { ...exchange, outcomes: carried.map(({ outcome }) => outcome) };
}

function toCalls(carried: readonly Carried[]): PendingCall[] {
  return carried.map(({ call }) => call);
}

function write(calls: readonly PendingCall[]): string {
  const [only, ...others] = calls.map(({ body }) => body);
  return others.length === 0 ? String(only) : `[${[only, ...others].join(',')}]`;
}

// Nobody waits any more: the exchange need not go on.
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
