// A real WebSocket server on loopback that answers as a test decides and records requests.
import type { AddressInfo } from 'node:net';

import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';

import type { WireRequest } from './json-rpc';

export type SocketAnswer = (socket: WebSocket, request: WireRequest) => void;

export type SocketServer = Awaited<ReturnType<typeof startSocketServer>>;

export async function startSocketServer(answer: SocketAnswer) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  const paths: string[] = [];
  const arrived: WireRequest[] = [];
  server.on('connection', (socket, { url = '' }) => {
    paths.push(url);
    socket.on('message', (data) => {
      const request = JSON.parse((data as Buffer).toString()) as WireRequest;
      arrived.push(request);
      answer(socket, request);
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const drop = (): void => server.clients.forEach((socket) => socket.terminate());
  return {
    url: `ws://127.0.0.1:${port}`,
    paths,
    arrived,
    /** The sockets that are open or closing. */
    clients: server.clients,
    open: () => [...server.clients].filter(({ readyState }) => readyState === 1),
    drop,
    stop: async () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        drop();
      }),
  };
}

export function useSocketServers(): (answer: SocketAnswer) => Promise<SocketServer> {
  const started: SocketServer[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map(async ({ stop }) => stop()));
  });
  return async (answer) => {
    const server = await startSocketServer(answer);
    started.push(server);
    return server;
  };
}

/** Answers with a result, or with a function of the request. */
export function answerSocket(
  result: string | ((request: WireRequest) => unknown),
): SocketAnswer {
  return (socket, request) => {
    const made: unknown = typeof result === 'function' ? result(request) : result;
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: request.id, result: made }));
  };
}
