// State shared by a service's instances: request counts, answers about the newest block, and final
// answers. It is kept in Redis or Valkey (--redis). Without Redis, or while it fails, each
// instance counts in its own memory and queries the nodes itself.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyBaseLogger } from 'fastify';
import { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterRes,
} from 'rate-limiter-flexible';

import { readJson, writeJson } from './json-rpc';
import type { Metrics } from './metrics';

/** A value that one instance fetches for all. */
export type Shareable<Value> = {
  name: string;
  maxAgeMs: number;
  /** Fetches the value, which is stored as JSON. */
  load: () => Promise<unknown>;
  /** Parses a value that this or another instance loaded; throws if it is malformed. */
  decode: (loaded: unknown) => Value;
};

export type ChainStore = {
  /** Finds a shared value, or loads it; `leftMs` is its remaining lifetime. */
  share: <Value>(what: Shareable<Value>) => Promise<{ value: Value; leftMs: number }>;
  /** Finds a string stored with {@link ChainStore.keep}. Never rejects. */
  find: (key: string) => Promise<string | undefined>;
  keep: (key: string, text: string) => void;
  /** The channel between instances; undefined without Redis. */
  exchange?: Exchange;
};

export type Store = {
  /** Counts requests by name. It enforces no limit: each API key has its own. */
  counter: RateLimiterAbstract;
  /** Opens the shared state of the chain that `fetchId` identifies. */
  ofChain: (fetchId: () => Promise<string>) => ChainStore;
  /** Whether this instance currently counts alone, although it shares the store with others. */
  isAlone: () => boolean;
  stop: () => void;
};

const COUNTER = { points: Number.MAX_SAFE_INTEGER, duration: 1 };

export function createMemoryStore(): Store {
  return {
    counter: new RateLimiterMemory(COUNTER),
    ofChain: () => ({
      share: async ({ load, decode, maxAgeMs }) => ({
        value: decode(await load()),
        leftMs: maxAgeMs,
      }),
      find: async () => Promise.resolve(undefined),
      keep: () => undefined,
    }),
    isAlone: () => false,
    stop: () => undefined,
  };
}

/** How long Redis may take to answer before it counts as unavailable. */
const ANSWER_MS = 500;
const CONNECT_MS = 2_000;
const DISCONNECT_MS = 100;
const MAX_RETRY_MS = 2_000;

/** How long /health keeps reporting that this instance counted alone. */
const ALONE_MS = 5_000;

const PREFIX = 'gas-service';

/** Lifetime of a lease that is not renewed. */
const LEASE_MS = 3_000;

/** How long Redis keeps finalized results. */
const KEPT_MS = 86_400_000;

/** How long an instance waits for a value that another one is fetching. */
const WAIT_MS = 2_000;
const POLL_MS = 10;

/** Creates a store in Redis. Waits briefly for the connection, and continues without one. */
export async function createRedisStore(
  url: string,
  { log, metrics }: { log: FastifyBaseLogger; metrics: Metrics },
): Promise<Store> {
  const redis = new Redis(url, {
    // Commands fail immediately while Redis is disconnected, so no request waits for it.
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    socketTimeout: ANSWER_MS,
    connectTimeout: CONNECT_MS,
    disconnectTimeout: DISCONNECT_MS,
    retryStrategy: (times) => Math.min(times * 100, MAX_RETRY_MS),
  });
  watch(redis, log, metrics);
  await once(redis, 'ready', { signal: AbortSignal.timeout(CONNECT_MS) }).catch(ignore);

  let aloneAt = -Infinity;
  class LocalCounter extends RateLimiterMemory {
    override async penalty(
      ...args: Parameters<RateLimiterMemory['penalty']>
    ): Promise<RateLimiterRes> {
      metrics.countedLocally.inc();
      aloneAt = performance.now();
      return super.penalty(...args);
    }
  }
  const counter = new RateLimiterRedis({
    ...COUNTER,
    storeClient: redis,
    keyPrefix: PREFIX,
    insuranceLimiter: new LocalCounter(COUNTER),
  });

  return {
    counter,
    ofChain: (fetchId) => {
      const toKey = async (name: string): Promise<string> =>
        `${PREFIX}:${await fetchId()}:${name}`;
      return {
        share: async ({ name, maxAgeMs, load, decode }) => {
          const key = await toKey(name).catch(ignore);
          const lock = `${key}:asking`;
          const found = key && (await findShared(redis, { key, lock, decode }));
          if (found) return found;
          try {
            const loaded = await load();
            const value = decode(loaded);
            const text = writeJson(loaded);
            if (key) await redis.set(key, text, 'PX', maxAgeMs).catch(ignore);
            return { value, leftMs: maxAgeMs };
          } finally {
            redis.del(lock).catch(ignore);
          }
        },
        find: async (name) => {
          const text = await toKey(name)
            .then(async (key) => redis.get(key))
            .catch(ignore);
          return text ?? undefined;
        },
        keep: (name, text) => {
          toKey(name)
            .then(async (key) => redis.set(key, text, 'PX', KEPT_MS))
            .catch(ignore);
        },
        exchange: new Exchange(redis, async () => toKey('feed')),
      };
    },
    isAlone: () => redis.status !== 'ready' || performance.now() - aloneAt < ALONE_MS,
    stop: () => redis.disconnect(),
  };
}

