// Subscriptions of a chain: one WebSocket to one of its nodes, and one subscription there for
// each topic, however many clients have it. If the socket is lost, so are the subscriptions of
// clients, since nothing tells what they missed; the newest block is followed at the next node.
import { randomBytes } from 'node:crypto';

import { HeadStruct } from '../../packages/client/src/rpc/block';
import { matches } from '../../src/schema/parse';
import { text } from '../../src/schema/structs';
import type { Head } from './head';
import type { Outcome } from './json-rpc';
import type { NodePool } from './nodes';
import { fail, openNodeSocket, type NodeSocket } from './upstream';

/** A client's side of a subscription. */
export type Listener = {
  /** Params of a notification. */
  notify: (params: { subscription: string; result: unknown }) => void;
  /** The node is gone, and the subscription with it. */
  onLost: () => void;
};

/** The subscriptions of a chain. */
export type Subscriptions = {
  /** @returns The id of the subscription, or the node's error. */
  subscribe: (params: unknown[], listener: Listener) => Promise<Outcome>;
  unsubscribe: (id: string) => void;
  /** A node is left out: ends the socket if it is that node's. */
  leave: (name: string) => void;
  stop: () => void;
};

type Topic = {
  opened: Promise<Outcome>;
  /** By the ids that clients know. */
  listeners: Map<string, Listener>;
};

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const NO_SOCKET = 'No node of this chain has subscriptions now.';
const IdStruct = text(256);

/** Creates the subscriptions of a chain, and follows its newest block. */
export function createSubscriptions(
  pool: NodePool,
  { head, timeoutMs }: { head: Head; timeoutMs: number },
): Subscriptions {
  let socket: (NodeSocket & { name: string }) | undefined;
  let topics = new Map<string, Topic>();
  const byNodeId = new Map<string, Topic>();
  let timer: NodeJS.Timeout | undefined;
  let waitMs = FIRST_WAIT_MS;
  let isStopped = false;

  const connect = (): typeof socket => {
    clearTimeout(timer);
    const source = pool.findSocket();
    if (source === undefined) {
      connectLater();
      return undefined;
    }
    const opened = openNodeSocket({
      ...source,
      timeoutMs,
      onNotification: ({ subscription, result }) => {
        waitMs = FIRST_WAIT_MS;
        const topic = byNodeId.get(String(subscription));
        topic?.listeners.forEach(({ notify }, id) =>
          notify({ subscription: id, result }),
        );
      },
      onClose: () => {
        const lost = [...topics.values()];
        socket = undefined;
        topics = new Map();
        byNodeId.clear();
        head.lose();
        lost.forEach(({ listeners }) => listeners.forEach(({ onLost }) => onLost()));
        connectLater();
      },
    });
    socket = { ...opened, name: source.name };
    void subscribe(['newHeads'], {
      notify: ({ result }) => {
        if (!matches(result, HeadStruct)) return;
        head.push({ key: result.hash, number: BigInt(result.number) });
      },
      onLost: () => undefined,
    });
    return socket;
  };
  const connectLater = (): void => {
    if (isStopped) return;
    timer = setTimeout(connect, waitMs).unref();
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  };

  const open = (key: string, params: unknown[], { ask }: NodeSocket): Topic => {
    const opened = ask('eth_subscribe', params);
    const topic: Topic = { opened, listeners: new Map() };
    topics.set(key, topic);
    void opened.then((outcome) => {
      const id = 'result' in outcome ? outcome.result : undefined;
      if (matches(id, IdStruct)) byNodeId.set(id, topic);
      else if (topics.get(key) === topic) topics.delete(key);
    });
    return topic;
  };
  const subscribe: Subscriptions['subscribe'] = async (params, listener) => {
    const open_ = socket ?? connect();
    if (!open_) return fail(NO_SOCKET);
    const key = JSON.stringify(params);
    const topic = topics.get(key) ?? open(key, params, open_);
    const id = `0x${randomBytes(16).toString('hex')}`;
    topic.listeners.set(id, listener);
    const outcome = await topic.opened;
    return 'error' in outcome ? outcome : { result: id };
  };

  connect();
  return {
    subscribe,
    unsubscribe: (id) => {
      for (const [key, topic] of topics) {
        if (!topic.listeners.delete(id) || topic.listeners.size > 0) continue;
        topics.delete(key);
        const [nodeId] = [...byNodeId].find(([, each]) => each === topic) ?? [];
        if (nodeId === undefined) continue;
        byNodeId.delete(nodeId);
        void socket?.ask('eth_unsubscribe', [nodeId]);
      }
    },
    leave: (name) => {
      if (socket?.name === name) socket.close();
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}
