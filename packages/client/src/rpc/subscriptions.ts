// Topics with listeners. The server names a subscription anew on every
// connection, so listeners hang on the topic, and the names are looked up.
import { matches } from '../../../../src/schema/parse';
import { anything, named, type } from '../../../../src/schema/structs';

export type Topic = 'newHeads';

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
  /** Asks the server to start a subscription, on the connection that there is. */
  subscribe: (topic: Topic) => Promise<unknown>;
  unsubscribe: (id: string) => Promise<unknown>;
};

/** A subscription as the server knows it, on one connection. */
export type ServerSubscription = { readonly id: string };

type Subscription = {
  listeners: Set<TopicListener>;
  /** Undefined while there is none. */
  current?: ServerSubscription | undefined;
  /** While the server is asked for it. */
  starting?: Promise<void> | undefined;
};

export class Subscriptions {
  readonly #calls: SubscriptionCalls;
  readonly #topics = new Map<Topic, Subscription>();
  /** Number of connections that are gone. */
  #losses = 0;

  #isEndingForeign = false;

  constructor(calls: SubscriptionCalls) {
    this.#calls = calls;
  }

  /** Whether a topic with listeners has no subscription. */
  get isIncomplete(): boolean {
    return [...this.#topics.values()].some(({ current }) => !current);
  }

  /** Finds a topic's subscription; undefined while there is none, another after each loss. */
  find(topic: Topic): ServerSubscription | undefined {
    return this.#topics.get(topic)?.current;
  }

  /** Listens to a topic; returns a function that ends the listening and never fails. Throws if the
   * server refuses the subscription; the listener is removed then. */
  async add(topic: Topic, listener: TopicListener): Promise<() => Promise<void>> {
    // A new function, since the same listener may listen twice.
    const own: TopicListener = (value) => listener(value);
    const subscription = this.#topics.get(topic) ?? { listeners: new Set() };
    this.#topics.set(topic, subscription);
    subscription.listeners.add(own);
    const stop = async (): Promise<void> => this.#remove(topic, subscription, own);
    try {
      await this.#calls.connect();
      await this.#start(topic, subscription);
    } catch (error) {
      await stop();
      throw error;
    }
    return stop;
  }

  /** Starts what has no subscription, on the connection that there is; never fails. */
  async resume(): Promise<void> {
    await Promise.allSettled(
      [...this.#topics].map(async ([topic, subscription]) =>
        this.#start(topic, subscription),
      ),
    );
  }

  /** The connection is gone, and with it the server's subscriptions. */
  suspend(): void {
    this.#losses += 1;
    this.#topics.forEach((subscription) => {
      subscription.current = undefined;
      subscription.starting = undefined;
    });
  }

  clear(): void {
    this.#topics.clear();
  }

  /** Passes a message on to the listeners, if it is a notification; resolves when they have handled
   * it. Never fails. */
  async deliver(message: unknown): Promise<void> {
    if (!matches(message, NotificationStruct)) return;
    const { subscription, result } = message.params;
    const id = String(subscription);
    const all = [...this.#topics.values()];
    const found = all.find(({ current }) => current?.id === id);
    if (found) {
      // Neither other listeners nor calls are to suffer from an error of one.
      const handling = [...found.listeners].map(async (each) => {
        await each(result);
      });
      await Promise.allSettled(handling);
    } else if (all.every(({ starting }) => !starting)) {
      // While one starts, this may be it.
      await this.#endForeign(id);
    }
  }

  async #start(topic: Topic, subscription: Subscription): Promise<void> {
    if (subscription.current) return;
    subscription.starting ??= this.#ask(topic, subscription);
    await subscription.starting;
  }

  async #ask(topic: Topic, subscription: Subscription): Promise<void> {
    const losses = this.#losses;
    try {
      const id = String(await this.#calls.subscribe(topic));
      if (losses === this.#losses) subscription.current = { id };
    } finally {
      if (losses === this.#losses) subscription.starting = undefined;
    }
    // All listeners may have left meanwhile.
    if (subscription.listeners.size === 0) await this.#end(subscription);
  }

  async #remove(
    topic: Topic,
    subscription: Subscription,
    listener: TopicListener,
  ): Promise<void> {
    const { listeners } = subscription;
    if (!listeners.delete(listener) || listeners.size > 0) return;
    if (this.#topics.get(topic) === subscription) this.#topics.delete(topic);
    await this.#end(subscription);
  }

  async #end(subscription: Subscription): Promise<void> {
    const { current } = subscription;
    subscription.current = undefined;
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
