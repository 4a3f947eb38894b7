// A WebSocket transport over in-memory sockets.
import { createRpcEndpoint, WebSocketTransport } from '../../packages/client/src';
import type { RpcCall, WebSocketOptions } from '../../packages/client/src';
import { createFakeSockets } from './fake-socket';
import type { FakeSocket } from './fake-socket';
import type { WireRequest } from './json-rpc';

/** A key that must not appear in any message. */
export const KEY = '7238211010344719ad14a89db874158c';

export type SocketBench = ReturnType<typeof setupSocket>;

/** Creates a transport; the random number is 0.5, so pauses are three quarters of the maximum. */
export function setupSocket(options: Partial<WebSocketOptions> = {}) {
  const sockets = createFakeSockets();
  const endpoint = createRpcEndpoint('wss://node.example/ws', KEY);
  const transport = new WebSocketTransport(endpoint, {
    open: sockets.open,
    services: { random: () => 0.5 },
    ...options,
  });
  const request = (call: Omit<RpcCall, 'params'>): Promise<unknown> => {
    const made = transport.request({ params: [], ...call });
    // The test handles the rejection later.
    made.catch(() => undefined);
    return made;
  };
  return {
    sockets,
    transport,
    ask: (method: string, signal?: AbortSignal) =>
      request({ method, signal, idempotent: true }),
    /** Sends a transaction, which must not be repeated. */
    send: (signal?: AbortSignal) =>
      request({ method: 'eth_sendRawTransaction', signal }),
    /** Returns a call's result as JSON, or the name and message of its error. */
    outcomeOf: async (call: Promise<unknown>) =>
      call.then(
        (result) => JSON.stringify(result),
        (error: Error) => `${error.name}: ${error.message}`,
      ),
  };
}

/** Creates a transport to a server with subscriptions 0x1, 0x2, … that otherwise answers `true`. */
export function setupSubscriptions() {
  const bench = setupSocket();
  const { sockets } = bench;
  let count = 0;
  sockets.behaviour.onSend = (socket, request) =>
    void Promise.resolve().then(() =>
      answerSubscription(socket, request, () => `0x${(count += 1)}`),
    );
  const notify = (id: unknown, result: unknown): void =>
    sockets.last().receive({
      method: 'eth_subscription',
      params: { subscription: id, result },
    });
  const asked = (): string[] =>
    sockets.opened.flatMap(({ sent }) =>
      sent.map(({ method, params }) => `${method} ${String(params[0])}`),
    );
  return {
    ...bench,
    /** Lists every sent request as its method and first param. */
    asked,
    notify,
  };
}

/** Answers a request; each subscription gets the next id. */
export function answerSubscription(
  { receive }: FakeSocket,
  { id, method }: WireRequest,
  nextId: () => string,
): void {
  receive({ id, result: method === 'eth_subscribe' ? nextId() : true });
}
