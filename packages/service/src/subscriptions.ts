// A chain's subscriptions: one WebSocket to one of its nodes, with one subscription per topic for
// all clients. With Redis, one instance holds the socket by a lease and publishes its
// notifications; another one takes over when the lease ends. When the source changes, clients lose
// their subscriptions, because they may have missed notifications.
import { randomBytes } from 'node:crypto';

import { matches } from '../../../src/schema/parse';
import { HeadStruct } from '../../client/src/rpc/block';
import { coalesce } from './coalesce';
import { FollowerServer, followInstance, openNodeFeed, type Feed } from './feeds';
import type { Head } from './head';
import { readJson, writeJson, type Outcome } from './json-rpc';
import type { NodePool } from './nodes';
import type { Exchange } from './store';
import { failWith } from './upstream';

export type Listener = {
  notify: (params: { subscription: string; result: unknown }) => void;
  /** Called when the subscription is lost together with its source. */
  onLost?: () => void;
};

export type Subscriptions = {
  /** @returns The id of the subscription, or an error. */
  subscribe: (params: unknown[], listener: Listener) => Promise<Outcome>;
  unsubscribe: (id: string) => void;
  /** Closes the socket if it belongs to the node `name`, which has been left out. */
  leave: (name: string) => void;
  /** Closes a silent socket: its last block is more than `lag` + 1 blocks behind `newest`. */
  check: (newest: bigint, lag: number) => void;
  stop: () => Promise<void>;
};

type Topic = {
  opened: Promise<Outcome>;
  /** The listeners by the subscription ids that clients get. */
  listeners: Map<string, Listener>;
};

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const NO_SOCKET = 'No node of this chain offers subscriptions now.';

/** Interval of lease checks in ms, and the number of consecutive failures after which a follower
 * connects without the lease. An instance without a source does so after the first failure. */
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
  /** The feed's newest block, and the node whose socket was silent. */
  let feedHead: bigint | undefined;
  let silentNode: string | undefined;
  const topics = new Map<string, Topic>();
  let timer: NodeJS.Timeout | undefined;
  let waitMs = FIRST_WAIT_MS;
  let failures = 0;
  let isStopped = false;
  // The id that followers use for this instance changes after each gap in its messages, so that
  // they drop their subscriptions.
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
    feedHead = undefined;
    const onHead = ({ result }: { result: unknown }): void => {
      if (!matches(result, HeadStruct)) return;
      feedHead = BigInt(result.number);
      head.push({ key: result.hash, number: feedHead });
      pool.announce(feedHead);
    };
    void subscribe(['newHeads'], { notify: onHead }).then((outcome) => {
      if (!outcome.error || feed !== source || source.isNode) return;
      leaveFeed();
      refreshLater();
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
    const source = pool.findSocket(silentNode);
    if (source === undefined) return void giveUp();
    const opened = openNodeFeed(source, {
      ...events,
      onClose: () => {
        if (feed !== opened) return;
        void giveUp();
        lose();
        refreshLater();
      },
    });
    use(opened);
  };
  const leaveFeed = (): void => {
    const left = feed;
    lose();
    left?.close();
  };

  // Finds the current source of notifications.
  const refresh = async (): Promise<void> => {
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
  const refreshNow = coalesce(async () => refresh().finally(() => refreshLater()));
  const refreshLater = (): void => {
    clearTimeout(timer);
    if (isStopped || (feed && !exchange)) return;
    timer = setTimeout(() => void refreshNow(), feed ? LEASE_CHECK_MS : waitMs).unref();
    if (!feed) waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  };

  const subscribe: Subscriptions['subscribe'] = async (params, listener) => {
    if (!feed) await refreshNow();
    const source = feed;
    if (!source) return failWith(NO_SOCKET);
    const key = writeJson(params);
    const id = createId();
    const topic = topics.get(key) ?? {
      opened: source.subscribe(key),
      listeners: new Map<string, Listener>(),
    };
    topics.set(key, topic);
    topic.listeners.set(id, listener);
    const outcome = await topic.opened;
    if (!outcome.error) return { result: id };
    if (topics.get(key) === topic && topics.delete(key)) source.unsubscribe(key);
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
  const provider = new FollowerServer({
    findId: getId,
    publish: (message) => {
      void exchange?.publish(message).then(async (isOut) => isOut || giveUp());
    },
    subscribe: async (key, notify) => {
      const params = readJson(key)?.value;
      const outcome =
        feed?.isNode && Array.isArray(params)
          ? await subscribe(params, { notify: ({ result }) => notify(result) })
          : failWith(NO_SOCKET);
      const id = outcome.error ? '' : String(outcome.result);
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
  void refreshNow();

  return {
    subscribe,
    unsubscribe,
    leave: (name) => {
      if (feed?.isNode && feed.name === name) feed.close();
    },
    check: (newest, lag) => {
      if (!feed?.isNode) return;
      // Ignores blocks from before the socket was open.
      feedHead ??= newest;
      if (newest - feedHead <= lag + 1) return;
      silentNode = feed.name;
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
