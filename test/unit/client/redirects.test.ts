// Redirects are not followed: keys, and what is signed, are for the server that was set.
import {
  createBundlerEndpoint,
  createGasApi,
  createGasEndpoint,
  createHttpTransport,
} from '../../../src/client';
import { fetchJson } from '../../../src/client/http';
import { failureOf } from '../../support/error-of';
import { answerJson, useHttpServers } from '../../support/http-server';
import type { HttpServer } from '../../support/http-server';

const KEY = '7238211010344719ad14a89db874158c';

const serve = useHttpServers();

const options = { fetch, retry: { maxAttempts: 1 } };

const statuses = [301, 302, 303, 307, 308];

async function setup(
  status: number,
): Promise<{ first: HttpServer; second: HttpServer }> {
  const second = await serve(answerJson({ id: 1, result: '0x1' }));
  const first = await serve((response, { path }) => {
    response.writeHead(status, { Location: `${second.url}${path}` }).end();
  });
  return { first, second };
}

const failure = {
  name: 'HttpStatusError',
  code: -32002,
  message: expect.stringContaining(
    'answered with a redirect, which is not followed. Check the address, and set the one ' +
      'that it leads to.',
  ) as string,
};

it.each(statuses)('sends no call on after a redirect by %i', async (status) => {
  const { first, second } = await setup(status);
  const endpoint = createBundlerEndpoint(first.url, KEY);
  const transport = createHttpTransport(endpoint, options);
  const call = { method: 'eth_sendUserOperation', params: [], idempotent: false };
  expect(await failureOf(() => transport.request(call))).toStrictEqual({
    ...failure,
    context: { status },
  });
  expect([first.arrived.length, second.arrived.length]).toStrictEqual([1, 0]);
});

it.each(statuses)('asks no other gas API after a redirect by %i', async (status) => {
  const { first, second } = await setup(status);
  const given = { gasBaseUrl: first.url, apiKey: KEY, apiKeySecret: KEY };
  const api = createGasApi(createGasEndpoint(given), options);
  expect(await failureOf(() => api.suggestedGasFees(1n))).toMatchObject(failure);
  expect(second.arrived).toStrictEqual([]);
});

it('knows a redirect as pages are told of it', async () => {
  const endpoint = {
    url: 'https://a.example',
    headers: {},
    label: 'It',
    redact: String,
  };
  const opaque = { ok: false, status: 0, headers: new Headers() } as Response;
  const limits = { fetch: () => Promise.resolve(opaque), timeoutMs: 100, maxBytes: 1 };
  expect(await failureOf(() => fetchJson({ endpoint }, limits))).toStrictEqual({
    ...failure,
    context: { status: 0 },
  });
});

it('leaves nothing in the cache of a browser', async () => {
  const seen: (RequestInit | undefined)[] = [];
  const watched: typeof fetch = (url, request) => {
    seen.push(request);
    return fetch(url, request);
  };
  const { url } = await serve(answerJson({}));
  const given = { gasBaseUrl: url, gasAuth: 'path', apiKey: KEY } as const;
  const api = createGasApi(createGasEndpoint(given), { ...options, fetch: watched });
  await failureOf(() => api.suggestedGasFees(1n));
  expect(seen).toMatchObject([{ cache: 'no-store' }]);
});
