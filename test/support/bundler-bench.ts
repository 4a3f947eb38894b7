// A bundler or a paymaster's service in memory behind HTTP, and what was sent to it.
import { createBundlerEndpoint, createHttpTransport } from '../../src/client';
import type { Transport } from '../../src/client';
import { createFakeNetwork, serving } from './fake-fetch';
import type { Server } from './fake-fetch';
import { createFakeNode } from './fake-node';
import type { FakeNode, NodeAnswers } from './fake-node';
import { createFakeTime } from './fake-time';
import { toRequests } from './json-rpc';

/** Where the service is; messages name it so. */
export const SERVICE_URL = 'https://service.example/rpc';

/** A hash, and another one. */
export const HASH = `0x${'ab'.repeat(32)}` as const;
export const OTHER_HASH = `0x${'cd'.repeat(32)}` as const;

/** A service, and a transport to it. */
export type ServiceBench = {
  transport: Transport;
  /** What it answers, and what it was asked. */
  node: FakeNode;
  /** The methods of each HTTP request so far. */
  sent: () => string[][];
};

/**
 * Create a transport to a service that answers by method, in a time that passes at once.
 *
 * @param server - What stands in place of the service that answers.
 */
export function createServiceBench(
  answers: NodeAnswers = {},
  server?: Server,
): ServiceBench {
  const node = createFakeNode(answers);
  const network = createFakeNetwork();
  network.serve(SERVICE_URL, server ?? serving(node));
  const { fetch } = network;
  const endpoint = createBundlerEndpoint(SERVICE_URL);
  const sent = (): string[][] =>
    network.sent.map(({ body = '' }) =>
      toRequests({ body }).map(({ method }) => method),
    );
  return {
    transport: createHttpTransport(endpoint, { fetch, services: createFakeTime() }),
    node,
    sent,
  };
}
