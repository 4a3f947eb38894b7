// JSON-RPC over a WebSocket: the same messages as over HTTP, one call a message, answers matched
// by id. The socket is opened when it is needed and again after it broke; calls that may be
// repeated are, the others fail, saying whether they may have been carried out.
import { UnavailableError } from '../../../../src/core/errors';
import { parse } from '../../../../src/schema/parse';
import { oneOf } from '../../../../src/schema/structs';
import { redactError } from '../endpoint';
import type { Endpoint } from '../endpoint';
import {
  BodyTooLargeError,
  NetworkError,
  withPlace,
  TimeoutError,
  withAttempts,
  write,
} from '../errors';
import type { Place } from '../errors';
import { DEFAULT_MAX_BYTES, DEFAULT_TIMEOUT_MS, findJson } from '../http';
import { toPause, toRetry, withRetry } from '../retry';
import type { Retry, RetryOptions } from '../retry';
import { groupAnswers, readResult, startCall } from './calls';
import type { PendingCall } from './calls';
import { Connection, RECONNECT } from './connection';
import type { OpenSocket, Socket } from './connection';
import { Subscription } from './subscriptions';
import type { ServerSubscription, TopicListener } from './subscriptions';
import type { RpcCall, Transport } from './transport';

/** Options of {@link WebSocketTransport}. Only `open` is required. */
export type WebSocketOptions = RetryOptions & {
  /** Opens a socket; see {@link createSocketOpener}. */
  open: OpenSocket;
  /** Time limit of a call in ms, including the opening of the socket. 15,000 by default. */
  timeoutMs?: number | undefined;
  /** Longest accepted message in bytes. 10,000,000 by default. */
  maxBytes?: number | undefined;
};

/** A call that waits for a socket or for its answer. */
type Waiting = {
  readonly call: PendingCall;
  /** Where it is; until it went out, it cannot have been carried out. */
  readonly place: () => Place;
  /** Over which socket it went out, and how many messages had come by then. */
  sent?: { over: Socket; heard: number };
};

/** How much is read of a message that is too long. */
const HEAD_LENGTH = 200;

/** Ids start anywhere below: the wallet keeps a socket while the snap is stopped, and an answer to an
 * earlier worker must not be taken for one of ours. */
const FIRST_ID_BOUND = 2 ** 50;

const TopicStruct = oneOf(['newHeads']);

/** JSON-RPC over a WebSocket. */
export class WebSocketTransport implements Transport {
  readonly label: string;
  readonly budgetMs: number;
  readonly #endpoint: Endpoint;
  readonly #retry: Retry;
  readonly #timeoutMs: number;
  readonly #maxBytes: number;
  readonly #connection: Connection;
  readonly #heads: Subscription;

  /** The calls that are not settled, by their ids. */
  readonly #waiting = new Map<number, Waiting>();

  #lastId: number;
  #heard = 0;

  /** The round of reconnecting that is under way: a later one takes its place. */
  #reconnecting: object | undefined;

  #isClosed = false;

