// The subscription to new blocks, with its listeners. The server names it anew on every connection, so
// listeners hang on it, and its name is looked up.
import { matches } from '../../../../src/schema/parse';
import { anything, named, type } from '../../../../src/schema/structs';

/** Receives the notifications of a topic, unchecked. Its errors are ignored. */
export type TopicListener = (value: unknown) => unknown;

const NotificationStruct = type({
  method: named<string>('eth_subscription', (value) => value === 'eth_subscription'),
  params: type({
    subscription: named<string | number>(
      'a string or a number',
      (value) => typeof value === 'string' || typeof value === 'number',
    ),
    result: anything(),
  }),
});

type SubscriptionCalls = {
  /** Makes sure that there is a connection. */
  connect: () => Promise<unknown>;
  /** Asks the server to start it, on the connection that there is. */
  subscribe: () => Promise<unknown>;
  unsubscribe: (id: string) => Promise<unknown>;
};

/** A subscription as the server knows it, on one connection. */
export type ServerSubscription = { readonly id: string };

export class Subscription {
  readonly #calls: SubscriptionCalls;
  readonly #listeners = new Set<TopicListener>();

  #current: ServerSubscription | undefined;

  /** While the server is asked for it. */
  #starting: Promise<void> | undefined;

  /** Number of connections that are gone. */
  #losses = 0;

  #isEndingForeign = false;

  constructor(calls: SubscriptionCalls) {
    this.#calls = calls;
  }

  /** As the server knows it; undefined while there is none, another after each loss. */
  get current(): ServerSubscription | undefined {
    return this.#current;
  }

  /** Whether there are listeners and no subscription. */
  get isIncomplete(): boolean {
    return this.#listeners.size > 0 && !this.#current;
  }

  /** Adds a listener; returns a function that ends the listening and never fails. Throws if the server
   * refuses the subscription; the listener is removed then. */
  async add(listener: TopicListener): Promise<() => Promise<void>> {
    // A new function, since the same listener may listen twice.
    const own: TopicListener = (value) => listener(value);
    this.#listeners.add(own);
    const stop = async (): Promise<void> => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) await this.#end();
    };
    try {
      await this.#calls.connect();
      await this.#start();
    } catch (error) {
      await stop();
      throw error;
    }
    return stop;
  }

  /** Starts it if it is missing, on the connection that there is; never fails. */
  async resume(): Promise<void> {
    if (this.isIncomplete) await this.#start().catch(() => undefined);
  }

  /** The connection is gone, and with it the server's subscription. */
  suspend(): void {
    this.#losses += 1;
    this.#current = undefined;
    this.#starting = undefined;
  }

  clear(): void {
    this.#listeners.clear();
    this.suspend();
  }

  /** Passes a message on to the listeners, if it is a notification; resolves when they have handled
   * it. Never fails. */
  async deliver(message: unknown): Promise<void> {
    if (!matches(message, NotificationStruct)) return;
    const { subscription, result } = message.params;
    const id = String(subscription);
    if (this.#current?.id === id) {
      // Neither other listeners nor calls are to suffer from an error of one.
      const handling = [...this.#listeners].map(async (each) => await each(result));
      await Promise.allSettled(handling);
    } else if (!this.#starting) {
      // While one starts, this may be it.
      await this.#endForeign(id);
    }
  }

  async #start(): Promise<void> {
    if (this.#current) return;
    this.#starting ??= this.#ask();
    await this.#starting;
  }

  async #ask(): Promise<void> {
    const losses = this.#losses;
    try {
      const id = String(await this.#calls.subscribe());
      if (losses === this.#losses) this.#current = { id };
    } finally {
      if (losses === this.#losses) this.#starting = undefined;
    }
    // All listeners may have left meanwhile.
    if (this.#listeners.size === 0) await this.#end();
  }

  async #end(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    if (current) await this.#calls.unsubscribe(current.id).catch(() => undefined);
  }

  // The wallet keeps a snap's socket while the snap is stopped, and the server keeps what
  // an earlier worker subscribed to: it would wake the snap at each block.
  async #endForeign(id: string): Promise<void> {
    if (this.#isEndingForeign) return;
    this.#isEndingForeign = true;
    await this.#calls.unsubscribe(id).catch(() => undefined);
    this.#isEndingForeign = false;
  }
}
