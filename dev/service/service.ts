// The development service: the REST gas API and the JSON-RPC API of the specification over
// any EVM node. It keeps no state, listens on loopback, and knows one chain.
import cors from '@fastify/cors';
import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { toWire } from '../../src/client';
import { weiToGwei } from '../../src/eth/gwei';
import { isAuthorized, isSame } from './credentials';
import type { Credentials } from './credentials';
import { createNode, suggestFees, suggestPercentile } from './gas';
import { answerRpc } from './rpc';

/** How a service is set up. */
export type ServiceOptions = Credentials & {
  /** HTTP address of the node. */
  nodeUrl: string;
  /** Chain that the node serves. */
  chainId: number;
  /** 0, the default, takes a free one. */
  port?: number | undefined;
};

/** A running service. */
export type Service = {
  /** Address without a path; both APIs start here. */
  url: string;
  stop: () => Promise<void>;
};

type GasParams = { Params: { chainId: string; key?: string } };

const BODY_LIMIT = 1_000_000;

/** Start a service. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const server = fastify({ bodyLimit: BODY_LIMIT });
  // Snaps fetch with `Origin: null`.
  await server.register(cors, { origin: '*' });
  addGasRoutes(server, options);
  addRpcRoute(server, options);
  const url = await server.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  return { url, stop: async () => server.close() };
}

function addGasRoutes(server: FastifyInstance, options: ServiceOptions): void {
  const node = createNode(options.nodeUrl);
  const resources: Record<string, () => Promise<unknown>> = {
    suggestedGasFees: async () => toWire(await suggestFees(node)),
    baseFeePercentile: async () => ({
      baseFeePercentile: weiToGwei(await suggestPercentile(node)),
    }),
  };
  for (const [name, answer] of Object.entries(resources)) {
    const handle = async (
      request: FastifyRequest<GasParams>,
      reply: FastifyReply,
    ): Promise<unknown> => {
      const { chainId, key } = request.params;
      const isKnown =
        key === undefined
          ? isAuthorized(request.headers.authorization, options)
          : isSame(key, options.apiKey);
      if (!isKnown) return fail(reply, 401, 'The credentials are missing or wrong.');
      if (chainId !== String(options.chainId)) {
        return fail(reply, 404, 'This chain is not served.');
      }
      return answer();
    };
    server.get<GasParams>(`/networks/:chainId/${name}`, handle);
    server.get<GasParams>(`/v3/:key/networks/:chainId/${name}`, handle);
  }
}

function addRpcRoute(server: FastifyInstance, options: ServiceOptions): void {
  const { nodeUrl, apiKey } = options;
  const services = { nodeUrl, node: createNode(nodeUrl) };
  server.post<{ Params: { key: string } }>('/v3/:key', async (request, reply) => {
    if (!isSame(request.params.key, apiKey)) {
      return fail(reply, 401, 'The API key is wrong.');
    }
    return answerRpc(request.body, services);
  });
}

function fail(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.status(status).send({ error: message });
}
