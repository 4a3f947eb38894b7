// The subscription to new blocks and its listeners. The server assigns a new id on every
// connection, so this object identifies the subscription and holds its current id.
import { define, type, unknown } from '@metamask/superstruct';

import { matches } from '../../../../src/schema/parse';

/** Receives a topic's unvalidated notifications. Its errors are ignored. */
export type TopicListener = (value: unknown) => unknown;

const NotificationStruct = type({
  method: define<string>('eth_subscription', (value) => value === 'eth_subscription'),
  params: type({
    subscription: define<string | number>(
      'a string or a number',
      (value) => typeof value === 'string' || typeof value === 'number',
    ),
    result: unknown(),
  }),
});

type SubscriptionCalls = {
  connect: () => Promise<unknown>;
  subscribe: () => Promise<unknown>;
  unsubscribe: (id: string) => Promise<unknown>;
};

/** A server's subscription on one connection. */
export type ServerSubscription = { readonly id: string };

export class Subscription {
  readonly #calls: SubscriptionCalls;
  readonly #listeners = new Set<TopicListener>();

  #current: ServerSubscription | undefined;

  #starting: Promise<void> | undefined;

  #losses = 0;

  #isEndingForeign = false;

  constructor(calls: SubscriptionCalls) {
    this.#calls = calls;
  }

  /** The server's subscription; undefined if there is none. Changes with each connection. */
  get current(): ServerSubscription | undefined {
    return this.#current;
  }

  get isIncomplete(): boolean {
    return this.#listeners.size > 0 && !this.#current;
  }

  /** Adds a listener; returns a function that removes it and never fails. If connecting or
   * subscribing fails, removes the listener and throws. */
  async add(listener: TopicListener): Promise<() => Promise<void>> {
    // Wrapped, because the same listener may be added twice.
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

  /** Restarts a missing subscription on the current connection; never fails. */
  async resume(): Promise<void> {
    if (this.isIncomplete) await this.#start().catch(() => undefined);
  }

  /** Forgets the server's subscription after a lost connection. */
  suspend(): void {
    this.#losses += 1;
    this.#current = undefined;
    this.#starting = undefined;
  }

  clear(): void {
    this.#listeners.clear();
    this.suspend();
  }

  /** Passes notifications on to the listeners, and resolves when all listeners are done. Ignores
   * other messages. Never fails. */
  async deliver(message: unknown): Promise<void> {
    if (!matches(message, NotificationStruct)) return;
    const { subscription, result } = message.params;
    const id = String(subscription);
    if (this.#current?.id === id) {
      // One listener's error affects neither other listeners nor calls.
      const handling = [...this.#listeners].map(async (each) => await each(result));
      await Promise.allSettled(handling);
    } else if (!this.#starting) {
      // While a subscription is starting, the id may be that of the new subscription.
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
    // All listeners may have left in the meantime.
    if (this.#listeners.size === 0) await this.#end();
  }

  async #end(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    if (current) await this.#calls.unsubscribe(current.id).catch(() => undefined);
  }

  // The wallet keeps the socket of a stopped snap, and the server keeps the subscription of the
  // earlier worker, whose notifications would wake the snap at each block.
  async #endForeign(id: string): Promise<void> {
    if (this.#isEndingForeign) return;
    this.#isEndingForeign = true;
    await this.#calls.unsubscribe(id).catch(() => undefined);
    this.#isEndingForeign = false;
  }
}
