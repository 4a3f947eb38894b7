// Sources of a chain's notifications: a node's WebSocket, or the instance that has that WebSocket.
// A topic's key is the params of eth_subscribe as JSON.
import { array, boolean, exactOptional, string, type } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';
import { WebSocket } from 'ws';

import { matches } from '../../../src/schema/parse';
import { text } from '../../../src/schema/structs';
import { readJson, writeJson, type Outcome } from './json-rpc';
import type { SocketSource } from './nodes';
import type { Exchange } from './store';
import {
  BAD_ANSWER,
  failWith,
  pingWhileOpen,
  readOutcome,
  TIMED_OUT,
  UNREACHABLE,
  type Ask,
} from './upstream';

export type Feed = {
  /** Name of the node, or id of the instance. */
  name: string;
  isNode: boolean;
  subscribe: (key: string) => Promise<Outcome>;
  unsubscribe: (key: string) => void;
  /** Receives the messages that instances publish. */
  read?: (message: unknown) => void;
  close: () => void;
};

type FeedEvents = {
  timeoutMs: number;
  onNotification: (key: string, result: unknown) => void;
};

const IdStruct = text(256);

/** Ping interval in ms. Pings detect nodes that vanish silently. */
const PING_MS = 15_000;

/** Opens a WebSocket to a node; calls wait until it is open. `onClose` is called once. */
export function openNodeFeed(
  { name, url, toShown }: SocketSource,
  { timeoutMs, onNotification, onClose }: FeedEvents & { onClose: () => void },
): Feed {
  // Handles one message per tick, so an answer is handled before the notifications that follow it.
  const settings = { perMessageDeflate: false, allowSynchronousEvents: false };
  const socket = new WebSocket(url, { ...settings, handshakeTimeout: timeoutMs });
  const keys = new Map<string, string>();
  const waiting: Waiting = new Map();
  const opened = new Promise<void>((resolve) => socket.once('open', resolve));
  let lastId = 0;

  socket.on('error', () => socket.terminate());
  socket.once('close', () => {
    waiting.forEach((resolve) => resolve(failWith(UNREACHABLE)));
    onClose();
  });
  socket.on('message', (data: Buffer) => {
    const value = readJson(data.toString())?.value;
    const message = isObject(value) ? value : ({} as never);
    const { id, method, params } = message;
    if (method === 'eth_subscription' && isObject(params)) {
      const key = keys.get(String(params['subscription']));
      if (key !== undefined) onNotification(key, params['result']);
    }
    waiting.get(id)?.(readOutcome(message, toShown) ?? failWith(UNREACHABLE));
  });
  pingWhileOpen(socket, PING_MS);

  const ask: Ask = async (method, params) => {
    if (socket.readyState > WebSocket.OPEN) return failWith(UNREACHABLE);
    const id = ++lastId;
    const text = writeJson({ jsonrpc: '2.0', id, method, params });
    void opened.then(() => socket.send(text, () => undefined));
    return waitIn(waiting, id, timeoutMs);
  };
  return {
    name,
    isNode: true,
    subscribe: async (key) => {
      const outcome = await ask('eth_subscribe', readJson(key)?.value as unknown[]);
      if (matches(outcome.result, IdStruct)) keys.set(outcome.result, key);
      else if (!outcome.error) return failWith(BAD_ANSWER);
      return outcome;
    },
    unsubscribe: (key) => {
      for (const [id, each] of keys) {
        if (each !== key) continue;
        keys.delete(id);
        void ask('eth_unsubscribe', [id]);
      }
    },
    close: () => socket.terminate(),
  };
}

/** A follower's request to the instance with the socket. */
const FollowStruct = type({ to: string(), keys: array(string()), isNew: boolean() });

/** Messages from the instance with the socket: notifications and outcomes of subscriptions. */
const PublishedStruct = type({
  from: string(),
  key: string(),
  outcome: exactOptional(type({})),
});

/** How often a follower repeats its topics, and how long an unrepeated topic is kept. */
const REPEAT_MS = 5_000;
const FORGET_MS = 3 * REPEAT_MS;

export function followInstance(
  exchange: Exchange,
  { holder, timeoutMs, onNotification }: FeedEvents & { holder: string },
): Feed {
  const wanted = new Set<string>();
  const waiting: Waiting = new Map();
  const repeat = setInterval(() => {
    void exchange.publish({ to: holder, keys: [...wanted], isNew: false });
  }, REPEAT_MS).unref();
  return {
    name: holder,
    isNode: false,
    subscribe: async (key) => {
      wanted.add(key);
      void exchange.publish({ to: holder, keys: [key], isNew: true });
      return waitIn(waiting, key, timeoutMs);
    },
    unsubscribe: (key) => wanted.delete(key),
    read: (message) => {
      if (!matches(message, PublishedStruct) || message.from !== holder) return;
      const { key, outcome, result } = message as typeof message & { result?: unknown };
      if (outcome) waiting.get(key)?.(outcome as Outcome);
      else onNotification(key, result);
    },
    close: () => {
      clearInterval(repeat);
      waiting.forEach((settle) => settle(failWith(TIMED_OUT)));
    },
  };
}

type Waiting = Map<unknown, (outcome: Outcome) => void>;

async function waitIn(waiting: Waiting, id: unknown, timeoutMs: number) {
  return new Promise<Outcome>((resolve) => {
    const timer = setTimeout(() => settle(failWith(TIMED_OUT)), timeoutMs);
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer);
      waiting.delete(id);
      resolve(outcome);
    };
    waiting.set(id, settle);
  });
}

type Subscribe = (
  key: string,
  notify: (result: unknown) => void,
) => Promise<{ outcome: Outcome; unsubscribe: () => void }>;

/** Serves followers from the instance with the socket, with one subscription per topic. */
export class FollowerServer {
  readonly #given = new Map<string, { at: number; opened: ReturnType<Subscribe> }>();

  constructor(
    private readonly options: {
      /** Gets the id that others use to follow this instance. */
      findId: () => string;
      subscribe: Subscribe;
      publish: (message: object) => void;
    },
  ) {}

  read(message: unknown): void {
    const { findId, subscribe, publish } = this.options;
    const from = findId();
    if (!matches(message, FollowStruct) || message.to !== from) return;
    for (const key of message.keys) {
      const opened =
        this.#given.get(key)?.opened ??
        subscribe(key, (result) => publish({ from, key, result }));
      this.#given.set(key, { at: Date.now(), opened });
      void opened.then(({ outcome }) => {
        const isCurrent = this.#given.get(key)?.opened === opened;
        if (outcome.error && isCurrent) this.#drop(key);
        if (message.isNew) publish({ from, key, outcome });
      });
    }
  }

  /** Drops the topics that no follower has repeated recently, or all topics. */
  forget(isAll = false): void {
    const last = Date.now() - FORGET_MS;
    for (const [key, { at }] of this.#given) if (isAll || at < last) this.#drop(key);
  }

  #drop(key: string): void {
    void this.#given.get(key)?.opened.then(({ unsubscribe }) => unsubscribe());
    this.#given.delete(key);
  }
}
