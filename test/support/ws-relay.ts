// A WebSocket server on loopback that stands before a node: it passes everything on, keeps
// what was asked, and breaks or speaks up when a test wants it to.
import type { AddressInfo } from 'node:net';

import { WebSocket, WebSocketServer } from 'ws';

import { waitFor } from '../fixtures/stack/requests';
import type { WireRequest } from './json-rpc';

/** A running relay. */
export type Relay = {
  url: string;
  /** How many connections there were so far. */
  connections: () => number;
  /** How many are open now. */
  open: () => number;
  /** The methods that went through, in order. */
  methods: string[];
  /** Say something to everybody who is connected. */
  tell: (message: unknown) => void;
  /** Break every connection, as the network does. */
  drop: () => void;
  stop: () => Promise<void>;
};

/** Start a relay before a node, which speaks WebSocket at its HTTP address. */
export async function startRelay(nodeUrl: string): Promise<Relay> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  const methods: string[] = [];
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    join(socket, nodeUrl.replace(/^http/u, 'ws'), (text) => {
      methods.push((JSON.parse(text) as WireRequest).method);
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const drop = (): void => server.clients.forEach((socket) => socket.terminate());
  return {
    url: `ws://127.0.0.1:${port}`,
    methods,
    connections: () => connections,
    open: () => server.clients.size,
    tell: (message) =>
      server.clients.forEach((socket) => socket.send(JSON.stringify(message))),
    drop,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        drop();
      }),
  };
}

/** Wait until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  await waitFor(isSo);
}

function join(socket: WebSocket, url: string, keep: (text: string) => void): void {
  const node = new WebSocket(url);
  const early: string[] = [];
  node.on('open', () => early.splice(0).forEach((text) => node.send(text)));
  node.on('message', (data) => socket.send((data as Buffer).toString()));
  node.on('close', () => socket.terminate());
  node.on('error', () => socket.terminate());
  socket.on('close', () => node.terminate());
  socket.on('message', (data) => {
    const text = (data as Buffer).toString();
    keep(text);
    if (node.readyState === WebSocket.OPEN) node.send(text);
    else early.push(text);
  });
}
