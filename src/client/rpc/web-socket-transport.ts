// JSON-RPC over a WebSocket: the same messages as over HTTP, one call a message, answers
// matched by id. The socket is opened when it is needed and again after it broke; calls
// that may be repeated are, the others fail with what is known of them.
import type { Endpoint } from '../endpoint';
import { BodyTooLargeError, NetworkError, TimeoutError } from '../errors';
import type { Place } from '../errors';
import { DEFAULT_MAX_BYTES, DEFAULT_TIMEOUT_MS } from '../http';
import { toRetry, withRetry } from '../retry';
import type { Retry, RetryPolicy, RetryServices } from '../retry';
import { findOutcome, groupAnswers, startCall } from './calls';
import type { PendingCall } from './calls';
import {
  Connection,
  findPause,
  readMessage,
  toClosedError,
  toNetworkError,
} from './connection';
import type { OpenSocket, Socket } from './connection';
import { Subscriptions } from './subscriptions';
import type { ServerSubscription, Topic, TopicListener } from './subscriptions';
import type { FirstTransport, RpcCall, Transport } from './transport';

// How a socket is used, and what holds where nothing is said.

/** How a socket is used; all but `open` has a default. */
export type WebSocketOptions = {
  open: OpenSocket;
  /** Milliseconds from the call to its answer, the opening of the socket included. */
  timeoutMs?: number | undefined;
  /** Longest message in bytes. */
  maxBytes?: number | undefined;
  retry?: Partial<RetryPolicy> | undefined;
  services?: Partial<RetryServices> | undefined;
};

/** The same, complete. */
export type WebSocketSettings = {
  open: OpenSocket;
  timeoutMs: number;
  maxBytes: number;
  retry: Retry;
};

/** Complete what was given. */
export function toSettings(options: WebSocketOptions): WebSocketSettings {
  const { open, retry, services } = options;
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = DEFAULT_MAX_BYTES } = options;
  return { open, timeoutMs, maxBytes, retry: toRetry(retry, services) };
}

// The calls that wait for a socket or for their answers, each with its own time limit.

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

/** Ids start anywhere below: an answer to a call of an earlier worker must not be taken
 * for one of ours, since the wallet keeps a snap's socket open while the snap is stopped. */
const FIRST_ID_BOUND = 2 ** 50;

/** JSON-RPC over a WebSocket. */
export class WebSocketTransport implements Transport, FirstTransport {
  readonly label: string;

  readonly #endpoint: Endpoint;

  readonly #settings: WebSocketSettings;

  readonly #connection: Connection;

  readonly #subscriptions: Subscriptions;

  readonly #waiting: WaitingCalls;

  #lastId: number;

  /** The round of reconnecting that is under way: a later one takes its place. */
  #reconnecting: object | undefined;

  #isClosed = false;

