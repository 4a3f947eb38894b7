// Connections: a new one is always accepted. Where there are too many, the one that has been
// idle for longest is closed, so that those that send nothing keep out none that do.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { Limits } from './options';

export function limitConnections(
  server: Server,
  { connections, idlePerAddress }: Limits,
): void {
  const open = new Set<Socket>();
  // Without a whole request in progress, the longest idle first.
  const idle = new Set<Socket>();
  // Those of them on which no whole request has come yet.
  const unused = new Set<Socket>();

  const forget = (socket: Socket): void =>
    [open, idle, unused].forEach((sockets) => sockets.delete(socket));
  const close = ([first]: Iterable<Socket>): void => {
    if (!first) return;
    forget(first);
    first.destroy();
  };
  const use = ({ socket }: IncomingMessage): void => {
    idle.delete(socket);
    unused.delete(socket);
  };
  const release = ({ socket }: IncomingMessage): void => {
    if (open.has(socket)) idle.add(socket);
  };

  server.on('connection', (socket: Socket) => {
    [open, idle, unused].forEach((sockets) => sockets.add(socket));
    socket.once('close', () => forget(socket));
    const { remoteAddress } = socket;
    const own = [...unused].filter((each) => each.remoteAddress === remoteAddress);
    if (own.length > idlePerAddress) close(own);
    if (open.size > connections) close(idle);
  });
  server.on('upgrade', use);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    response.once('close', () => release(request));
    if (!hasBody(request)) {
      use(request);
      return;
    }
    request.once('end', () => {
      use(request);
      // A refusal does not wait for the body.
      if (response.writableFinished) release(request);
    });
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}
