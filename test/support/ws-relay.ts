// A WebSocket server on loopback in front of a node: it passes everything on, keeps
// what was asked, and breaks or speaks up when a test wants it to.
import { WebSocket } from 'ws';

import { waitFor } from '../fixtures/stack/requests';
import { startSocketServer } from './ws-server';

/** A running relay. */
export type Relay = Awaited<ReturnType<typeof startRelay>>;

/** Starts a relay before a node, which speaks WebSocket at its HTTP address. */
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
    /** How many connections there were so far. */
    connections: () => paths.length,
    /** How many are open now. */
    open: () => clients.size,
    /** The methods that went through, in order. */
    get methods(): string[] {
      return arrived.map(({ method }) => method);
    },
    /** Says something to everybody who is connected. */
    broadcast: (message: unknown) =>
      clients.forEach((socket) => socket.send(JSON.stringify(message))),
    drop,
    stop,
  };
}

/** Waits until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  await waitFor(isSo);
}

async function join(socket: WebSocket, url: string): Promise<WebSocket> {
  const node = new WebSocket(url);
  node.on('message', (data) => socket.send((data as Buffer).toString()));
  node.on('close', () => socket.terminate());
  node.on('error', () => socket.terminate());
  socket.on('close', () => node.terminate());
  return new Promise((resolve) => node.once('open', () => resolve(node)));
}
