// The HTTP side: the routes of both APIs and of health checks, and the answers to failures.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

import compress from '@fastify/compress';
import cors from '@fastify/cors';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify';

import { type Access, notFound, type PathParams } from './access';
import { gasResources } from './gas';
import { codes, ServiceFailure, toAnswer, toFailure } from './json-rpc';
import type { ApiKey } from './keys';
import type { Spend } from './limits';
import type { Metrics } from './metrics';
import type { Network } from './network';
import type { Limits } from './options';

export type Services = {
  access: Access;
  networks: readonly Network[];
  spend: Spend;
  limits: Limits;
  metrics: Metrics;
  log: FastifyBaseLogger;
  /** Whether load balancers should stop sending requests. */
  isStopping: () => boolean;
  /** Whether this instance counts requests alone because Redis fails. */
  isAlone: () => boolean;
};

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FastifyRequest {
    apiKey?: ApiKey;
    network?: Network;
    /** Whether an answer with status 200 reports an internal error, as when no node answered. */
    hasFailed?: boolean;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';
const RPC_PATHS = ['/v3/:key', '/networks/:chainId/v3/:key'];

/** Minimum length of compressed answers, in bytes. */
const COMPRESSED_BYTES = 2_048;

export async function addRoutes(
  server: FastifyInstance,
  services: Services,
): Promise<void> {
  server.setErrorHandler((error, request, reply) => sendFailure(error, request, reply));
  server.setNotFoundHandler((request, reply) =>
    sendFailure(notFound(), request, reply),
  );
  // Snaps fetch with `Origin: null`.
  await server.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST'],
    strictPreflight: false,
    preflightContinue: true,
    exposedHeaders: ['Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
    maxAge: 86_400,
  });
  await server.register(compress, {
    threshold: COMPRESSED_BYTES,
    globalDecompression: false,
    encodings: ['gzip', 'deflate'],
  });
  server.removeAllContentTypeParsers();
  // Accepts any type: the text is parsed as JSON once the caller is known.
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-Request-Id', request.id);
    // Refuses before reading the body, which may never arrive.
    const isPreflight = 'access-control-request-method' in request.headers;
    const isUnknown =
      request.is404 || (request.routeOptions.url === '*' && !isPreflight);
    if (isUnknown) void reply.header('Connection', 'close');
    done(isUnknown ? notFound() : undefined);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const status = reply.statusCode;
    services.metrics.httpSeconds.observe({ route, status }, reply.elapsedTime / 1_000);
    // Omits the address, which may contain a key.
    const who = { key: request.apiKey?.name, chain: request.network?.chainId };
    const entry = { id: request.id, route, status, ...who, ms: reply.elapsedTime };
    const isFailed = status >= 500 || request.hasFailed;
    if (isFailed) request.log.warn(entry, 'Failed to answer.');
    else request.log.debug(entry, 'Answered.');
    done();
  });
  addGasRoutes(server, services);
  addRpcRoutes(server, services);
  addHealth(server, services);
}

function addGasRoutes(server: FastifyInstance, services: Services): void {
  const { access, spend } = services;
  const onRequest: onRequestHookHandler = (request, _reply, done) => {
    const { apiKey } = Object.assign(request, check(access, request));
    spend(apiKey, 1).then(() => done(), done);
  };
  for (const name of gasResources) {
    for (const prefix of ['', '/v3/:key']) {
      const path = `${prefix}/networks/:chainId/${name}`;
      server.get(path, { onRequest }, async (request, reply) => {
        const { gas } = access.findNetwork(request.params as PathParams);
        return reply.type(JSON_TYPE).send((await gas())[name]);
      });
      refuseOtherMethods(server, path, ['GET', 'HEAD']);
    }
  }
}

function addRpcRoutes(server: FastifyInstance, services: Services): void {
  const { access, spend } = services;
  const onRequest: onRequestHookHandler = (request, _reply, done) => {
    Object.assign(request, check(access, request));
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    done(encoding === 'identity' ? undefined : toFailure({ statusCode: 415 }));
  };
  for (const path of RPC_PATHS) {
    server.post(path, { onRequest }, async (request, reply) => {
      const text = typeof request.body === 'string' ? request.body : '';
      const { apiKey: key, network } = check(access, request);
      const answer = await network.rpc(text, { key, spend });
      const { status, headers = {}, body, hasFailed = false } = answer;
      request.hasFailed = hasFailed;
      return reply.code(status).headers(headers).type(JSON_TYPE).send(body);
    });
    refuseOtherMethods(server, path, ['POST']);
    refuseOtherMethods(server, path.replace('/v3', '/ws/v3'), []);
  }
}

function check(access: Access, request: FastifyRequest): ReturnType<Access['check']> {
  return access.check(request.params as PathParams, request.headers);
}

function addHealth(
  server: FastifyInstance,
  { access, networks, isStopping, isAlone }: Services,
): void {
  const finish = (reply: FastifyReply, isWell: boolean, body: object): object => {
    reply.code(isWell && !isStopping() ? 200 : 503);
    const limits = 'Redis is down: limits count for this instance alone';
    const whole = isStopping() ? { ...body, status: 'stopping' } : body;
    return isAlone() ? { ...whole, limits } : whole;
  };
  server.get('/health', async (_request, reply) => {
    const states = await Promise.all(networks.map(async ({ health }) => health()));
    const isWell = states.every(({ status }) => status === 'ok');
    const [only, ...others] = states;
    const whole = { status: isWell ? 'ok' : 'unavailable', networks: states };
    return finish(reply, isWell, only && others.length === 0 ? only : whole);
  });
  server.get('/networks/:chainId/health', async (request, reply) => {
    const state = await access.findNetwork(request.params as PathParams).health();
    return finish(reply, state.status === 'ok', state);
  });
  for (const path of ['/health', '/networks/:chainId/health']) {
    refuseOtherMethods(server, path, ['GET', 'HEAD']);
  }
}

function refuseOtherMethods(server: FastifyInstance, url: string, allowed: string[]) {
  const others = server.supportedMethods.filter(
    (method) => ![...allowed, 'OPTIONS'].includes(method),
  );
  const headers = { Allow: [...allowed, 'OPTIONS'].join(', ') };
  const refuse = (): never => {
    const message = 'This method is not served at this address.';
    throw new ServiceFailure(405, { code: codes.invalidRequest, message }, headers);
  };
  server.options(url, async (_request, reply) =>
    reply.code(204).headers(headers).send(),
  );
  server.route({ method: others, url, onRequest: refuse, handler: refuse });
}

/** Answers a failure on a connection that no route handles. */
export function endConnection(
  socket: Duplex,
  { status, headers, error }: ServiceFailure,
  { id, isRpc = false }: { id: string; isRpc?: boolean },
): void {
  const body = JSON.stringify(isRpc ? toAnswer(null, { error }) : { error });
  const head = Object.entries({
    ...headers,
    'Access-Control-Allow-Origin': '*',
    'X-Request-Id': id,
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...head, '', body];
  // The client may never close its side.
  socket.end(lines.join('\r\n'), () => socket.destroy());
}

export function sendFailure(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { status, headers, error } = toFailure(thrown);
  const { id, routeOptions } = request;
  if (status === 500) request.log.error({ id, err: thrown }, 'Unexpected error.');
  const isRpc = RPC_PATHS.includes(routeOptions.url ?? '');
  const body = isRpc ? toAnswer(null, { error }) : { error };
  // No hook sets the id if the address cannot be decoded.
  void reply
    .code(status)
    .headers({ ...headers, 'X-Request-Id': id })
    .type(JSON_TYPE)
    .send(JSON.stringify(body));
}
