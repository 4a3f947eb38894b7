// An in-memory bundler or paymaster service behind HTTP, which records its requests.
import { concat, numberToHex } from 'viem';

import {
  createPaymasterClient,
  createBundlerEndpoint,
  createHttpTransport,
} from '../../packages/client/src';
import { createFakeNetwork, serving } from './fake-fetch';
import type { Server } from './fake-fetch';
import { createFakeNode } from './fake-node';
import type { NodeAnswers } from './fake-node';
import { createFakeTime } from './fake-time';
import { toRequests } from './json-rpc';

/** The service's URL. Error messages name its host. */
export const SERVICE_URL = 'https://service.example/rpc';

export const HASH = `0x${'ab'.repeat(32)}` as const;
export const OTHER_HASH = `0x${'cd'.repeat(32)}` as const;

export type ServiceBench = ReturnType<typeof createServiceBench>;

/**
 * Creates a transport to a service that answers by method, with a clock that never waits.
 *
 * @param server - Replaces the service that answers by method.
 */
export function createServiceBench(answers: NodeAnswers = {}, server?: Server) {
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
    /** The methods of each HTTP request so far. */
    sent,
  };
}

const PAYMASTER = '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f';

/** A paymaster's answer for EntryPoint 0.7 and later. */
export const answer07 = {
  paymaster: PAYMASTER,
  paymasterData: '0xc0ffee',
  paymasterVerificationGasLimit: '0x7530',
  paymasterPostOpGasLimit: '0x1',
};

/** A paymaster's answer for EntryPoint 0.6. */
export const answer06 = { paymasterAndData: `${PAYMASTER}c0ffee` };

/** Encodes {@link answer07} for the chain, with the given limits. */
export function packedWith(verification: bigint, postOp: bigint): string {
  return concat([
    PAYMASTER,
    numberToHex(verification, { size: 16 }),
    numberToHex(postOp, { size: 16 }),
    '0xc0ffee',
  ]);
}

export const target07 = { version: '0.7', chainId: 5n } as const;
export const target06 = { version: '0.6', chainId: 5n } as const;

export function createPaymasterBench(answers: object) {
  const bench = createServiceBench(answers as never);
  return { ...bench, paymaster: createPaymasterClient(bench.transport) };
}
