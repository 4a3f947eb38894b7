// JSON-RPC over WebSockets: who may connect, and each client's messages. Answers of a
// client's own messages come before notifications of the subscriptions that they made.
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

import { any, array, optional, type } from '@metamask/superstruct';
import { WebSocket, WebSocketServer } from 'ws';

import { matches, parse } from '../../src/schema/parse';
import { oneOf, text } from '../../src/schema/structs';
import type { Access } from './access';
import { sendWithFault, type FaultSource } from './faults';
import { codes, ServiceFailure, toAnswer, toFailure, type Outcome } from './json-rpc';
import type { Metrics } from './metrics';
import type { Limits } from './options';
import type { OwnMethods, Rpc } from './rpc';
import {
  openNodeSocket,
  pingWhileOpen,
  type NodeSocket,
  type NodeSocketOptions,
} from './upstream';

/** What the WebSocket side needs. */
type WebSocketServices = {
  rpc: Rpc;
  access: Access;
  limits: Limits;
  metrics: Metrics;
  faults: FaultSource | undefined;
  subscriptions: Omit<SubscriptionOptions, 'notify' | 'onLost'>;
};

const GOING_AWAY = 1001;
const POLICY = 1008;
const TRY_AGAIN_LATER = 1013;
const PING_MS = 30_000;

/** Time that a silent client has to confirm that it is closed; ws gives it 30 seconds. */
const LAST_WORDS_MS = 1_000;

/** Messages of a client that are answered at once; the next ones wait. */
const MAX_IN_FLIGHT = 64;

/** Bytes that may wait for a client that does not read. */
const MAX_UNSENT = 16_000_000;

export type WebSocketSide = {
  /** The keys have changed: close those whose key is no longer valid. */
  renew: () => void;
  /** Finish what is being answered, and close all. */
  end: () => Promise<void>;
  /** Cut those that are still there. */
  cut: () => void;
};

/** Let clients connect. */
export function serveWebSockets(
  server: Server,
  services: WebSocketServices,
): WebSocketSide {
  const { limits, faults, access, metrics } = services;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.bodyBytes,
    perMessageDeflate: false,
  });
  const sessions = new Set<Session>();
  let isStopping = false;

  server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    connection.on('error', () => connection.destroy());
    let key: string;
    try {
      const path = faults ? faults.rewrite(request) : (request.url ?? '/');
      key = access.checkWebSocket(path, request.headers);
      if (isStopping || sessions.size >= limits.webSockets) throw tooMany();
    } catch (error) {
      refuse(connection, toFailure(error));
      return;
    }
    sockets.handleUpgrade(request, connection, head, (socket) => {
      const session = createSession(socket, { ...services, key, request });
      sessions.add(session);
      metrics.webSockets.inc();
      socket.once('close', () => {
        sessions.delete(session);
        metrics.webSockets.dec();
      });
    });
  });

  return {
    renew: () => sessions.forEach((session) => session.renew()),
    end: async () => {
      isStopping = true;
      await Promise.all([...sessions].map(async (session) => session.end()));
    },
    cut: () => sessions.forEach((session) => session.cut()),
  };
}

type Session = WebSocketSide;

function createSession(
  socket: WebSocket,
  {
    rpc,
    access,
    limits,
    metrics,
    faults,
    subscriptions: options,
    key,
    request,
  }: WebSocketServices & { key: string; request: IncomingMessage },
): Session {
  const inFlight = new Set<Promise<void>>();
  let held: string[] = [];
  let isEnding = false;
  let caller = access.checkKey(key, request.headers);

  const send = (text: string): void => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount > MAX_UNSENT) socket.close(POLICY, 'Too slow a reader.');
    else socket.send(text, () => undefined);
  };
  const subscriptions = createSubscriptions({
    ...options,
    notify: (text) => {
      if (inFlight.size === 0) send(text);
      else held.push(text);
    },
    onLost: () => socket.close(TRY_AGAIN_LATER, 'The node is gone; connect again.'),
  });
  const answer = async (text: string): Promise<void> => {
    const { status, body } = await rpc(text, {
      key: caller,
      own: subscriptions.methods,
    });
    metrics.socketMessages.inc({ status });
    if (body === undefined || socket.readyState !== WebSocket.OPEN) return;
    if (faults) sendWithFault(socket, body, { faults, request });
    else send(body);
  };
  const settle = (done: Promise<void>): void => {
    inFlight.delete(done);
    if (inFlight.size < MAX_IN_FLIGHT) socket.resume();
    if (inFlight.size > 0) return;
    const waiting = held;
    held = [];
    waiting.forEach(send);
  };

  const silence = setTimeout(() => {
    isEnding = true;
    socket.close(POLICY, 'No request came in time.');
    setTimeout(() => socket.terminate(), LAST_WORDS_MS).unref();
  }, limits.requestTimeoutMs);
  socket.on('message', (data: Buffer) => {
    clearTimeout(silence);
    if (isEnding) return;
    const done = answer(data.toString());
    inFlight.add(done);
    if (inFlight.size >= MAX_IN_FLIGHT) socket.pause();
    void done.finally(() => settle(done));
  });
  socket.on('error', () => socket.terminate());
  socket.once('close', () => {
    clearTimeout(silence);
    subscriptions.close();
  });
  pingWhileOpen(socket, PING_MS);

  return {
    renew: () => {
      try {
        caller = access.checkKey(key, request.headers);
      } catch {
        isEnding = true;
        socket.close(POLICY, 'The API key is no longer valid.');
      }
    },
    end: async () => {
      isEnding = true;
      await Promise.all(inFlight);
      socket.close(GOING_AWAY, 'The service stops.');
    },
    cut: () => socket.terminate(),
  };
}

function tooMany(): ServiceFailure {
  const message = 'Too many connections; try again later.';
  return new ServiceFailure(
    429,
    { code: codes.limited, message, data: { rate: { backoff_seconds: 1 } } },
    { 'Retry-After': '1' },
  );
}

function refuse(connection: Duplex, { status, headers, error }: ServiceFailure): void {
  const body = JSON.stringify(toAnswer(null, { error }));
  const lines = Object.entries({
    ...headers,
    'Access-Control-Allow-Origin': '*',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n');
  // Its other side may never end.
  connection.end(`${head}\r\n\r\n${body}`, () => connection.destroy());
}

// The subscriptions of one WebSocket client. It has a socket to the node of its own, opened
// with its first subscription: closing that one takes everything of the client back.

/** What a client's subscriptions need. */
type SubscriptionOptions = Pick<NodeSocketOptions, 'timeoutMs' | 'toShown'> & {
  /** Without it there are no subscriptions. */
  nodeWsUrl: string | undefined;
  /** Sends a notification to the client. */
  notify: (text: string) => void;
  /** The node is gone, and the subscriptions with it. */
  onLost: () => void;
};

type Subscriptions = { methods: OwnMethods; close: () => void };

const MAX_SUBSCRIPTIONS = 100;
const TopicStruct = oneOf(['newHeads', 'logs', 'newPendingTransactions']);
const LogsStruct = type({ address: optional(any()), topics: optional(array(any())) });
const IdStruct = text(256);

function createSubscriptions(options: SubscriptionOptions): Subscriptions {
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
