// JSON-RPC over a WebSocket: the same messages as over HTTP, one call a message, answers
// matched by id. The socket is opened when it is needed and again after it broke; calls
// that may be repeated are, the others fail with what is known of them.
import type { Endpoint } from '../endpoint';
import { BodyTooLargeError, NetworkError } from '../errors';
import type { Place } from '../place';
import { withRetry } from '../retry';
import { Connection, findPause } from './connection';
import type { FirstTransport } from './fallback-transport';
import { readMessage } from './message';
import { startCall } from './pending-call';
import type { PendingCall } from './pending-call';
import { toClosedError, toNetworkError } from './socket-errors';
import { Subscriptions } from './subscriptions';
import type { ServerSubscription, Topic, TopicListener } from './subscriptions';
import type { RpcCall, Transport } from './transport';
import { WaitingCalls } from './waiting-calls';
import type { Waiting } from './waiting-calls';
import { toSettings } from './web-socket-options';
import type { WebSocketOptions, WebSocketSettings } from './web-socket-options';

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