  constructor(endpoint: Endpoint, options: WebSocketOptions) {
    const { open, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    this.label = endpoint.label;
    this.#endpoint = endpoint;
    this.#retry = toRetry(options);
    this.budgetMs = this.#retry.budgetMs;
    this.#timeoutMs = timeoutMs;
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    this.#lastId = Math.floor(this.#retry.random() * FIRST_ID_BOUND);
    this.#connection = new Connection({
      url: endpoint.url,
      open,
      timeoutMs,
      services: this.#retry,
      onOpen: () => void this.#heads.resume(),
      onMessage: async (text) => this.#receive(text),
      onClose: () => this.#lose(),
    });
    this.#heads = new Subscription({
      connect: async () => this.#connect(),
      subscribe: async () => this.#ask('eth_subscribe', 'newHeads'),
      unsubscribe: async (id) => this.#ask('eth_unsubscribe', id),
    });
  }

  async request(call: RpcCall): Promise<unknown> {
    if (!call.idempotent) return this.requestOnce(call);
    return withRetry(
      async (attempts, leftMs) => this.#attempt(call, attempts, leftMs),
      this.#retry,
      call.signal,
    );
  }

  /** Carries one call without another attempt; see {@link Transport.request}. */
  async requestOnce(call: RpcCall): Promise<unknown> {
    return this.#attempt(call, 1, this.#retry.budgetMs);
  }

  /** Whether the socket is closed, or left alone for a while after a failure. */
  isResting(): boolean {
    return this.#isClosed || this.#connection.pauseMs() > 0;
  }

  /** Listens to the newest blocks, over reconnections too, until the returned function is called. The
   * listener receives the notifications, unchecked. Throws what {@link request} throws, and
   * `InvalidParamsError` for another topic. */
  async subscribe(
    topic: 'newHeads',
    listener: TopicListener,
  ): Promise<() => Promise<void>> {
    parse(topic, TopicStruct, 'topic');
    return this.#heads.add(listener);
  }

  /** Finds the subscription; undefined while there is none, another after each loss. */
  findSubscription(topic: 'newHeads'): ServerSubscription | undefined {
    parse(topic, TopicStruct, 'topic');
    return this.#heads.current;
  }

  /** Closes the socket for good: what waits fails, and so does every later call. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#heads.clear();
    this.#fail(() => true, toClosedError);
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
      throw this.#toNetworkError(place, cause);
    });
  }

  async #attempt(call: RpcCall, attempts: number, leftMs: number): Promise<unknown> {
    const place = { label: `${call.method} at ${this.label}`, attempts };
    if (this.#isClosed) throw toClosedError(place);
    this.#lastId += 1;
    return startCall(this.#lastId, call, (pending) => {
      const waiting: Waiting = {
        call: pending,
        place: () => {
          const mayBeDone = waiting.sent !== undefined && !pending.idempotent;
          return { ...place, mayBeDone };
        },
      };
      const timeoutMs = Math.min(this.#timeoutMs, leftMs);
      const timer = setTimeout(() => {
        const { sent } = waiting;
        pending.settle({ error: new TimeoutError(waiting.place(), timeoutMs) });
        // Half-open, perhaps: another socket is better than waiting on this one. Calls that wait on it
        // still may be answered, such as where the server is silent to a subscription alone.
        const isLast = ![...this.#waiting.values()].some(
          (other) => other.sent?.over === sent?.over,
        );
        if (sent?.heard === this.#heard && isLast) this.#connection.drop(sent.over);
      }, timeoutMs);
      this.#waiting.set(pending.id, waiting);
      pending.onSettled(() => {
        clearTimeout(timer);
        this.#waiting.delete(pending.id);
      });
      void this.#send(waiting);
    });
  }

  async #send(waiting: Waiting): Promise<void> {
    const { call, place } = waiting;
    const fail = (cause: unknown): void => {
      // Nothing was sent, so nothing was carried out.
      const where = { ...place(), mayBeDone: false };
      call.settle({ error: this.#toNetworkError(where, cause) });
    };
    const socket = await this.#connection.get().catch(fail);
    if (!socket || call.isSettled()) return;
    waiting.sent = { over: socket, heard: this.#heard };
    await socket.send(call.body).catch((cause: unknown) => {
      fail(cause);
      this.#connection.drop(socket);
    });
  }

  async #receive(text: string): Promise<void> {
    // No text has more characters than bytes.
    const isTooLong = text.length > this.#maxBytes;
    if (isTooLong) {
      const isMeant = findMeant(text);
      this.#fail(isMeant, (place) => new BodyTooLargeError(place, this.#maxBytes));
    }
    this.#heard += 1;
    const value = isTooLong ? undefined : findJson(text);
    const answers = groupAnswers(value);
    for (const id of answers.keys()) {
      const waiting = this.#waiting.get(id);
      // No call waits for it, or not any more.
      if (!waiting) continue;
      const { call, place } = waiting;
      try {
        const source = { endpoint: this.#endpoint };
        call.settle({ result: readResult(call, answers, source) });
      } catch (error) {
        call.settle({ error: withPlace(error, place()) });
      }
    }
    await this.#heads.deliver(value);
  }

  #fail(
    isMeant: (waiting: Waiting) => boolean,
    toError: (place: Place) => Error,
  ): void {
    for (const waiting of [...this.#waiting.values()].filter(isMeant)) {
      waiting.call.settle({ error: toError(waiting.place()) });
    }
  }

  #lose(): void {
    this.#heads.suspend();
    this.#fail(
      ({ sent }) => sent !== undefined,
      (place) => new NetworkError(place),
    );
    void this.#reconnect();
  }

  // In a snap this pauses while no request is handled; then the next call opens the socket.
  async #reconnect(): Promise<void> {
    const round = {};
    const { sleep, random } = this.#retry;
    this.#reconnecting = round;
    for (let tries = 0; this.#heads.isIncomplete; tries += 1) {
      await sleep(toPause(RECONNECT, tries, random()));
      if (this.#reconnecting !== round || !this.#heads.isIncomplete) return;
      await this.#connection.get().then(
        async () => this.#heads.resume(),
        () => undefined,
      );
    }
  }

  // The owner of the socket may quote its address, with the key in it.
  #toNetworkError(place: Place, thrown: unknown): NetworkError {
    const cause = redactError(thrown, this.#endpoint.redact);
    return new NetworkError(place, { cause });
  }
}

function toClosedError(place: Place): UnavailableError {
  const message = write(place, 'was given up: the connection was closed.');
  return new UnavailableError(message, withAttempts(place));
}

// Finds the calls that a message answers which is too long: only its beginning is looked at, in which
// servers name the call, so that no other call suffers from it.
function findMeant(text: string): (waiting: Waiting) => boolean {
  const head = text.slice(0, HEAD_LENGTH);
  const id = /^\s*\{[^{}[\]]*?"id"\s*:\s*(\d{1,16})\s*,/u.exec(head)?.[1];
  if (id !== undefined) return ({ call }) => call.id === Number(id);
  const isNotification = /^\s*\{[^{}[\]]*?"method"\s*:/u.test(head);
  return ({ sent }) => !isNotification && sent !== undefined;
}
