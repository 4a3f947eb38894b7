// Brings spoiled answers to callers, over HTTP (a hook that sees every answer of a route)
// and over a WebSocket.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyReply, onSendAsyncHookHandler } from 'fastify';
import type { WebSocket } from 'ws';

import { halfOf } from './fault-table';
import type { Channel, Delivery, Fault } from './fault-table';
import type { FaultSource } from './faults';

/** Create the hook of a route whose answers can be spoiled. */
export function createFaultHook(
  faults: FaultSource,
  channel: Channel,
): onSendAsyncHookHandler {
  return async (request, reply, payload) => {
    if (request.method === 'OPTIONS' || typeof payload !== 'string') return payload;
    const fault = faults.take(request.raw, channel);
    if (fault === undefined) return payload;
    const body = change(fault, payload, reply);
    const { socket } = request.raw;
    const bring = overHttp[fault.delivery ?? 'at-once'];
    return new Promise((resolve) => {
      bring({ body, socket, delayMs: faults.delayMs, send: resolve });
    });
  };
}

/** Send a message over a WebSocket, spoiled if that was asked for. */
export function sendWithFault(
  socket: WebSocket,
  body: string,
  { faults, request }: { faults: FaultSource; request: IncomingMessage },
): void {
  const fault = faults.take(request, 'socket');
  const answer = { status: 200, headers: {}, body };
  const changed = fault?.change?.(answer) ?? answer;
  const { delayMs } = faults;
  overWebSocket[fault?.delivery ?? 'at-once']({ body: changed.body, socket, delayMs });
}

function change(fault: Fault, body: string, reply: FastifyReply): string {
  if (fault.change === undefined) return body;
  const changed = fault.change({ status: reply.statusCode, headers: {}, body });
  reply.code(changed.status).headers(changed.headers);
  return changed.body;
}

type Way = Delivery | 'at-once';

type HttpSending = {
  body: string;
  socket: Socket;
  delayMs: number;
  send: (payload: unknown) => void;
};

const overHttp: Record<Way, (sending: HttpSending) => void> = {
  'at-once': ({ body, send }) => send(body),
  late: ({ body, send, delayMs }) => void sleep(delayMs).then(() => send(body)),
  never: () => undefined,
  'half-then-rest': ({ body, send, delayMs }) =>
    send(inHalves(body, async () => sleep(delayMs))),
  'half-then-nothing': ({ body, send }) =>
    send(inHalves(body, async () => new Promise(() => undefined))),
  'half-then-cut': ({ body, socket, send, delayMs }) =>
    send(
      inHalves(body, async () => {
        await sleep(Math.min(delayMs, 50));
        socket.destroy();
      }),
    ),
  cut: ({ socket }) => void socket.resetAndDestroy(),
};

function inHalves(body: string, between: () => Promise<unknown>): Readable {
  const [first, second] = halfOf(body);
  return Readable.from(
    (async function* () {
      yield first;
      await between();
      yield second;
    })(),
  );
}

type SocketSending = { body: string; socket: WebSocket; delayMs: number };

const MORE = { fin: false };

const overWebSocket: Record<Way, (sending: SocketSending) => void> = {
  'at-once': ({ body, socket }) => socket.send(body),
  late: ({ body, socket, delayMs }) =>
    void sleep(delayMs).then(() => socket.send(body, () => undefined)),
  never: () => undefined,
  'half-then-rest': ({ body, socket, delayMs }) => {
    const [first, second] = halfOf(body);
    socket.send(first, MORE);
    void sleep(delayMs).then(() => socket.send(second, () => undefined));
  },
  'half-then-nothing': ({ body, socket }) => socket.send(halfOf(body)[0], MORE),
  'half-then-cut': ({ body, socket }) =>
    socket.send(halfOf(body)[0], MORE, () => socket.terminate()),
  cut: ({ socket }) => socket.terminate(),
};
