// JSON-RPC over HTTP: calls of one tick that may be repeated go as one array where the server takes
// arrays, and what fails in passing is tried again. A call that must not be repeated goes alone.
import type { Endpoint } from '../endpoint';
import { BodyTooLargeError, HttpStatusError, tellAt, TimeoutError } from '../errors';
import { fetchJson } from '../http';
import type { HttpOptions } from '../http';
import { completeOptions } from '../http-options';
import type { CompleteOptions } from '../http-options';
import type { Place } from '../place';
import { findDelay } from '../retry';
import type { Retry, Tries } from '../retry';
import { findOutcome, sortAnswers } from './answers';
import { ArrayUse } from './arrays';
import type { Exchanged, Refusal } from './arrays';
import { createBatcher } from './batcher';
import { startCall } from './pending-call';
import type { Outcome, PendingCall } from './pending-call';
import type { Transport } from './transport';

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
