// Whatever goes wrong, and whatever form the credentials have, no error tells them.
import {
  createBundlerEndpoint,
  createGasApi,
  createGasEndpoint,
  createHttpTransport,
  createRpcEndpoint,
} from '../../../src/client';
import type { Endpoint, HttpOptions } from '../../../src/client';
import { errorOf, toWholeText } from '../../support/error-of';
import { createFakeTime } from '../../support/fake-time';
import {
  answerJson,
  answerText,
  findDeadUrl,
  useHttpServers,
} from '../../support/http-server';
import type { Answer } from '../../support/http-server';
import { answerRequests } from '../../support/json-rpc';

const KEY = '7238211010344719ad14/a8+9db874158c';
const SECRET = 'L9R01C1XAX1KZX4Y0JU7:S40V3D6E';
const BUNDLER_KEY = 'pim_TWJ7SrgkkyaQ1kHs';

const SECRETS = [KEY, SECRET, BUNDLER_KEY].flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/u, ''),
]);

const ENCODED = Buffer.from(`${KEY}:${SECRET}`).toString('base64');

const serve = useHttpServers();

const options = { fetch };

afterEach(() => {
  options.fetch = fetch;
});

/** Every way to reach a server with credentials. */
const ways: Record<string, (base: string) => () => Promise<unknown>> = {
  'the gas API, with a header': (gasBaseUrl) =>
    askGas(createGasEndpoint({ gasBaseUrl, apiKey: KEY, apiKeySecret: SECRET })),
  'the gas API, with a path': (gasBaseUrl) =>
    askGas(createGasEndpoint({ gasBaseUrl, gasAuth: 'path', apiKey: KEY })),
  'the node': (base) => askRpc(createRpcEndpoint(base, KEY)),
  'the node, by an address with the key in it': (base) =>
    askRpc(createRpcEndpoint(`${base}/v3/${encodeURIComponent(KEY)}`)),
  'the bundler': (base) => askRpc(createBundlerEndpoint(base, BUNDLER_KEY)),
  'the bundler, by an address with a query': (base) =>
    askRpc(createBundlerEndpoint(`${base}/rpc?apikey=${BUNDLER_KEY}`)),
  'the bundler, by an address with a query that is the key': (base) =>
    askRpc(createBundlerEndpoint(`${base}/rpc?${BUNDLER_KEY}`)),
  'the node, by an address with userinfo': (base) =>
    askRpc(createRpcEndpoint(base.replace('//', `//user:${BUNDLER_KEY}@`))),
};

function askGas(endpoint: Endpoint): () => Promise<unknown> {
  const api = createGasApi(endpoint, toOptions());
  return () => api.suggestedGasFees(1n);
}

function askRpc(endpoint: Endpoint): () => Promise<unknown> {
  const transport = createHttpTransport(endpoint, toOptions());
  const call = { method: 'eth_chainId', params: [], idempotent: true };
  return () => transport.request(call);
}

function toOptions(): HttpOptions {
  return { ...options, timeoutMs: 60, maxBytes: 1_000, services: createFakeTime() };
}

/** Every way to fail that says nothing of what was sent. */
const faults: Record<string, Answer> = {
  'a status': answerJson({}, 401),
  'a rate limit': answerJson({}, 429),
  'a server that is down': answerJson({}, 503),
  'a large body': answerText('x'.repeat(1_001)),
  'half a document': answerText('{"a'),
  'another document': answerJson({}),
  'an error': answerRequests(([each]) => ({ id: each?.id, error: { message: 'No.' } })),
  silence: () => undefined,
  'a lost connection': (response) => response.destroy(),
};

// A server may quote what it was sent; what it says is passed on in part.
const quoting: Answer = (response, { path, headers, body }) => {
  const message = `No project ${path} ${headers.authorization ?? ''}`;
  const { id } = (body === '' ? {} : JSON.parse(body)) as { id?: number };
  answerJson({ id, error: { code: -32000, message, data: { message } } })(response, {
    method: '',
    path,
    headers,
    body,
  });
};

async function secretsIn(ask: () => unknown): Promise<string[]> {
  const text = toWholeText(await errorOf(ask));
  return [...SECRETS, ENCODED].filter((secret) => text.includes(secret));
}

describe.each(Object.keys(ways))('an error of %s', (way) => {
  const toAsk = (base: string): unknown => ways[way]?.(base)();

  it.each(Object.keys(faults))('that met %s tells no credentials', async (fault) => {
    const { url } = await serve(faults[fault] ?? answerJson({}));
    expect(await secretsIn(() => toAsk(url))).toStrictEqual([]);
  });

  it('that met nobody tells no credentials', async () => {
    const url = await findDeadUrl();
    expect(await secretsIn(() => toAsk(url))).toStrictEqual([]);
  });

  it('that met a server that quotes them tells no credentials', async () => {
    const { url } = await serve(quoting);
    expect(await secretsIn(() => toAsk(url))).toStrictEqual([]);
  });
});

// What fetches of other platforms say: Node's and pages' quote the address at times.
const quotingFetch = (url: unknown, request?: RequestInit): Promise<never> => {
  const { authorization = '' } = Object.fromEntries(new Headers(request?.headers));
  const cause = new Error(`connect to ${String(url)}`);
  const message = `Failed to fetch ${String(url)} ${authorization}`;
  return Promise.reject(new TypeError(message, { cause }));
};

describe.each(Object.keys(ways))('the cause of an error of %s', (way) => {
  it('tells no credentials, after all attempts', async () => {
    options.fetch = quotingFetch;
    const error = await errorOf(() => ways[way]?.('http://127.0.0.1:9')());
    expect(error.message).toContain('It was tried 3 times.');
    expect(toWholeText(error)).toContain('Failed to fetch http://127.0.0.1:9');
    const text = toWholeText(error);
    expect([...SECRETS, ENCODED].filter((each) => text.includes(each))).toStrictEqual(
      [],
    );
  });
});
