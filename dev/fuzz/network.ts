// The servers of the snap and its wallet, with the faults of the current case. Some faulty answers
// quote the request with its credentials, as some real servers do.
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import type { Json } from '@metamask/utils';
import fc, { type Arbitrary } from 'fast-check';
import { WebSocketServer, type WebSocket } from 'ws';

import { listenOnLoopback } from '../stack/server';
import { findRight } from './answers';
import { anyJunk, anySpoil, anyText, chance, mix, sometimes } from './values';

type Reply = {
  status: number;
  headers: Record<string, string>;
  body: string;
  end: 'whole' | 'cut' | 'none';
  delayMs: number;
};

/** Spoils an answer. `echo` is the text of the request, which the answer may quote. */
type SpoilReply = (right: Json, echo: string) => Partial<Reply>;

/** The faults of consecutive answers, in rotation. Empty if all answers are correct. */
export type ServerFaults = readonly (SpoilReply | undefined)[];

export type Network = {
  url: string;
  setFaults: (faults: ServerFaults) => void;
  stop: () => Promise<void>;
};

const LARGE = 11_000_000;

const STATUSES = [
  201, 204, 301, 302, 400, 401, 402, 403, 404, 405, 408, 413, 418, 429, 451, 500, 502,
  503, 504, 520,
];

const CODES = [
  -32700, -32600, -32601, -32602, -32603, -32000, -32002, -32005, 3, 4001, 0,
];

const RETRIES = ['0', '-1', '99999', 'soon', 'Fri, 31 Dec 1999 23:59:59 GMT'];

const toBody =
  (change: (right: Json) => Json): SpoilReply =>
  (right) => ({ body: JSON.stringify(change(right)) });

const eachAnswer = (change: (answer: Record<string, Json>) => Json): SpoilReply =>
  toBody((right) =>
    Array.isArray(right)
      ? right.map((answer) => change(answer as Record<string, Json>))
      : change(right as Record<string, Json>),
  );

const error: Arbitrary<SpoilReply> = fc
  .record({
    message: sometimes(50, anyText),
    code: mix<Json>([8, fc.constantFrom(...CODES)], [2, anyJunk]),
    form: fc.nat(3),
  })
  .map(({ message, code, form }): SpoilReply => (right, echo) => {
    const data = [echo, { request: echo }, { rate: { backoff_seconds: 0 } }, null][
      form
    ];
    const error = { code, message: message ?? `refused: ${echo}`, data: data ?? null };
    return eachAnswer(({ id = null }) => ({ jsonrpc: '2.0', id, error }))(right, echo);
  });

const twice: Arbitrary<SpoilReply> = sometimes(50, anyJunk).map((more) =>
  toBody((right) => {
    const list = Array.isArray(right) ? right : [right];
    return [...list, ...list, ...(more === undefined ? [] : [more])];
  }),
);

const refused: Arbitrary<SpoilReply> = fc
  .record({
    status: fc.constantFrom(...STATUSES),
    retry: sometimes(30, fc.constantFrom(...RETRIES)),
    isPage: chance(50),
  })
  .map(({ status, retry, isPage }): SpoilReply => (_right, echo) => ({
    status,
    headers: retry === undefined ? {} : { 'retry-after': retry },
    body: isPage
      ? `<html><body>${echo}</body></html>`
      : JSON.stringify({ error: echo }),
  }));

const fixed = fc.constantFrom<SpoilReply>(
  (right) => ({ body: JSON.stringify(right).slice(0, -7) }),
  (_right, echo) => ({ body: `<!doctype html><title>${echo}</title>` }),
  () => ({ body: '' }),
  () => ({ body: '['.repeat(20_000) }),
  (right) => ({ body: `${JSON.stringify(right)}\u0000` }),
  () => ({ delayMs: 50 }),
);

/** These faults take long, because the answer is large or the snap retries. */
const slow = fc.constantFrom<SpoilReply>(
  (right) => ({ body: JSON.stringify(right).padEnd(LARGE, ' ') }),
  () => ({ end: 'cut' }),
  () => ({ end: 'none' }),
);

// Retries take long, so failures that the snap does not retry are more frequent.
const anySpoilReply = mix<SpoilReply>(
  [32, anySpoil.map((spoil) => toBody(spoil))],
  [11, error],
  [5, anyJunk.map((id) => eachAnswer((answer) => ({ ...answer, id })))],
  [5, twice],
  [5, anyJunk.map((junk) => toBody(() => junk))],
  [32, fixed],
  [5, refused],
  [4, slow],
);

const LENGTHS = { minLength: 1, maxLength: 20 };

export const anyServerFaults: Arbitrary<ServerFaults> = mix<ServerFaults>(
  [80, fc.constant([])],
  [20, fc.array(sometimes(40, anySpoilReply), { ...LENGTHS, size: 'max' })],
);

const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': '*',
};

export async function startNetwork(): Promise<Network> {
  let faults: ServerFaults = [];
  let answered = 0;
  const toReply = (right: Json, echo: string): Reply => {
    const spoil = faults[answered++ % faults.length];
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(right),
      end: 'whole',
      delayMs: 0,
      ...spoil?.(right, echo),
    };
  };
  const listening = await listenOnLoopback(async (request, response) => {
    const body = await text(request);
    const { url = '/', headers } = request;
    const echo = `${url} ${headers.authorization ?? ''} ${body.slice(0, 2_000)}`;
    await send(toReply(findRight(url, body), echo), response);
  });
  const sockets = new WebSocketServer({ server: listening.server });
  sockets.on('connection', (socket, { url = '/' }) => {
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      const body = data.toString();
      sendBySocket(toReply(findRight(url, body), `${url} ${body}`), socket);
    });
  });
  return {
    url: listening.url,
    setFaults: (wanted) => {
      faults = wanted;
      answered = 0;
    },
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await listening.stop();
    },
  };
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
  if (end === 'whole') response.end(isBodiless ? undefined : body);
  else response.write(body.slice(0, length / 2), () => response.destroy());
}

function sendBySocket({ body, end }: Reply, socket: WebSocket): void {
  if (end === 'none') socket.terminate();
  else if (end === 'cut') {
    socket.send(Buffer.from(body.slice(0, 1_000)));
    socket.close(1011, 'cut');
  } else socket.send(body);
}
