// JSON-RPC over WebSockets: admits clients and answers their messages. The answer with a
// subscription's id is sent before its notifications.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocket, WebSocketServer } from 'ws';

import { parse } from '../../../src/schema/parse';
import { oneOf, text } from '../../../src/schema/structs';
import { notFound, type Access } from './access';
import {
  codes,
  toError,
  toFailure,
  toLimited,
  writeJson,
  type Outcome,
} from './json-rpc';
import { LogsStruct } from './methods';
import { endConnection, type Services } from './routes';
import type { OwnMethod } from './rpc';
import type { Listener, Subscriptions } from './subscriptions';
import { pingWhileOpen } from './upstream';

const GOING_AWAY = 1001;
const POLICY = 1008;
const TRY_AGAIN_LATER = 1013;
const PING_MS = 30_000;

const SOCKET_PATH =
  /^(?:\/networks\/(?<chainId>\d+))?(?:\/ws)?\/v3\/(?<key>[^/?]+)(?:\?.*)?$/u;

/** Time that a silent client has to confirm the close; ws would allow 30 seconds. */
const CLOSE_MS = 1_000;

/** Maximum number of a client's messages in progress; others wait. */
const MAX_IN_FLIGHT = 64;

/** Number of unsent bytes above which a client that does not read is disconnected. */
const MAX_UNSENT = 16_000_000;

export type WebSocketSide = {
  /** Closes sockets whose key is no longer valid, after the keys have changed. */
  renew: () => void;
  /** Finishes pending answers, and closes all sockets. */
  end: () => Promise<void>;
  cut: () => void;
};

export function serveWebSockets(server: Server, services: Services): WebSocketSide {
  const { limits, access, metrics } = services;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.bodyBytes,
    perMessageDeflate: false,
  });
  const sessions = new Set<WebSocketSide>();
  const ids = new WeakMap<IncomingMessage, string>();
  let isEnding = false;
  sockets.on('headers', (headers, request) => {
    headers.push(`X-Request-Id: ${ids.get(request)}`);
  });
  const refuse = (error: unknown, connection: Duplex, id: string): void => {
    const failure = toFailure(error);
    services.log.debug({ id, status: failure.status }, 'Refused a WebSocket.');
    endConnection(connection, failure, { id, isRpc: true });
  };
  sockets.on('wsClientError', (_error, connection, request) => {
    refuse({ statusCode: 400 }, connection, ids.get(request) ?? '');
  });

  server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    connection.on('error', () => connection.destroy());
    const id = randomUUID();
    try {
      const params = SOCKET_PATH.exec(request.url ?? '/')?.groups;
      if (!params) throw notFound();
      // Decoded like the router's parameters.
      const key = decodeURIComponent(params['key'] ?? '');
      const check = (): ReturnType<Access['check']> =>
        access.check({ ...params, key }, request.headers);
      check();
      if (isEnding || sessions.size >= limits.webSockets) {
        throw toLimited(429, 'Too many connections; try again later.', 1);
      }
      ids.set(request, id);
      sockets.handleUpgrade(request, connection, head, (socket) => {
        const session = createSession(socket, { ...services, check, id });
        sessions.add(session);
        metrics.webSockets.inc();
        socket.once('close', () => {
          sessions.delete(session);
          metrics.webSockets.dec();
        });
      });
    } catch (error) {
      refuse(error, connection, id);
    }
  });

  return {
    renew: () => sessions.forEach((session) => session.renew()),
    end: async () => {
      isEnding = true;
      await Promise.all([...sessions].map(async (session) => session.end()));
    },
    cut: () => sessions.forEach((session) => session.cut()),
  };
}

