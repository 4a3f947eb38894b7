// The calls that wait for a socket or for their answers, each with its own time limit.
import type { Endpoint } from '../endpoint';
import { TimeoutError } from '../errors';
import type { Place } from '../place';
import { findOutcome, groupAnswers } from './answers';
import type { PendingCall } from './pending-call';
import type { Socket } from './socket';

/** A call that waits. */
export type Waiting = {
  readonly call: PendingCall;
  /** Whether it went out. */
  readonly isSent: () => boolean;
  /** It goes out now, over a socket. */
  readonly markSent: (socket: Socket) => void;
  /** Get where it is; until it went out, it cannot have been carried out. */
  readonly place: () => Place;
};

/** What waiting calls are told to do. */
export type WaitingOptions = {
  endpoint: Endpoint;
  /** A call went unanswered, and nothing else was heard since it went out over a socket. */
  onSilence: (socket: Socket) => void;
};

/** Calls by id, until they are settled. */
export class WaitingCalls {
  readonly #options: WaitingOptions;

  readonly #calls = new Map<number, Waiting>();

  /** Number of messages. */
  #heard = 0;

  constructor(options: WaitingOptions) {
    this.#options = options;
  }

  /**
   * Wait for the answer to a call.
   *
   * @param place - Where it goes to, and the number of the attempt.
   * @param timeoutMs - After so many milliseconds it fails.
   */
  add(call: PendingCall, place: Place, timeoutMs: number): Waiting {
    let sent: { over: Socket; heard: number } | undefined;
    const isSent = (): boolean => sent !== undefined;
    const waiting: Waiting = {
      call,
      isSent,
      markSent: (over) => {
        sent = { over, heard: this.#heard };
      },
      place: () => ({ ...place, mayBeDone: isSent() && !call.idempotent }),
    };
    const timer = setTimeout(() => {
      call.settle({ error: new TimeoutError(waiting.place(), timeoutMs) });
      if (sent?.heard === this.#heard) this.#options.onSilence(sent.over);
    }, timeoutMs);
    this.#calls.set(call.id, waiting);
    call.onSettled(() => {
      clearTimeout(timer);
      this.#calls.delete(call.id);
    });
    return waiting;
  }

  /** Settle the calls that a message answers; answers to nobody are dropped. */
  answer(message: unknown): void {
    this.#heard += 1;
    const answers = groupAnswers(message);
    for (const id of answers.keys()) {
      const waiting = this.#calls.get(id);
      if (!waiting) continue;
      const { endpoint } = this.#options;
      const place = waiting.place();
      waiting.call.settle(findOutcome(waiting.call, answers, { endpoint, place }));
    }
  }

  /** Fail a call by its id, if it waits. */
  fail(id: number, toError: (place: Place) => Error): void {
    const waiting = this.#calls.get(id);
    waiting?.call.settle({ error: toError(waiting.place()) });
  }

  /** Fail the calls that went out. */
  failSent(toError: (place: Place) => Error): void {
    for (const { call, isSent } of [...this.#calls.values()]) {
      if (isSent()) this.fail(call.id, toError);
    }
  }

  /** Fail all calls. */
  failAll(toError: (place: Place) => Error): void {
    for (const id of [...this.#calls.keys()]) this.fail(id, toError);
  }
}
