// What clients and transports are made with: what cannot be meant is refused when they are made, by
// its name and without being quoted.
import {
  createBundlerEndpoint,
  createClient,
  createGasApi,
  createGasEndpoint,
  createHttpTransport,
  createPaymasterEndpoint,
  createRpcEndpoint,
} from '../../../packages/client/src';
import type { ClientOptions, HttpOptions } from '../../../packages/client/src';
import { toLabel } from '../../../packages/client/src/endpoint';
import { errorOf, failureOf, toWholeText } from '../../support/error-of';

const HTTP = 'a URL with https:// or http:// and without credentials in it';
const WS = 'a URL with wss:// or ws:// and without credentials in it';
const SECRET = 'a string of 1 to 256 characters';
const COUNT = 'an integer from 1 to 9007199254740991';
const MS = 'an integer from 1 to 2147483647';
const CHAIN = 'a chain id (hex, decimal or CAIP-2 such as "eip155:1")';

const create = (options: unknown): unknown => createClient(options as ClientOptions);

describe('a client', () => {
  it.each<[string, unknown[], string]>([
    ['chainId', [0, -1, 1.5, 'main', null, 2n ** 256n], CHAIN],
    [
      'rpcUrl',
      ['', 'node.example', 'wss://node.example', 'file:///etc/passwd', 1, null],
      HTTP,
    ],
    [
      'rpcUrl',
      ['user:pass@', 'user@', ':pass@'].map((at) => `https://${at}a.example`),
      HTTP,
    ],
    ['gasBaseUrl', ['gas.example'], HTTP],
    ['wsUrl', ['https://node.example', ['wss://node.example']], WS],
    ['gasAuth', ['header'], 'one of "basic", "path"'],
    ['apiKey', ['', 'k'.repeat(257), 12], SECRET],
    ['apiKeySecret', [{}], SECRET],
    ['fetch', ['fetch'], 'a function'],
    ['WebSocket', [{}], 'a function'],
    ['timeoutMs', [0, -1, Infinity, '100', 2 ** 31], MS],
    ['maxBytes', [0, NaN], COUNT],
    ['batchLimit', [0, 1.5], 'an integer from 1 to 10000'],
    ['retry', [3, null], 'an object'],
    ['retry.maxAttempts', [0], 'an integer from 1 to 100'],
    ['retry.budgetMs', [1e12], MS],
    ['services', ['now'], 'an object'],
    ['services.now', [1], 'a function'],
    ['services.sleep', [1], 'a function'],
    ['services.random', [1], 'a function'],
  ])('is not created with a wrong %s: %p', async (path, values, expected) => {
    const [name = '', inner] = path.split('.');
    for (const value of values) {
      const given = inner === undefined ? value : { [inner]: value };
      expect(
        await failureOf(() => create({ chainId: 1, [name]: given })),
      ).toMatchObject({
        name: 'InvalidParamsError',
        message: `options.${path} must be ${expected}.`,
      });
    }
  });

  it.each<[unknown, string]>([
    [undefined, 'options is missing: it must be an object.'],
    [null, 'options must be an object.'],
    ['https://node.example', 'options must be an object.'],
    [{}, `options.chainId is missing: it must be ${CHAIN}.`],
    [{ chainId: 1, retry: { delay: 1 } }, 'options.retry.delay is not expected here.'],
    [
      { chainId: 1, rpcURL: 'https://a.example' },
      'options.rpcURL is not expected here.',
    ],
  ])('is not created with %j', async (options, message) => {
    expect((await failureOf(() => create(options))).message).toBe(message);
  });

  it('needs a class for a socket where the platform has none', async () => {
    const { WebSocket: own } = globalThis;
    const options = { chainId: 1, wsUrl: 'wss://node.example' };
    try {
      Object.assign(globalThis, { WebSocket: undefined });
      expect((await failureOf(() => create(options))).message).toBe(
        'options.WebSocket is missing: this platform has no WebSocket, so that ' +
          'options.wsUrl needs a class such as that of the package "ws".',
      );
      expect(create({ chainId: 1, rpcUrl: 'https://a.example' })).toBeDefined();
      Object.assign(globalThis, { WebSocket: EventTarget });
      expect(create(options)).toBeDefined();
    } finally {
      Object.assign(globalThis, { WebSocket: own });
    }
  });

  it.each([1, 1n, '1', '0x1', 'eip155:1'])('is created for the chain %p', (chainId) => {
    expect(create({ chainId })).toHaveProperty('chainId', 1n);
  });

  it('is created with everything left out by undefined', () => {
    const names = ['rpcUrl', 'wsUrl', 'fetch', 'timeoutMs', 'retry', 'services'];
    const options = Object.fromEntries(names.map((name) => [name, undefined]));
    expect(create({ chainId: 1, ...options })).toBeDefined();
  });
});

