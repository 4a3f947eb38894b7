// A WebSocket to the node: calls matched by ids of our own, and what the node says by
// itself. It notices a node that is gone without a word by pings.
import { isObject } from '@metamask/utils';
import { WebSocket } from 'ws';

import type { Outcome } from './failure';
import { fail, TIMED_OUT, UNREACHABLE } from './upstream';
import type { Ask, Upstream } from './upstream';

/** An open WebSocket to the node. */
export type NodeSocket = { ask: Ask; close: () => void };

/** What a socket to the node needs. */
export type NodeSocketOptions = {
  url: string;
  timeoutMs: number;
  toShown: Upstream['toShown'];
  /** A notification of a subscription, as its `params`. */
  onNotification: (params: Record<PropertyKey, unknown>) => void;
  /** The socket is gone, or could not be opened; called once. */
  onClose: () => void;
};

const PING_MS = 15_000;

/** Open a socket; calls wait until it is open. */
export function openNodeSocket(options: NodeSocketOptions): NodeSocket {
  const { url, timeoutMs, toShown, onNotification, onClose } = options;
  // Not several messages in one tick: an answer is to be seen before what follows it.
  const settings = { perMessageDeflate: false, allowSynchronousEvents: false };
  const socket = new WebSocket(url, { ...settings, handshakeTimeout: timeoutMs });
  const waiting = new Map<unknown, (outcome: Outcome) => void>();
  const opened = new Promise<void>((resolve) => socket.once('open', resolve));
  let lastId = 0;

  socket.on('error', () => socket.terminate());
  socket.once('close', () => {
    waiting.forEach((resolve) => resolve(fail(UNREACHABLE)));
    onClose();
  });
  socket.on('message', (data: Buffer) => {
    const message = readObject(data);
    const { id, method, params } = message;
    if (method === 'eth_subscription' && isObject(params)) onNotification(params);
    waiting.get(id)?.(toOutcome(message, toShown));
  });
  pingWhileOpen(socket, PING_MS);

  return {
    ask: async (method, params) => {
      if (socket.readyState > WebSocket.OPEN) return fail(UNREACHABLE);
      const id = ++lastId;
      return new Promise((resolve) => {
        const timer = setTimeout(() => settle(fail(TIMED_OUT)), timeoutMs);
        const settle = (outcome: Outcome): void => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(outcome);
        };
        waiting.set(id, settle);
        const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
        void opened.then(() => socket.send(text, () => undefined));
      });
    },
    close: () => socket.terminate(),
  };
}

/** Close a socket whose other side no longer answers. */
export function pingWhileOpen(socket: WebSocket, everyMs: number): void {
  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (!isAlive) socket.terminate();
    isAlive = false;
    socket.ping(() => undefined);
  }, everyMs).unref();
  socket.once('close', () => clearInterval(timer));
}

function readObject(data: Buffer): Record<PropertyKey, unknown> {
  try {
    const value: unknown = JSON.parse(data.toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function toOutcome(
  { error, result }: Record<PropertyKey, unknown>,
  toShown: Upstream['toShown'],
): Outcome {
  if (error !== undefined && error !== null) return { error: toShown(error) };
  return result === undefined ? fail(UNREACHABLE) : { result };
}
