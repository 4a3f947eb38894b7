// The subscriptions of one WebSocket client. It has a socket to the node of its own, opened
// with its first subscription: closing that one takes everything of the client back.
import { any, array, optional, type } from '@metamask/superstruct';

import { matches, parse } from '../../src/parse';
import { oneOf, text } from '../../src/structs';
import { codes } from './failure';
import type { Outcome } from './failure';
import { openNodeSocket } from './node-socket';
import type { NodeSocket, NodeSocketOptions } from './node-socket';
import type { OwnMethods } from './rpc';

/** What a client's subscriptions need. */
export type SubscriptionOptions = Pick<NodeSocketOptions, 'timeoutMs' | 'toShown'> & {
  /** Without it there are no subscriptions. */
  nodeWsUrl: string | undefined;
  /** Sends a notification to the client. */
  notify: (text: string) => void;
  /** The node is gone, and the subscriptions with it. */
  onLost: () => void;
};

/** The subscriptions of one client. */
export type Subscriptions = { methods: OwnMethods; close: () => void };

const MAX_SUBSCRIPTIONS = 100;

const TopicStruct = oneOf(['newHeads', 'logs', 'newPendingTransactions']);

const LogsStruct = type({ address: optional(any()), topics: optional(array(any())) });

const IdStruct = text(256);

/** Create the subscriptions of one client. */
export function createSubscriptions(options: SubscriptionOptions): Subscriptions {
  const { nodeWsUrl } = options;
  if (nodeWsUrl === undefined) return { methods: new Map(), close: () => undefined };
  const ids = new Set<string>();
  let starting = 0;
  let socket: NodeSocket | undefined;
  let isClosed = false;

  const open = (): NodeSocket => {
    const opened = openNodeSocket({
      ...options,
      url: nodeWsUrl,
      onNotification: (params) => options.notify(toNotification(params)),
      onClose: () => {
        if (socket === opened) socket = undefined;
        if (!isClosed && ids.size > 0) options.onLost();
      },
    });
    return opened;
  };

  const subscribe = async (params: unknown[]): Promise<Outcome> => {
    const [topic, filter] = params;
    parse(topic, TopicStruct, 'params[0]');
    if (topic === 'logs') parse(filter ?? {}, LogsStruct, 'params[1]');
    if (ids.size + starting >= MAX_SUBSCRIPTIONS) {
      const message = `A connection has at most ${MAX_SUBSCRIPTIONS} subscriptions.`;
      return { error: { code: codes.server, message } };
    }
    socket ??= open();
    // Those of a batch start at the same time.
    starting += 1;
    try {
      const outcome = await socket.ask('eth_subscribe', params);
      const id = 'result' in outcome ? outcome.result : undefined;
      if (matches(id, IdStruct)) ids.add(id);
      return outcome;
    } finally {
      starting -= 1;
    }
  };

  const unsubscribe = async (params: unknown[]): Promise<Outcome> => {
    const id = parse(params[0], IdStruct, 'params[0]');
    if (!ids.delete(id) || !socket) return { result: false };
    return socket.ask('eth_unsubscribe', [id]);
  };

  return {
    methods: new Map([
      ['eth_subscribe', subscribe],
      ['eth_unsubscribe', unsubscribe],
    ]),
    close: () => {
      isClosed = true;
      socket?.close();
    },
  };
}

function toNotification(params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params });
}
