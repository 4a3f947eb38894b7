// Where the subscriptions of a chain come from: the WebSocket of a node, or the instance that has
// one. Topics go by their key, the params of eth_subscribe as JSON.
import { array, boolean, exactOptional, string, type } from '@metamask/superstruct';

import { matches } from '../../src/schema/parse';
import { text } from '../../src/schema/structs';
import type { Outcome } from './json-rpc';
import type { SocketSource } from './nodes';
import type { Exchange } from './store';
import { fail, openNodeSocket, TIMED_OUT } from './upstream';

export type Feed = {
  /** Name of the node, or id of the instance. */
  name: string;
  isNode: boolean;
  subscribe: (key: string) => Promise<Outcome>;
  unsubscribe: (key: string) => void;
  /** Hears what an instance publishes. */
  read?: (message: unknown) => void;
  close: () => void;
};

type FeedEvents = {
  timeoutMs: number;
  onNotification: (key: string, result: unknown) => void;
};

const IdStruct = text(256);

export function openNodeFeed(
  source: SocketSource,
  { timeoutMs, onNotification, onClose }: FeedEvents & { onClose: () => void },
): Feed {
  const keys = new Map<string, string>();
  const socket = openNodeSocket({
    ...source,
    timeoutMs,
    onNotification: ({ subscription, result }) => {
      const key = keys.get(String(subscription));
      if (key !== undefined) onNotification(key, result);
    },
    onClose,
  });
  return {
    name: source.name,
    isNode: true,
    subscribe: async (key) => {
      const outcome = await socket.ask('eth_subscribe', JSON.parse(key) as unknown[]);
      const id = 'result' in outcome ? outcome.result : undefined;
      if (matches(id, IdStruct)) keys.set(id, key);
      return outcome;
    },
    unsubscribe: (key) => {
      for (const [id, each] of keys) {
        if (each !== key) continue;
        keys.delete(id);
        void socket.ask('eth_unsubscribe', [id]);
      }
    },
    close: socket.close,
  };
}

/** What a follower asks of the instance that has the socket. */
const WantsStruct = type({ to: string(), keys: array(string()), isNew: boolean() });

/** What that one publishes: notifications, and how subscribing to new topics ended. */
const NewsStruct = type({
  from: string(),
  key: string(),
  outcome: exactOptional(type({})),
});

/** How often a follower repeats its topics, and when one that was not repeated is dropped. */
const REPEAT_MS = 5_000;
const FORGET_MS = 3 * REPEAT_MS;

export function followInstance(
  exchange: Exchange,
  { holder, timeoutMs, onNotification }: FeedEvents & { holder: string },
): Feed {
  const wanted = new Set<string>();
  const waiting = new Map<string, (outcome: Outcome) => void>();
  const repeat = setInterval(() => {
    void exchange.publish({ to: holder, keys: [...wanted], isNew: false });
  }, REPEAT_MS).unref();
  return {
    name: holder,
    isNode: false,
    subscribe: async (key) =>
      new Promise((resolve) => {
        const settle = (outcome: Outcome): void => {
          clearTimeout(timer);
          waiting.delete(key);
          resolve(outcome);
        };
        const timer = setTimeout(() => settle(fail(TIMED_OUT)), timeoutMs);
        wanted.add(key);
        waiting.set(key, settle);
        void exchange.publish({ to: holder, keys: [key], isNew: true });
      }),
    unsubscribe: (key) => wanted.delete(key),
    read: (message) => {
      if (!matches(message, NewsStruct) || message.from !== holder) return;
      const { key, outcome, result } = message as typeof message & { result?: unknown };
      if (outcome) waiting.get(key)?.(outcome as Outcome);
      else onNotification(key, result);
    },
    close: () => {
      clearInterval(repeat);
      waiting.forEach((settle) => settle(fail(TIMED_OUT)));
    },
  };
}

type Subscribe = (
  key: string,
  notify: (result: unknown) => void,
) => Promise<{ outcome: Outcome; unsubscribe: () => void }>;

/** The side of the instance that has the socket: subscribes once to what followers want. */
export class Provider {
  readonly #given = new Map<string, { at: number; opened: ReturnType<Subscribe> }>();

  constructor(
    private readonly options: {
      /** The name under which others follow. */
      findId: () => string;
      subscribe: Subscribe;
      /** Sends followers a message. */
      publish: (message: object) => void;
    },
  ) {}

  read(message: unknown): void {
    const { findId, subscribe, publish } = this.options;
    const from = findId();
    if (!matches(message, WantsStruct) || message.to !== from) return;
    for (const key of message.keys) {
      const opened =
        this.#given.get(key)?.opened ??
        subscribe(key, (result) => publish({ from, key, result }));
      this.#given.set(key, { at: Date.now(), opened });
      void opened.then(({ outcome }) => {
        const isCurrent = this.#given.get(key)?.opened === opened;
        if ('error' in outcome && isCurrent) this.#drop(key);
        if (message.isNew) publish({ from, key, outcome });
      });
    }
  }

  /** Drops unwanted subscriptions, or all. */
  forget(isAll = false): void {
    const last = Date.now() - FORGET_MS;
    for (const [key, { at }] of this.#given) if (isAll || at < last) this.#drop(key);
  }

  #drop(key: string): void {
    void this.#given.get(key)?.opened.then(({ unsubscribe }) => unsubscribe());
    this.#given.delete(key);
  }
}
