// Clients that are closed after their test, and an answer for the server that they call.
import { WebSocket as WsSocket } from 'ws';

import { createClient } from '../../packages/client/src';
import type { Client, ClientOptions, WebSocketClass } from '../../packages/client/src';
import type { Answer } from './http-server';
import { answerRequests } from './json-rpc';

export const WsClass = WsSocket as unknown as WebSocketClass;

export const answerChainId: Answer = answerRequests((requests) =>
  requests.map(({ id }) => ({ id, result: '0x1' })),
);

/** Creates clients of chain 1, and closes them after their test. */
export function useClients(): (options?: Partial<ClientOptions>) => Client {
  const clients: Client[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map(async ({ close }) => close()));
  });
  return (options) => {
    const client = createClient({ chainId: 1, WebSocket: WsClass, ...options });
    clients.push(client);
    return client;
  };
}