function createSession(
  socket: WebSocket,
  options: Services & {
    check: () => ReturnType<Access['check']>;
    id: string;
  },
): WebSocketSide {
  const { check, limits, metrics, log, spend, id } = options;
  const inFlight = new Set<Promise<void>>();
  const waiting: string[] = [];
  let isEnding = false;
  let { apiKey, network } = check();

  const send = (text: string): void => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount > MAX_UNSENT) {
      socket.close(POLICY, 'The client reads too slowly.');
    } else socket.send(text, () => undefined);
  };
  const onLost = (code: number, reason: string): void => socket.close(code, reason);
  const subscriptions =
    network.subscriptions &&
    createClientSubscriptions(network.subscriptions, send, onLost);
  const answer = async (text: string): Promise<void> => {
    const newIds: string[] = [];
    const own = subscriptions?.openMethods(newIds) ?? new Map<string, OwnMethod>();
    const caller = { key: apiKey, spend, own };
    const { status, body, hasFailed } = await network.rpc(text, caller);
    metrics.socketMessages.inc({ status });
    if (hasFailed) {
      const { name } = apiKey;
      log.warn({ id, key: name, chain: network.chainId }, 'Failed to answer.');
    }
    if (body !== undefined) send(body);
    subscriptions?.release(newIds);
  };

  const startNext = (): void => {
    if (inFlight.size >= MAX_IN_FLIGHT) return;
    // A closing socket must read the other side's close frame.
    const text = socket.readyState === WebSocket.OPEN ? waiting.shift() : undefined;
    if (text === undefined) return socket.resume();
    const done = answer(text);
    inFlight.add(done);
    void done.finally(() => {
      inFlight.delete(done);
      startNext();
    });
  };

  const silence = setTimeout(() => {
    isEnding = true;
    socket.close(POLICY, 'No request came in time.');
    setTimeout(() => socket.terminate(), CLOSE_MS).unref();
  }, limits.requestTimeoutMs);
  socket.on('message', (data: Buffer) => {
    clearTimeout(silence);
    if (isEnding) return;
    waiting.push(data.toString());
    startNext();
    if (inFlight.size >= MAX_IN_FLIGHT) socket.pause();
  });
  socket.on('error', () => socket.terminate());
  socket.once('close', () => {
    clearTimeout(silence);
    subscriptions?.close();
  });
  pingWhileOpen(socket, PING_MS);

  return {
    renew: () => {
      try {
        ({ apiKey, network } = check());
      } catch {
        isEnding = true;
        socket.close(POLICY, 'The API key is no longer valid.');
      }
    },
    end: async () => {
      isEnding = true;
      const closed = new Promise((resolve) => socket.once('close', resolve));
      while (inFlight.size > 0 && socket.readyState === WebSocket.OPEN) {
        await Promise.race([closed, ...inFlight]);
      }
      socket.close(GOING_AWAY, 'The service is stopping.');
    },
    cut: () => socket.terminate(),
  };
}

// One WebSocket client's subscriptions, and their limits.

const MAX_SUBSCRIPTIONS = 100;
const MAX_HELD = 1_000;
const NODE_GONE = 'The node is gone; connect again.';
const TopicStruct = oneOf(['newHeads', 'logs', 'newPendingTransactions']);
const IdStruct = text(256);

function createClientSubscriptions(
  all: Subscriptions,
  send: (text: string) => void,
  onLost: (code: number, reason: string) => void,
) {
  const ids = new Set<string>();
  // Subscription ids that the client knows, and notifications held back for other ids.
  const known = new Set<string>();
  let held: { id: string; text: string }[] = [];
  let starting = 0;
  let isClosed = false;

  const notify: Listener['notify'] = (params) => {
    const { subscription: id } = params;
    const text = writeJson({ jsonrpc: '2.0', method: 'eth_subscription', params });
    if (known.has(id)) return send(text);
    const length = held.reduce((sum, each) => sum + each.text.length, text.length);
    if (length > MAX_UNSENT || held.push({ id, text }) > MAX_HELD) {
      onLost(POLICY, 'Too many unread notifications.');
    }
  };
  const subscribe = async (params: unknown[], newIds: string[]): Promise<Outcome> => {
    const [topic, filter] = params;
    parse(topic, TopicStruct, 'params[0]');
    if (topic === 'logs') parse(filter ?? {}, LogsStruct, 'params[1]');
    if (ids.size + starting >= MAX_SUBSCRIPTIONS) {
      const message = `A connection can have at most ${MAX_SUBSCRIPTIONS} subscriptions.`;
      return toError(codes.server, message);
    }
    // Subscriptions of a batch start at the same time.
    starting += 1;
    const listener = { notify, onLost: () => onLost(TRY_AGAIN_LATER, NODE_GONE) };
    const outcome = await all.subscribe(params, listener).finally(() => {
      starting -= 1;
    });
    if (outcome.error) return outcome;
    const id = String(outcome.result);
    if (isClosed) all.unsubscribe(id);
    else ids.add(id);
    newIds.push(id);
    return outcome;
  };
  const unsubscribe = (params: unknown[]): Outcome => {
    const id = parse(params[0], IdStruct, 'params[0]');
    const result = ids.delete(id);
    known.delete(id);
    if (result) all.unsubscribe(id);
    return { result };
  };

  return {
    /** Creates the methods for one message. `newIds` collects its new subscriptions. */
    openMethods: (newIds: string[]) =>
      new Map<string, OwnMethod>([
        ['eth_subscribe', async (params) => subscribe(params, newIds)],
        ['eth_unsubscribe', unsubscribe],
      ]),
    /** Sends the notifications held back for these ids, which the client now knows. */
    release: (newIds: readonly string[]) => {
      newIds.filter((id) => ids.has(id)).forEach((id) => known.add(id));
      held.filter(({ id }) => known.has(id)).forEach(({ text }) => send(text));
      held = held.filter(({ id }) => !newIds.includes(id));
    },
    close: () => {
      isClosed = true;
      ids.forEach((id) => all.unsubscribe(id));
    },
  };
}
