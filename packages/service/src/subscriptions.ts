// Subscriptions of a chain: one WebSocket to one of its nodes, and one subscription there for
// each topic, however many clients have it. Of several instances with Redis one has the socket, by
// a lease, and publishes what the node says; another one takes over when its lease ends. If the
// source changes, the subscriptions of clients are lost, since nothing says what they missed.
import { randomBytes } from 'node:crypto';

import { matches } from '../../../src/schema/parse';
import { HeadStruct } from '../../client/src/rpc/block';
import { Provider, followInstance, openNodeFeed, type Feed } from './feeds';
import type { Head } from './head';
import { readJson, type Outcome } from './json-rpc';
import type { NodePool } from './nodes';
import { singly } from './singly';
import type { Exchange } from './store';
import { fail } from './upstream';

export type Listener = {
  notify: (params: { subscription: string; result: unknown }) => void;
  /** The node is gone, and the subscription with it. */
  onLost?: () => void;
};

export type Subscriptions = {
  /** @returns The id of the subscription, or the node's error. */
  subscribe: (params: unknown[], listener: Listener) => Promise<Outcome>;
  unsubscribe: (id: string) => void;
  /** A node is left out: ends the socket if it is that node's. */
  leave: (name: string) => void;
  /** Ends a socket that is silent: what it brought is more than `lag` blocks old. */
  check: (newest: bigint, lag: number) => void;
  stop: () => Promise<void>;
};

type Topic = {
  opened: Promise<Outcome>;
  /** By the ids that clients know. */
  listeners: Map<string, Listener>;
};

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const NO_SOCKET = 'No node of this chain has subscriptions now.';

/** How often an instance looks who has the lease, and after how many failures it does without. */
const LEASE_CHECK_MS = 1_000;
const MAX_FAILURES = 3;

const createId = (): string => `0x${randomBytes(16).toString('hex')}`;

/** Creates the subscriptions of a chain, and follows its newest block. */
export function createSubscriptions(
  pool: NodePool,
  options: { head: Head; timeoutMs: number; exchange: Exchange | undefined },
): Subscriptions {
  const { head, timeoutMs, exchange } = options;
  let feed: Feed | undefined;
  /** The newest block that the feed brought, and the node whose socket brought none. */
  let brought: bigint | undefined;
  let mute: string | undefined;
  const topics = new Map<string, Topic>();
  let timer: NodeJS.Timeout | undefined;
  let waitMs = FIRST_WAIT_MS;
  let failures = 0;
  let isStopped = false;
  // Others follow this name. A gap in what they hear ends it: then they are to lose what they have.
  const instance = createId();
  let gaps = 0;
  const getId = (): string => `${instance}:${gaps}`;
  const giveUp = async (): Promise<void> => {
    const id = getId();
    gaps += 1;
    provider.forget(true);
    await exchange?.release(id);
  };

  const lose = (): void => {
    const lost = [...topics.values()];
    feed = undefined;
    topics.clear();
    head.push(undefined);
    pool.announce(undefined);
    lost.forEach(({ listeners }) => listeners.forEach(({ onLost }) => onLost?.()));
  };
  const use = (source: Feed): void => {
    feed = source;
    brought = undefined;
    const onHead = ({ result }: { result: unknown }): void => {
      if (!matches(result, HeadStruct)) return;
      brought = BigInt(result.number);
      head.push({ key: result.hash, number: brought });
      pool.announce(brought);
    };
    void subscribe(['newHeads'], { notify: onHead }).then((outcome) => {
      if (!('error' in outcome) || feed !== source || source.isNode) return;
      leaveFeed();
      turnLater();
    });
  };
  const events = {
    timeoutMs,
    onNotification: (key: string, result: unknown) => {
      waitMs = FIRST_WAIT_MS;
      const { listeners = [] } = topics.get(key) ?? {};
      for (const [subscription, { notify }] of listeners) {
        notify({ subscription, result });
      }
    },
  };
  const connect = (): void => {
    const source = pool.findSocket(mute);
    if (source === undefined) return void giveUp();
    const opened = openNodeFeed(source, {
      ...events,
      onClose: () => {
        if (feed !== opened) return;
        void giveUp();
        lose();
        turnLater();
      },
    });
    use(opened);
  };
  const leaveFeed = (): void => {
    const left = feed;
    lose();
    left?.close();
  };

  // Finds out where notifications come from now.
  const turn = async (): Promise<void> => {
    const id = getId();
    const holder = exchange ? await exchange.hold(id) : id;
    if (isStopped || id !== getId()) return;
    failures = holder === undefined ? failures + 1 : 0;
    provider.forget();
    if (holder === undefined && feed && failures < MAX_FAILURES) return;
    if (holder === undefined || holder === id) {
      if (feed && !feed.isNode) leaveFeed();
      if (!feed) connect();
    } else if (holder.startsWith(instance)) {
      await exchange?.release(holder);
    } else if (exchange && feed?.name !== holder) {
      leaveFeed();
      use(followInstance(exchange, { ...events, holder }));
    }
  };
  const turnNow = singly(async () => turn().finally(() => turnLater()));
  const turnLater = (): void => {
    clearTimeout(timer);
    if (isStopped || (feed && !exchange)) return;
    timer = setTimeout(() => void turnNow(), feed ? LEASE_CHECK_MS : waitMs).unref();
    if (!feed) waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  };

  const subscribe: Subscriptions['subscribe'] = async (params, listener) => {
    if (!feed) await turnNow();
    const source = feed;
    if (!source) return fail(NO_SOCKET);
    const key = JSON.stringify(params);
    const id = createId();
    const topic = topics.get(key) ?? {
      opened: source.subscribe(key),
      listeners: new Map<string, Listener>(),
    };
    topics.set(key, topic);
    topic.listeners.set(id, listener);
    const outcome = await topic.opened;
    if (!('error' in outcome)) return { result: id };
    if (topics.get(key) === topic) topics.delete(key);
    return outcome;
  };
  const unsubscribe = (id: string): void => {
    for (const [key, topic] of topics) {
      if (!topic.listeners.delete(id) || topic.listeners.size > 0) continue;
      void topic.opened.then(() => {
        if (topics.get(key) !== topic || topic.listeners.size > 0) return;
        topics.delete(key);
        feed?.unsubscribe(key);
      });
    }
  };
  const provider = new Provider({
    findId: getId,
    publish: (message) => {
      void exchange?.publish(message).then(async (isOut) => isOut || giveUp());
    },
    subscribe: async (key, notify) => {
      const params = readJson(key)?.value;
      const outcome =
        feed?.isNode && Array.isArray(params)
          ? await subscribe(params, { notify: ({ result }) => notify(result) })
          : fail(NO_SOCKET);
      const id = 'result' in outcome ? String(outcome.result) : '';
      return { outcome, unsubscribe: () => unsubscribe(id) };
    },
  });
  exchange?.listen(
    (message) => {
      feed?.read?.(message);
      provider.read(message);
    },
    () => {
      if (feed && !feed.isNode) leaveFeed();
    },
  );
  void turnNow();

  return {
    subscribe,
    unsubscribe,
    leave: (name) => {
      if (feed?.isNode && feed.name === name) feed.close();
    },
    check: (newest, lag) => {
      if (!feed?.isNode) return;
      // Blocks before the socket was open do not count.
      brought ??= newest;
      if (newest - brought <= lag + 1) return;
      mute = feed.name;
      feed.close();
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      const left = feed;
      feed = undefined;
      left?.close();
      await giveUp();
    },
  };
}