  constructor(endpoint: Endpoint, options: WebSocketOptions) {
    this.label = endpoint.label;
    this.#endpoint = endpoint;
    this.#settings = toSettings(options);
    const { open, timeoutMs, retry } = this.#settings;
    this.#lastId = Math.floor(retry.random() * FIRST_ID_BOUND);
    this.#waiting = new WaitingCalls({
      endpoint,
      // Half-open, perhaps: another socket is better than waiting on this one.
      onSilence: (socket) => this.#connection.drop(socket),
    });
    this.#connection = new Connection(
      { url: endpoint.url, open, timeoutMs, services: retry },
      {
        onOpen: () => void this.#subscriptions.resume(),
        onMessage: async (text) => this.#receive(text),
        onClose: () => this.#lose(),
      },
    );
    this.#subscriptions = new Subscriptions({
      connect: async () => this.#connect(),
      subscribe: async (topic) => this.#ask('eth_subscribe', topic),
      unsubscribe: async (id) => this.#ask('eth_unsubscribe', id),
    });
  }

  /** Carry one call; see {@link Transport.request}. */
  async request(call: RpcCall): Promise<unknown> {
    if (!call.idempotent) return this.requestOnce(call);
    return withRetry(
      async (attempts, leftMs) => this.#attempt(call, { attempts, leftMs }),
      this.#settings.retry,
      call.signal,
    );
  }

  /** Carry one call without another attempt; see {@link Transport.request}. */
  async requestOnce(call: RpcCall): Promise<unknown> {
    return this.#attempt(call, { attempts: 1, leftMs: this.#settings.retry.budgetMs });
  }

  /** Whether the socket is closed, or left alone for a while after a failure. */
  isResting(): boolean {
    return this.#isClosed || this.#connection.pauseMs() > 0;
  }

  /**
   * Listen to a topic, over reconnections too, until the returned function is called.
   *
   * @param listener - Gets what the server tells, unchecked.
   * @throws What {@link request} throws.
   */
  async subscribe(topic: Topic, listener: TopicListener): Promise<() => Promise<void>> {
    return this.#subscriptions.add(topic, listener);
  }

  /** Find a topic's subscription; undefined while there is none, another after each loss. */
  findSubscription(topic: Topic): ServerSubscription | undefined {
    return this.#subscriptions.find(topic);
  }

  /** Close the socket for good: what waits fails, and so does every later call. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#subscriptions.clear();
    this.#waiting.failAll(toClosedError);
    await this.#connection.close();
  }

  async #ask(method: string, param: string): Promise<unknown> {
    // Whatever becomes of it ends with the connection: asking twice does no harm.
    return this.requestOnce({ method, params: [param], idempotent: true });
  }

  async #connect(): Promise<void> {
    const place = { label: this.label };
    if (this.#isClosed) throw toClosedError(place);
    await this.#connection.get().catch((cause: unknown) => {
      throw toNetworkError(place, cause, this.#endpoint);
    });
  }

  async #attempt(
    call: RpcCall,
    { attempts, leftMs }: { attempts: number; leftMs: number },
  ): Promise<unknown> {
    const place = { label: `${call.method} at ${this.label}`, attempts };
    if (this.#isClosed) throw toClosedError(place);
    const timeoutMs = Math.min(this.#settings.timeoutMs, leftMs);
    this.#lastId += 1;
    return startCall(this.#lastId, call, (pending) => {
      void this.#send(pending, this.#waiting.add(pending, place, timeoutMs));
    });
  }

  async #send(call: PendingCall, { place, markSent }: Waiting): Promise<void> {
    const fail = (cause: unknown): void => {
      // Nothing was sent, so nothing was carried out.
      const where = { ...place(), mayBeDone: false };
      call.settle({ error: toNetworkError(where, cause, this.#endpoint) });
    };
    const socket = await this.#connection.get().catch(fail);
    if (!socket || call.isSettled()) return;
    markSent(socket);
    await socket.send(call.body).catch((cause: unknown) => {
      fail(cause);
      this.#connection.drop(socket);
    });
  }

  async #receive(text: string): Promise<void> {
    const { maxBytes } = this.#settings;
    const { value, answered } = readMessage(text, maxBytes);
    const toError = (place: Place): Error => new BodyTooLargeError(place, maxBytes);
    if (answered === 'unknown') this.#waiting.failSent(toError);
    else if (answered !== undefined) this.#waiting.fail(answered, toError);
    this.#waiting.answer(value);
    await this.#subscriptions.deliver(value);
  }

  #lose(): void {
    this.#subscriptions.suspend();
    this.#waiting.failSent((place) => new NetworkError(place));
    void this.#reconnect();
  }

  // In a snap this stands still while no request is handled; then the next call opens the
  // socket.
  async #reconnect(): Promise<void> {
    const round = {};
    const { sleep, random } = this.#settings.retry;
    this.#reconnecting = round;
    for (let tries = 0; this.#subscriptions.isIncomplete; tries += 1) {
      await sleep(findPause(tries, random));
      if (this.#reconnecting !== round || !this.#subscriptions.isIncomplete) return;
      await this.#connection.get().then(
        async () => this.#subscriptions.resume(),
        () => undefined,
      );
    }
  }
}
