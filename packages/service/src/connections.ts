// Limits connections. Above the limit, the one that has been idle or unused longest is closed, so
// idle HTTP clients cannot keep active ones out. If all others are busy, that is the new one.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { Limits } from './options';

export function limitConnections(
  server: Server,
  { connections, idlePerAddress }: Limits,
): void {
  // The state of each open connection, the least recently changed first.
  const states = new Map<Socket, 'unused' | 'busy' | 'idle'>();
  const change = (socket: Socket, state: 'busy' | 'idle'): void => {
    if (states.delete(socket)) states.set(socket, state);
  };
  const closeFirst = ([first]: Socket[]): void => {
    if (!first) return;
    states.delete(first);
    first.destroy();
  };
  const list = (isWanted: (state: string, socket: Socket) => boolean): Socket[] =>
    [...states.keys()].filter((each) => isWanted(states.get(each) ?? '', each));

  server.on('connection', (socket: Socket) => {
    states.set(socket, 'unused');
    socket.once('close', () => states.delete(socket));
    const { remoteAddress } = socket;
    // This client's connections without a complete request so far.
    const own = list(
      (state, each) => state === 'unused' && each.remoteAddress === remoteAddress,
    );
    if (own.length > idlePerAddress) closeFirst(own);
    if (states.size > connections) closeFirst(list((state) => state !== 'busy'));
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => change(socket, 'busy'));
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    response.once('close', () => change(socket, 'idle'));
    if (!hasBody(request)) return change(socket, 'busy');
    // A refusal may be sent before the body has arrived.
    request.once('end', () =>
      change(socket, response.writableFinished ? 'idle' : 'busy'),
    );
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}
