// A transport to in-memory servers, with a fake clock and a record of the requests.
import { createHttpTransport, createRpcEndpoint } from '../../packages/client/src';
import type { HttpOptions } from '../../packages/client/src';
import { createFakeNetwork, inTurn } from './fake-fetch';
import type { Server } from './fake-fetch';
import { createFakeTime } from './fake-time';
import { echo, toRequests } from './json-rpc';
import type { WireRequest } from './json-rpc';

const URL = 'https://node.example';

export const repeatableCalls = (...methods: string[]): Asked[] =>
  methods.map((method) => ({ method, idempotent: true }));

export const unrepeatableCalls = (method: string): Asked => ({
  method,
  idempotent: false,
});

type Asked = { method: string; idempotent: boolean };

/**
 * Creates a transport to servers that answer one request each, except that the last one also
 * answers all further requests.
 */
export function createRpcBench(servers: Server[], options: Partial<HttpOptions> = {}) {
  const time = createFakeTime();
  const network = createFakeNetwork();
  network.serve(URL, inTurn(...servers));
  const { fetch } = network;
  const endpoint = { ...createRpcEndpoint(URL), label: 'It' };
  const transport = createHttpTransport(endpoint, {
    fetch,
    services: time,
    ...options,
  });
  return {
    transport,
    time,
    sent: () =>
      network.sent.map(({ body = '' }) =>
        toRequests({ body }).map((each) => each.method),
      ),
    /** Makes all calls in one tick, and returns their results or error messages. */
    askAll: async (calls: readonly Asked[]) =>
      Promise.all(
        calls.map(async (call) => {
          try {
            return await transport.request({ ...call, params: [] });
          } catch (error) {
            return (error as Error).message;
          }
        }),
      ),
  };
}

export function answeringWith(
  make: (requests: WireRequest[]) => unknown,
  status = 200,
) {
  return ({ body = '' }) =>
    new Response(JSON.stringify(make(toRequests({ body }))), { status });
}

export const correctResult: Server = answeringWith((requests) => requests.map(echo));

export const answerCorrectly = (method: string): unknown => [method, null];
