// A WebSocket client that returns messages in order and reports how the connection ended.
import { once } from 'node:events';

import { WebSocket } from 'ws';

export type SocketClient = Awaited<ReturnType<typeof connectSocket>>;

/** Connects to `{url}{path}`, where `url` is the HTTP address of a service. */
export async function connectSocket(
  url: string,
  path: string,
  headers: Record<string, string> = {},
) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers });
  const messages: string[] = [];
  const waiting: ((text: string) => void)[] = [];
  socket.on('message', (data: Buffer) => {
    const take = waiting.shift();
    if (take) take(data.toString());
    else messages.push(data.toString());
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await once(socket, 'open');
  return {
    send: (value: unknown) =>
      socket.send(typeof value === 'string' ? value : JSON.stringify(value)),
    /** Waits for the next message, and parses it. */
    take: async () => {
      const text =
        messages.shift() ??
        (await new Promise<string>((resolve) => waiting.push(resolve)));
      return JSON.parse(text) as Record<string, unknown>;
    },
    /** Resolves to the close code. */
    closed,
    close: () => socket.close(),
  };
}

/** Tries to connect, and returns the status and body of the refusal. */
export async function refusalOf(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers });
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.terminate();
      reject(new Error('It was not refused.'));
    });
    socket.on('error', () => undefined);
    socket.once('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
  });
}
