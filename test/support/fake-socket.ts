// In-memory WebSockets, for tests of the client package and of the snap. A test delivers messages,
// drops connections and reads the requests that were sent.
import type { Json } from '@metamask/utils';

import type { OpenSocket, Socket, SocketEvents } from '../../packages/client/src';
import type { Sockets } from '../../src/platform/sockets';
import type { NodeAnswers } from './fake-node';
import type { WireRequest } from './json-rpc';

export type FakeSocket = ReturnType<typeof createSocket>;

export type FakeSockets = {
  open: OpenSocket;
  opened: FakeSocket[];
  last: () => FakeSocket;
  /** What happens on opening and sending; both succeed by default. */
  behaviour: {
    onOpen: (socket: FakeSocket, signal: AbortSignal) => Promise<void>;
    onSend: (socket: FakeSocket, request: WireRequest) => void;
  };
};

/** Creates a server whose sockets open immediately and never answer on their own. */
export function createFakeSockets(): FakeSockets {
  const opened: FakeSocket[] = [];
  const sockets: FakeSockets = {
    opened,
    behaviour: { onOpen: async () => Promise.resolve(), onSend: () => undefined },
    last: () => {
      const last = opened.at(-1);
      if (!last) throw new Error('No socket was opened.');
      return last;
    },
    open: async (url, events, signal) => {
      const socket = createSocket(url, events);
      opened.push(socket);
      await sockets.behaviour.onOpen(socket, signal);
      return toPort(socket, sockets);
    },
  };
  return sockets;
}

/** Adapts the sockets for the app; ignores the wallet's events. */
export function toAppSockets({ open }: FakeSockets): Sockets {
  const { signal } = new AbortController();
  return {
    open: async (url, events) => open(url, events, signal),
    closeOthers: async () => Promise.resolve(),
    handle: async () => Promise.resolve(),
  };
}

export function echoing({ receive }: FakeSocket, { id, method }: WireRequest): void {
  receive({ jsonrpc: '2.0', id, result: method });
}

/** Answers methods from a table, and all others with null. */
export function answerSockets({ behaviour }: FakeSockets, answers: NodeAnswers): void {
  behaviour.onSend = ({ receive }, { id, method, params }) => {
    const answer = answers[method] ?? null;
    const result = typeof answer === 'function' ? answer(params as Json[]) : answer;
    void Promise.resolve().then(() => receive({ id, result }));
  };
}

function createSocket(url: string, { onMessage, onClose }: SocketEvents) {
  const sent: WireRequest[] = [];
  /** Delivers a raw string, or a value as JSON, and waits until it is handled. */
  const deliver = async (message: unknown): Promise<void> =>
    onMessage(typeof message === 'string' ? message : JSON.stringify(message));
  const receive = (message: unknown): void => void deliver(message);
  const socket = {
    url,
    sent,
    isClosed: false,
    receive,
    deliver,
    /** Answers the newest request, or the newest one with the given method. */
    answer: (result: unknown, method?: string): void => {
      const request = sent.findLast(
        (each) => method === undefined || each.method === method,
      );
      if (!request) throw new Error('There is no request to answer.');
      receive({ jsonrpc: '2.0', id: request.id, result });
    },
    drop: (): void => {
      socket.isClosed = true;
      onClose();
    },
  };
  return socket;
}

function toPort(socket: FakeSocket, { behaviour }: FakeSockets): Socket {
  return {
    send: async (text) => {
      const request = JSON.parse(text) as WireRequest;
      behaviour.onSend(socket, request);
      socket.sent.push(request);
      return Promise.resolve();
    },
    close: async () => {
      socket.isClosed = true;
      return Promise.resolve();
    },
  };
}
