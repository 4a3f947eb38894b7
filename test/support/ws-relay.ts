// A WebSocket relay on loopback in front of a node: it forwards everything, records requests, and
// drops connections or injects messages on demand.
import { WebSocket } from 'ws';

import { startSocketServer } from './ws-server';

export type Relay = Awaited<ReturnType<typeof startRelay>>;

/** Starts a relay to a node, which must accept WebSockets at its HTTP address. */
export async function startRelay(nodeUrl: string) {
  const nodes = new Map<WebSocket, Promise<WebSocket>>();
  const { url, paths, arrived, clients, drop, stop } = await startSocketServer(
    (socket, request) => {
      const node = nodes.get(socket) ?? join(socket, nodeUrl.replace(/^http/u, 'ws'));
      nodes.set(socket, node);
      void node.then((to) => to.send(JSON.stringify(request)));
    },
  );
  return {
    url,
    connectionCount: () => paths.length,
    openCount: () => clients.size,
    get methods(): string[] {
      return arrived.map(({ method }) => method);
    },
    broadcast: (message: unknown) =>
      clients.forEach((socket) => socket.send(JSON.stringify(message))),
    drop,
    stop,
  };
}

async function join(socket: WebSocket, url: string): Promise<WebSocket> {
  const node = new WebSocket(url);
  node.on('message', (data) => socket.send((data as Buffer).toString()));
  node.on('close', () => socket.terminate());
  node.on('error', () => socket.terminate());
  socket.on('close', () => node.terminate());
  return new Promise((resolve) => node.once('open', () => resolve(node)));
}
