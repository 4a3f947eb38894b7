// JSON-RPC over a WebSocket: one call per message, answers matched by id. The socket opens on
// demand; while there are listeners, it reopens after a loss. Repeatable calls are retried; others
// fail, and the error says whether they may have been executed.
import { type } from '@metamask/superstruct';

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
  formatMessage,
} from '../errors';
import type { Place } from '../errors';
import { DEFAULT_MAX_BYTES, DEFAULT_TIMEOUT_MS, findJson, limitFields } from '../http';
import { toPause, toRetry, withRetry } from '../retry';
import type { Retry, RetryOptions } from '../retry';
import { groupAnswers, readResult, startCall } from './calls';
import type { PendingCall } from './calls';
import { Connection, RECONNECT } from './connection';
import type { OpenSocket, Socket } from './connection';
import { Subscription } from './subscriptions';
import type { ServerSubscription, TopicListener } from './subscriptions';
import type { RpcCall, Transport } from './transport';

/** Options of {@link WebSocketTransport}. */
export type WebSocketOptions = RetryOptions & {
  /** Opens a socket; see {@link createSocketOpener}. */
  open: OpenSocket;
  /** Time limit of one attempt in ms, including the opening of the socket. 15,000 by default. */
  timeoutMs?: number | undefined;
  /** Longest accepted message in UTF-16 units, at most one per byte. 10,000,000 by default. */
  maxBytes?: number | undefined;
};

type Waiting = {
  readonly call: PendingCall;
  /** The place for errors. Until the call is sent, its `mayBeDone` is false. */
  readonly place: () => Place;
  /** The socket that sent the call, and the number of messages received before that. */
  sent?: { over: Socket; heard: number };
};

/** Number of characters to read from an oversized message. */
const HEAD_LENGTH = 200;

/** Upper bound of the random first id. The wallet keeps the socket of a stopped snap, so an answer
 * to an earlier worker must not match one of our calls. */
const FIRST_ID_BOUND = 2 ** 50;

const TopicStruct = oneOf(['newHeads']);

export class WebSocketTransport implements Transport {
  readonly label: string;
  readonly budgetMs: number;
  readonly #endpoint: Endpoint;
  readonly #retry: Retry;
  readonly #timeoutMs: number;
  readonly #maxBytes: number;
  readonly #connection: Connection;
  readonly #heads: Subscription;

  readonly #waiting = new Map<number, Waiting>();

  #lastId: number;
  #heard = 0;

  /** Identifies the current reconnection loop; a later loop replaces it. */
  #reconnecting: object | undefined;

  #isClosed = false;

  constructor(endpoint: Endpoint, options: WebSocketOptions) {
    const { open } = options;
    const limits = parse(options, type(limitFields), 'options');
    const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = DEFAULT_MAX_BYTES } = limits;
    this.label = endpoint.label;
    this.#endpoint = endpoint;
    this.#retry = toRetry(options);
    this.budgetMs = this.#retry.budgetMs;
    this.#timeoutMs = timeoutMs;
    this.#maxBytes = maxBytes;
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

  async requestOnce(call: RpcCall): Promise<unknown> {
    return this.#attempt(call, 1, this.#retry.budgetMs);
  }

  /** Whether the socket is closed, or paused after a failure. */
  isUnavailable(): boolean {
    return this.#isClosed || this.#connection.pauseMs() > 0;
  }

  /** Listens for new blocks, even after reconnections, until the returned function is called. The
   * listener receives unvalidated notifications. Throws the errors of {@link request}, and
   * `InvalidParamsError` for another topic. */
  async subscribe(
    topic: 'newHeads',
    listener: TopicListener,
  ): Promise<() => Promise<void>> {
    parse(topic, TopicStruct, 'topic');
    return this.#heads.add(listener);
  }

  /** Finds the server's subscription; undefined if there is none. Changes with each connection. */
  findSubscription(topic: 'newHeads'): ServerSubscription | undefined {
    parse(topic, TopicStruct, 'topic');
    return this.#heads.current;
  }

  /** Closes the socket for good: pending calls and all later ones fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#heads.clear();
    this.#fail(() => true, toClosedError);
    await this.#connection.close();
  }

  async #ask(method: string, param: string): Promise<unknown> {
    // Subscriptions end with the connection, so repeating the call is harmless.
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
        // A socket that has received nothing since the call may be half-open. It is dropped, unless
        // other calls still wait on it: the server may have ignored only this call.
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
      // Nothing was sent, so nothing was executed.
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
    // A text never has more UTF-16 units than bytes.
    const isTooLong = text.length > this.#maxBytes;
    if (isTooLong) {
      const isRecipient = findRecipients(text);
      this.#fail(isRecipient, (place) => new BodyTooLargeError(place, this.#maxBytes));
    }
    this.#heard += 1;
    const value = isTooLong ? undefined : findJson(text);
    const answers = groupAnswers(value);
    for (const id of answers.keys()) {
      const waiting = this.#waiting.get(id);
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
    isRecipient: (waiting: Waiting) => boolean,
    toError: (place: Place) => Error,
  ): void {
    for (const waiting of [...this.#waiting.values()].filter(isRecipient)) {
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

  // In a snap this loop stops between requests; the next call then opens the socket.
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

  // The socket's owner may quote its address, including the key.
  #toNetworkError(place: Place, thrown: unknown): NetworkError {
    const cause = redactError(thrown, this.#endpoint.redact);
    return new NetworkError(place, { cause });
  }
}

function toClosedError(place: Place): UnavailableError {
  const message = formatMessage(place, 'was given up: the connection was closed.');
  return new UnavailableError(message, withAttempts(place));
}

// Finds the call that an oversized message answers. Servers put the id near the beginning. If it is
// not there, all sent calls fail, unless the message is a notification.
function findRecipients(text: string): (waiting: Waiting) => boolean {
  const head = text.slice(0, HEAD_LENGTH);
  const id = /^\s*\{[^{}[\]]*?"id"\s*:\s*(\d{1,16})\s*,/u.exec(head)?.[1];
  if (id !== undefined) return ({ call }) => call.id === Number(id);
  const isNotification = /^\s*\{[^{}[\]]*?"method"\s*:/u.test(head);
  return ({ sent }) => !isNotification && sent !== undefined;
}
