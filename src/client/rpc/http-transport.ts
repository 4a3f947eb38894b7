// JSON-RPC over HTTP: calls of one tick go as one array, and what fails in passing is
// tried again for the calls that may be repeated.
import type { Endpoint } from '../endpoint';
import { BodyTooLargeError, HttpStatusError, tellAt } from '../errors';
import { fetchJson } from '../http';
import type { HttpOptions } from '../http';
import { completeOptions } from '../http-options';
import type { CompleteOptions } from '../http-options';
import type { Place } from '../place';
import { findDelay } from '../retry';
import type { Retry, Tries } from '../retry';
import { findOutcome, sortAnswers } from './answers';
import { createBatcher } from './batcher';
import { startCall } from './pending-call';
import type { Outcome, PendingCall } from './pending-call';
import type { Transport } from './transport';

const TOO_LARGE = 413;

type Carrier = CompleteOptions & { endpoint: Endpoint };

/** The tries of a batch so far. */
type Progress = { attempts: number; start: number };

/** A call with what came of carrying it. */
type Carried = { call: PendingCall; outcome: Outcome };

/**
 * Create a transport that sends to a node or bundler at an endpoint.
 *
 * @throws {InvalidParamsError} If an option is out of its bounds.
 */
export function createHttpTransport(
  endpoint: Endpoint,
  options: HttpOptions,
): Transport {
  const carrier: Carrier = { ...completeOptions(options), endpoint };
  let lastId = 0;
  const send = createBatcher<PendingCall>((calls) => {
    void carry(calls, carrier, { attempts: 0, start: carrier.retry.now() });
  }, carrier.batchLimit);
  return {
    label: endpoint.label,
    request: async (call) => startCall(++lastId, call, send),
  };
}

// Carries calls until each is settled; never rejects.
async function carry(
  all: readonly PendingCall[],
  carrier: Carrier,
  before: Progress,
): Promise<void> {
  const calls = all.filter(({ isSettled }) => !isSettled());
  if (calls.length === 0) return;
  const progress = { ...before, attempts: before.attempts + 1 };
  const carried = await exchangeOnce(calls, carrier, progress);
  const canSplit = calls.length > 1 && !isOver(carrier, progress);
  const isSplit = (each: Carried): boolean => canSplit && maySplit(each);
  await Promise.all([
    carryHalves(toCalls(carried.filter(isSplit)), carrier, before),
    settleOrRepeat(
      carried.filter((each) => !isSplit(each)),
      carrier,
      progress,
    ),
  ]);
}

// Tells whether a call may get through in a smaller batch. Nothing of a batch that the
// server refused was carried out; one whose answer is too large was.
function maySplit({ call, outcome }: Carried): boolean {
  const error = 'error' in outcome ? outcome.error : undefined;
  return error instanceof BodyTooLargeError
    ? call.idempotent
    : error instanceof HttpStatusError && error.status === TOO_LARGE;
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
): Promise<Carried[]> {
  const { endpoint, retry } = carrier;
  const placeOf = ({ method, idempotent }: PendingCall): Place => ({
    label: `${method} at ${endpoint.label}`,
    attempts,
    mayBeDone: !idempotent,
  });
  try {
    const leftMs = retry.budgetMs - (retry.now() - start);
    const timeoutMs = Math.min(carrier.timeoutMs, leftMs);
    const options = { ...carrier, timeoutMs, signal: whenAllSettled(calls) };
    const body = await fetchJson({ endpoint, body: write(calls) }, options);
    const answers = sortAnswers(body, endpoint);
    return calls.map((call) => ({
      call,
      outcome: findOutcome(call, answers, { endpoint, place: placeOf(call) }),
    }));
  } catch (error) {
    return calls.map((call) => ({
      call,
      outcome: { error: tellAt(error, placeOf(call)) },
    }));
  }
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