describe.each<[string, (options: HttpOptions) => unknown]>([
  [
    'a transport',
    (options) => createHttpTransport(createRpcEndpoint('http://a.b'), options),
  ],
  [
    'a gas API',
    (options) => createGasApi(createGasEndpoint({ gasBaseUrl: 'http://a.b' }), options),
  ],
])('%s', (_name, make) => {
  const bad = [0, -1, 1.5, NaN, Infinity, '1'];

  it.each<[string, unknown[], string]>([
    ['', [null, 7], 'an object'],
    ['.fetch', ['fetch'], 'a function'],
    ['.timeoutMs', [...bad, 2 ** 31, null], MS],
    ['.maxBytes', bad, COUNT],
    ['.batchLimit', [...bad, 10_001], 'an integer from 1 to 10000'],
    ['.retry', [null, 3], 'an object'],
    ['.retry.maxAttempts', [...bad, 101], 'an integer from 1 to 100'],
    ['.retry.budgetMs', [...bad, 2 ** 31], MS],
  ])('is not made with wrong options%s: %p', async (path, values, expected) => {
    const [, ...names] = path.split('.');
    for (const value of values) {
      const given = names.reduceRight(
        (each, name) => ({ [name]: each }),
        value as object,
      );
      const options = path === '' ? given : { fetch, ...given };
      expect(await failureOf(() => make(options as HttpOptions))).toMatchObject({
        name: 'InvalidParamsError',
        code: -32602,
        message: `options${path} must be ${expected}.`,
      });
    }
  });

  it('is made with the bounds, with others beside its own, and with undefined', () => {
    const retry = { maxAttempts: 100, budgetMs: 2 ** 31 - 1 };
    const most = {
      fetch,
      timeoutMs: 2 ** 31 - 1,
      batchLimit: 10_000,
      retry,
      chainId: 1n,
    };
    expect(() => make(most)).not.toThrow();
    expect(() => make({ fetch, timeoutMs: undefined, retry: undefined })).not.toThrow();
  });
});

describe.each<[string, string, (url: never) => unknown]>([
  ['toLabel', 'url', toLabel],
  ['createRpcEndpoint', 'rpcUrl', (url) => createRpcEndpoint(url)],
  ['createBundlerEndpoint', 'bundlerUrl', (url) => createBundlerEndpoint(url)],
  ['createPaymasterEndpoint', 'paymasterUrl', createPaymasterEndpoint],
  [
    'createGasEndpoint',
    'options.gasBaseUrl',
    (gasBaseUrl) => createGasEndpoint({ gasBaseUrl }),
  ],
])('%s', (_name, path, make) => {
  const WORDS = 'must be an absolute URL with https, http, wss or ws.';

  it.each<unknown>([
    '',
    ' ',
    'top-secret',
    '/v3/top-secret',
    '//top-secret.example',
    'https://',
    'top-secret.example:443',
    'https://top secret',
    'http://top-secret:99999',
    'ftp://top-secret',
    'file:///top-secret',
    'javascript:tellNobody()',
    null,
    7,
    {},
    ['https://top-secret.example'],
    new URL('https://top-secret.example'),
  ])('refuses the address %p', async (url) => {
    const error = await errorOf(() => make(url as never));
    expect(error.message).toBe(`${path} ${WORDS}`);
    expect(toWholeText(error)).toMatch(/^InvalidParamsError/u);
    expect(toWholeText(error)).not.toMatch(/top.?secret/iu);
  });

  it('takes four protocols, and refuses none at all', async () => {
    const { message } = await errorOf(() => make(undefined as never));
    expect(message).toBe(`${path} is missing: it ${WORDS}`);
    for (const protocol of ['https:', 'http:', 'wss:', 'ws:']) {
      expect(() => make(`${protocol}//a.example/b` as never)).not.toThrow();
    }
  });
});

const gasBaseUrl = 'https://a.example/x';

describe.each<[string, string, (key: never) => { url: string }]>([
  ['createRpcEndpoint', '', (key) => createRpcEndpoint(gasBaseUrl, key)],
  ['createBundlerEndpoint', '', (key) => createBundlerEndpoint(gasBaseUrl, key)],
  [
    'createGasEndpoint',
    'options.',
    (apiKey) => createGasEndpoint({ gasBaseUrl, gasAuth: 'path', apiKey }),
  ],
])('%s', (_name, root, make) => {
  it.each<unknown>([
    '',
    '.',
    '..',
    'x'.repeat(257),
    'top-secret\n',
    'top-secret\ud800',
    null,
    7,
    {},
  ])('refuses the key %p', async (key) => {
    const error = await errorOf(() => make(key as never));
    expect(error.message).toBe(`${root}apiKey must be a key of 1 to 256 characters.`);
    expect(toWholeText(error)).not.toContain('top-secret');
  });

  it.each([
    'a/b',
    '../../admin',
    'a?b=c',
    'a#b',
    'a b',
    '%2e',
    'ключ',
    'x'.repeat(256),
  ])('keeps the key %j one segment', (key) => {
    const { pathname, search, hash, host } = new URL(make(key as never).url);
    expect(decodeURIComponent(pathname.split('/').at(-1) ?? '')).toBe(key);
    expect([host, search, hash]).toStrictEqual(['a.example', '', '']);
  });
});

it.each<[unknown, string]>([
  [undefined, 'options is missing: it must be an object.'],
  ['https://a.example', 'options must be an object.'],
  [
    { gasBaseUrl, gasAuth: 'header' },
    'options.gasAuth must be one of "basic", "path".',
  ],
  ...[7, '\ud800', 'x'.repeat(257)].map((apiKeySecret): [unknown, string] => [
    { gasBaseUrl, apiKey: 'a', apiKeySecret },
    'options.apiKeySecret must be a string of at most 256 characters.',
  ]),
])('createGasEndpoint refuses %p', async (options, message) => {
  expect((await errorOf(() => createGasEndpoint(options as never))).message).toBe(
    message,
  );
});