/** A lease that one instance holds, and a channel between all instances. */
export class Exchange {
  readonly #subscriber: Redis;

  readonly #started: Promise<unknown>;

  #isListening = false;

  constructor(
    private readonly redis: Redis,
    private readonly fetchKey: () => Promise<string>,
  ) {
    this.#subscriber = redis.duplicate({ lazyConnect: true, autoResubscribe: false });
    this.#subscriber.on('error', ignore);
    this.#started = Promise.race([
      new Promise((resolve) => this.#subscriber.once('listening', resolve)),
      sleep(CONNECT_MS, undefined, { ref: false }),
    ]);
  }

  /** Takes or renews the lease for `id`.
   * @returns The holder; undefined if it is not known, such as while Redis is unavailable. */
  async hold(id: string): Promise<string | undefined> {
    await this.#started;
    if (!this.#isListening) return undefined;
    try {
      const key = await this.fetchKey();
      const [, holder] = await Promise.all([
        this.redis.set(key, id, 'PX', LEASE_MS, 'NX'),
        this.redis.get(key),
      ]);
      if (holder === id) await this.redis.pexpire(key, LEASE_MS);
      return holder ?? undefined;
    } catch {
      return undefined;
    }
  }

  async release(id: string): Promise<void> {
    try {
      const key = await this.fetchKey();
      if ((await this.redis.get(key)) === id) await this.redis.del(key);
    } catch {
      // The lease expires soon anyway.
    }
  }

  /** @returns Whether the message was sent. */
  async publish(message: object): Promise<boolean> {
    return this.fetchKey()
      .then(async (key) => this.redis.publish(key, writeJson(message)))
      .then(() => true)
      .catch(() => false);
  }

  /** Starts to listen; call this once. `onLost` reports that messages may have been missed. */
  listen(onMessage: (message: unknown) => void, onLost: () => void): void {
    const subscribe = async (): Promise<void> => {
      await this.#subscriber.subscribe(await this.fetchKey());
      this.#isListening = true;
      this.#subscriber.emit('listening');
    };
    this.#subscriber.on('message', (_channel, text: string) =>
      onMessage(readJson(text)?.value),
    );
    this.#subscriber.on('ready', () => {
      void subscribe().catch(() => this.#subscriber.disconnect(true));
    });
    this.#subscriber.on('close', () => {
      this.#isListening = false;
      onLost();
    });
    this.#subscriber.connect().catch(ignore);
  }

  stop(): void {
    this.#subscriber.disconnect();
  }
}

// Returns undefined if this instance has to fetch the value itself: it has the lock, the instance
// with the lock is too slow, or Redis is unavailable.
async function findShared<Value>(
  redis: Redis,
  options: { key: string; lock: string; decode: (loaded: unknown) => Value },
): Promise<{ value: Value; leftMs: number } | undefined> {
  const { key, lock, decode } = options;
  const deadline = performance.now() + WAIT_MS;
  try {
    while (performance.now() < deadline) {
      // The order matters: an instance that gets a released lock also finds the value.
      const [locked, text, leftMs] = await Promise.all([
        redis.set(lock, '', 'PX', WAIT_MS, 'NX'),
        redis.get(key),
        redis.pttl(key),
      ]);
      const isOurs = locked !== null;
      if (text !== null && leftMs > 0) {
        if (isOurs) await redis.del(lock);
        return { value: decode(readJson(text)?.value), leftMs };
      }
      if (isOurs) return undefined;
      await sleep(POLL_MS);
    }
  } catch {
    // Redis failed, or returned a value that the service did not write.
  }
  return undefined;
}

function watch(redis: Redis, log: FastifyBaseLogger, metrics: Metrics): void {
  // `up`, or why Redis is unavailable. Each state is reported once, not at every attempt.
  let state = '';
  const report = (reason: string): void => {
    if (state === reason) return;
    state = reason;
    metrics.redisUp.set(reason === 'up' ? 1 : 0);
    if (reason === 'up') log.info('Redis is up: limits count for all instances.');
    else log.error({ reason }, 'Redis is down: limits count for this instance alone.');
  };
  redis.on('ready', () => report('up'));
  redis.on('error', (error: Error) => report(toReason(error)));
  redis.on('close', () => {
    if (state === 'up') report('connection closed');
  });
}

// Redis errors can quote the command, including AUTH with its password, so only the code is shown.
function toReason({ message, ...error }: Error & { code?: string }): string {
  return error.code ?? /^[A-Z]{2,}\b/u.exec(message)?.[0] ?? 'no answer';
}

function ignore(): undefined {
  // `watch` reports that Redis is unavailable, and missing values are loaded again.
}
