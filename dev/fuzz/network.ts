// The servers that the snap and its wallet talk to, on loopback: a node, also by a socket, a
// gas API, a bundler and a paymaster's service, told for each case how often to go wrong.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Json } from '@metamask/utils';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';

import { answerCall, answerGas } from './answers';
import type { WireCall } from './answers';
import { createRandom } from './random';
import type { Random } from './random';
import { spoil, toReply } from './spoil';
import type { Reply } from './spoil';

/** The servers. */
export type Network = {
  /** Where they are: `{url}/node`, `/node10` of another chain, `/wallet`, `/gas`, `/bundler`, `/paymaster`. */
  url: string;
  /** Go wrong so often from now on; 0 for never. */
  behave: (random: Random, faultShare: number) => void;
  stop: () => Promise<void>;
};

const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': '*',
};

/** Start the servers. */
export async function startNetwork(): Promise<Network> {
  const mood = { random: createRandom(0), faultShare: 0 };
  const toAnswer = (right: Json, echo: string): Reply =>
    mood.faultShare > 0 && mood.random.chance(mood.faultShare)
      ? spoil({ right, echo }, mood.random)
      : toReply(right);
  const server = createServer((request, response) => {
    readBody(request)
      .then(async (body) => {
        const { url = '/', headers } = request;
        const echo = `${url} ${headers.authorization ?? ''} ${body.slice(0, 2_000)}`;
        await send(toAnswer(findRight(url, body), echo), response);
      })
      .catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, { url = '/' }) => {
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      sendBySocket(toAnswer(findRight(url, text), `${url} ${text}`), socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    behave: (random, faultShare) => Object.assign(mood, { random, faultShare }),
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function findRight(url: string, body: string): Json {
  const [, server = ''] = url.split('/');
  if (server === 'gas') return answerGas(url) as Json;
  try {
    const calls = JSON.parse(body) as WireCall | WireCall[];
    return (
      Array.isArray(calls)
        ? calls.map((call) => answerCall(server, call))
        : answerCall(server, calls)
    ) as Json;
  } catch {
    return { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no JSON' } };
  }
}

async function send(reply: Reply, response: ServerResponse): Promise<void> {
  const { status, headers, body, end, delayMs } = reply;
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (end === 'none') {
    response.destroy();
    return;
  }
  const length = Buffer.byteLength(body);
  const isBodiless = status === 204;
  response.writeHead(status, {
    ...HEADERS,
    ...headers,
    ...(status >= 301 && status <= 302 && { location: '/elsewhere' }),
    ...(!isBodiless && { 'content-length': length }),
  });
  if (end === 'whole') {
    response.end(isBodiless ? undefined : body);
    return;
  }
  response.write(body.slice(0, length / 2), () => response.destroy());
}

function sendBySocket({ body, end }: Reply, socket: WebSocket): void {
  if (end === 'none') socket.terminate();
  else if (end === 'cut') {
    socket.send(Buffer.from(body.slice(0, 1_000)));
    socket.close(1011, 'cut');
  } else socket.send(body);
}
