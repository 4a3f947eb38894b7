// The HTTP side: the routes of both APIs, health, and how failures are answered.
import cors from '@fastify/cors';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteShorthandOptions,
} from 'fastify';

import { type Access, notFound } from './access';
import { type Channel, createFaultHook, type FaultSource } from './faults';
import { type Gas, type GasResource, gasResources } from './gas';
import type { Head } from './head';
import { codes, ServiceFailure, toAnswer, toFailure } from './json-rpc';
import type { ApiKey } from './keys';
import type { Spend } from './limits';
import type { Metrics } from './metrics';
import type { Rpc } from './rpc';

/** What the routes need. */
type HttpServices = {
  access: Access;
  gas: Gas;
  head: Head;
  rpc: Rpc;
  spend: Spend;
  metrics: Metrics;
  chainId: number;
  /** Whether load balancers should send nothing more. */
  isStopping: () => boolean;
  faults: FaultSource | undefined;
};

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyRequest {
    /** Who asks, once that is known. */
    apiKey?: ApiKey;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';
const RPC_PATH = '/v3/:key';

type GasParams = { chainId?: string; key?: string };

/** Add everything that is served over HTTP. */
export async function addRoutes(
  server: FastifyInstance,
  services: HttpServices,
): Promise<void> {
  // Snaps fetch with `Origin: null`.
  await server.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST'],
    exposedHeaders: ['Retry-After', 'WWW-Authenticate'],
    maxAge: 86_400,
  });
  server.removeAllContentTypeParsers();
  // Whatever its type: the text is read as JSON after the caller is known.
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  server.setErrorHandler((error, request, reply) => sendFailure(error, request, reply));
  server.setNotFoundHandler((request, reply) =>
    sendFailure(notFound(), request, reply),
  );
  server.addHook('onRequest', (request, reply, done) => {
    // Before the body is read, which may never come.
    if (request.is404) void reply.header('Connection', 'close');
    done(request.is404 ? notFound() : undefined);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const status = reply.statusCode;
    services.metrics.httpSeconds.observe({ route, status }, reply.elapsedTime / 1_000);
    // Never the address, which can have a key in it.
    const entry = { route, status, key: request.apiKey?.name, ms: reply.elapsedTime };
    if (status >= 500) request.log.warn(entry, 'Failed to answer.');
    else request.log.debug(entry, 'Answered.');
    done();
  });
  addGasRoutes(server, services);
  addRpcRoutes(server, services);
  addHealth(server, services);
}

function addGasRoutes(server: FastifyInstance, services: HttpServices): void {
  const { access, faults, gas, spend } = services;
  const onRequest: onRequestHookHandler = (request, _reply, done) => {
    access.checkOrigin(request.headers);
    request.apiKey = access.checkGas(request.params as GasParams, request.headers);
    spend(request.apiKey, 1).then(() => done(), done);
  };
  const send =
    (name: GasResource) => (_request: FastifyRequest, reply: FastifyReply) => {
      reply.type(JSON_TYPE);
      const known = gas.peek();
      if (known) {
        // Without a promise: most requests of a block come this way.
        void reply.send(known[name]);
        return;
      }
      gas.fetch().then(
        (fees) => reply.send(fees[name]),
        (error: unknown) => reply.send(error),
      );
    };
  for (const name of gasResources) {
    for (const prefix of ['', '/v3/:key']) {
      const path = `${prefix}/networks/:chainId/${name}`;
      server.get(path, { ...spoiled(faults, 'rest'), onRequest }, send(name));
      refuseOtherMethods(server, path, ['GET', 'HEAD']);
    }
  }
}

function addRpcRoutes(server: FastifyInstance, services: HttpServices): void {
  const { access, faults, rpc } = services;
  const checkKey = ({ params, headers }: FastifyRequest): ApiKey =>
    access.checkKey((params as GasParams).key, headers);
  const onRequest: onRequestHookHandler = (request, _reply, done) => {
    access.checkOrigin(request.headers);
    request.apiKey = checkKey(request);
    done();
  };
  const options = { ...spoiled(faults, 'rpc'), onRequest };
  server.post(RPC_PATH, options, async (request, reply) => {
    const text = typeof request.body === 'string' ? request.body : '';
    const key = checkKey(request);
    const { status, headers = {}, body } = await rpc(text, { key });
    reply.code(status).headers(headers).type(JSON_TYPE);
    return reply.send(body);
  });
  refuseOtherMethods(server, RPC_PATH, ['POST']);
  refuseOtherMethods(server, `/ws${RPC_PATH}`, []);
}

function addHealth(
  server: FastifyInstance,
  { head, chainId, isStopping }: HttpServices,
): void {
  server.get('/health', async (_request, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping', chainId });
    try {
      const { number } = await head.fetch();
      return { status: 'ok', chainId, block: Number(number) };
    } catch {
      return reply.code(503).send({ status: 'unavailable', chainId });
    }
  });
  refuseOtherMethods(server, '/health', ['GET', 'HEAD']);
}

function spoiled(
  faults: FaultSource | undefined,
  channel: Channel,
): RouteShorthandOptions {
  return faults ? { onSend: createFaultHook(faults, channel) } : {};
}

function refuseOtherMethods(
  server: FastifyInstance,
  url: string,
  allowed: string[],
): void {
  const others = server.supportedMethods.filter(
    (method) => ![...allowed, 'OPTIONS'].includes(method),
  );
  const refuse = (): never => {
    const message = 'This method is not served at this address.';
    const error = { code: codes.invalidRequest, message };
    throw new ServiceFailure(405, error, { Allow: [...allowed, 'OPTIONS'].join(', ') });
  };
  // Before the body is read.
  server.route({ method: others, url, onRequest: refuse, handler: refuse });
}

/** Answer a failure, whatever was thrown. */
export function sendFailure(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { status, headers, error } = toFailure(thrown);
  if (status === 500) request.log.error({ err: thrown }, 'Unexpected error.');
  const isRpc = request.routeOptions.url === RPC_PATH;
  const body = isRpc ? toAnswer(null, { error }) : { error };
  void reply.code(status).headers(headers).type(JSON_TYPE).send(JSON.stringify(body));
}
