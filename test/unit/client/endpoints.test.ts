// Options of clients, transports and endpoints: invalid ones are refused at creation, with an error
// that names the option without quoting its value. Credentials reach only their own server, and no
// label or error contains them.
import {
  createBundlerEndpoint,
  createClient,
  createGasApi,
  createGasEndpoint,
  createHttpTransport,
  createPaymasterEndpoint,
  createRpcEndpoint,
  WebSocketTransport,
} from '../../../packages/client/src';
import type {
  ClientOptions,
  Endpoint,
  GasEndpointOptions,
  HttpOptions,
} from '../../../packages/client/src';
import { hideHost, toLabel } from '../../../packages/client/src/endpoint';
import { errorOf, failureOf, toWholeText } from '../../support/error-of';
import { createFakeTime } from '../../support/fake-time';
import { answerJson, answerText, useHttpServers } from '../../support/http-server';
import type { Answer } from '../../support/http-server';
import { answerRequests } from '../../support/json-rpc';

const HTTP = 'a URL that starts with https:// or http:// and has no credentials';
const WS = 'a URL that starts with wss:// or ws:// and has no credentials';
const TEXT = 'a string of 1 to 256 characters';
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
    ['apiKey', ['', 'k'.repeat(257), 12], TEXT],
    ['apiKeySecret', [{}], TEXT],
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
  ])('is not created with an invalid %s: %p', async (path, values, expected) => {
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

  it('needs a WebSocket class if the platform has none', async () => {
    const { WebSocket: own } = globalThis;
    const options = { chainId: 1, wsUrl: 'wss://node.example' };
    try {
      Object.assign(globalThis, { WebSocket: undefined });
      expect((await failureOf(() => create(options))).message).toBe(
        'options.WebSocket is missing: this platform has no WebSocket, so ' +
          'options.wsUrl needs a class, such as the one from the package "ws".',
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

  it('is created with options that are undefined', () => {
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
  ])('is not created with invalid options%s: %p', async (path, values, expected) => {
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

  it('is created with maximum values, unknown options and undefined ones', () => {
    const retry = { maxAttempts: 100, budgetMs: 2 ** 31 - 1 };
    const maxima = {
      fetch,
      timeoutMs: 2 ** 31 - 1,
      batchLimit: 10_000,
      retry,
      chainId: 1n,
    };
    expect(() => make(maxima)).not.toThrow();
    expect(() => make({ fetch, timeoutMs: undefined, retry: undefined })).not.toThrow();
  });
});

it.each([
  ['timeoutMs', [0, NaN, Infinity, 2 ** 31], MS],
  ['maxBytes', [0, NaN, 1.5], COUNT],
])(
  'a WebSocket transport is not created with an invalid %s',
  async (name, values, expected) => {
    const open = () => Promise.reject(new Error('It must not be opened.'));
    const endpoint = createRpcEndpoint('ws://a.b');
    for (const value of values) {
      const options = { open, [name]: value };
      expect(
        await failureOf(() => new WebSocketTransport(endpoint, options)),
      ).toMatchObject({
        name: 'InvalidParamsError',
        message: `options.${name} must be ${expected}.`,
      });
    }
  },
);

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
  const EXPECTED =
    'must be an absolute URL with https or http, or with wss or ws and no credentials.';

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
    'javascript:alert(1)',
    'wss://user:top-secret@a.example',
    'ws://top-secret@a.example/b',
    null,
    7,
    {},
    ['https://top-secret.example'],
    new URL('https://top-secret.example'),
  ])('refuses the URL %p', async (url) => {
    const error = await errorOf(() => make(url as never));
    expect(error.message).toBe(`${path} ${EXPECTED}`);
    expect(toWholeText(error)).toMatch(/^InvalidParamsError/u);
    expect(toWholeText(error)).not.toMatch(/top.?secret/iu);
  });

  it('accepts four protocols, and refuses undefined', async () => {
    const { message } = await errorOf(() => make(undefined as never));
    expect(message).toBe(`${path} is missing: it ${EXPECTED}`);
    for (const protocol of ['https:', 'http:', 'wss:', 'ws:']) {
      expect(() => make(`${protocol}//a.example/b@c?d=@` as never)).not.toThrow();
    }
  });
});

const gasBaseUrl = 'https://a.example/b';

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
  ])('keeps the key %j in one path segment', (key) => {
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

const KEY = '7238211010344719ad14/a8+9db874158c';
const SECRET = 'L9R01C1XAX1KZX4Y0JU7:S40V3D6E';
const BUNDLER_KEY = 'pim_TWJ7SrgkkyaQ1kHs';

const toBasic = (plain: string): object => ({
  Authorization: `Basic ${Buffer.from(plain).toString('base64')}`,
});

it.each([
  [
    'https://a.example:8545/b',
    'a.example:8545 and a.example',
    '[redacted] and [redacted]',
  ],
  // A single-word host name can occur in any message by chance.
  ['http://node/b', 'the node is down', 'the node is down'],
  ['http://node/', '', ''],
  // A key can be short or a word. Within hex data, the same characters are a coincidence.
  [
    'https://a.example/v2/hunter/8453%2Fk',
    'no hunter at /v2/hunter/8453%2Fk (8453/k, %2Fhunter), 0x8453/km',
    'no [redacted] at /v2/[redacted]/[redacted] ([redacted], %2F[redacted]), 0x8453/km',
  ],
  [
    'https://a.example/hunter',
    'no key %22hunter%22, _hunter_',
    'no key %22[redacted]%22, _[redacted]_',
  ],
  // Keys with a digit are also found truncated or in Base64, as servers quote them.
  [
    'https://a.example/abc12345defg',
    'no key abc12345..., YWJjMTIzNDVkZWZn, xabc12345defgx',
    'no key [redacted], [redacted], x[redacted]x',
  ],
])(
  'an endpoint with a hidden host redacts its host and path: %s',
  (rpcUrl, text, shown) => {
    const hidden = hideHost(createRpcEndpoint(rpcUrl), 'the node of eip155:1');
    expect(hidden.label).toBe('the node of eip155:1');
    expect(hidden.redact(text)).toBe(shown);
  },
);

describe('an endpoint', () => {
  const key = encodeURIComponent(KEY);
  const gas = (options: Partial<GasEndpointOptions>): Endpoint =>
    createGasEndpoint({ gasBaseUrl, ...options });

  /** Expects the base URL with a suffix, and Basic credentials in the header. */
  function check(
    { url, headers, label }: Endpoint,
    added: string,
    basic?: string,
  ): void {
    expect([url, headers]).toStrictEqual([
      `${gasBaseUrl}${added}`,
      basic === undefined ? {} : toBasic(basic),
    ]);
    expect(label.replace(/\/*(?:\?\[redacted\])?$/u, '')).toBe(gasBaseUrl);
  }

  it('has its key in a header or its path for a gas API', () => {
    check(gas({ apiKey: KEY, apiKeySecret: SECRET }), '', `${KEY}:${SECRET}`);
    check(gas({ apiKey: KEY, apiKeySecret: SECRET, gasAuth: 'path' }), `/v3/${key}`);
    check(gas({ apiKey: 'Aladdin', gasAuth: 'basic' }), '', 'Aladdin:');
    // The example of RFC 7617, section 2.1.
    check(gas({ apiKey: 'test', apiKeySecret: '123\u00a3' }), '', 'test:123\u00a3');
    check(gas({ apiKeySecret: SECRET }), '');
  });

  it('has its key in its path for another server', () => {
    check(createRpcEndpoint(`${gasBaseUrl}//?c=1`, KEY), `/v3/${key}?c=1`);
    check(createRpcEndpoint(`${gasBaseUrl}/?c=1`), '/?c=1');
    check(createBundlerEndpoint(`${gasBaseUrl}/`, KEY), `/${key}`);
    check(createBundlerEndpoint(gasBaseUrl), '');
    check(createPaymasterEndpoint(`${gasBaseUrl}?c=1`), '?c=1');
  });

  // Neither fetch nor a page's WebSocket accepts a URL with userinfo.
  it('has its userinfo in a header, unless a gas API key takes that header', () => {
    const withInfo = (info: string): string => gasBaseUrl.replace('//', `//${info}@`);
    check(createRpcEndpoint(withInfo('user:pa%3Ass'), 'key'), '/v3/key', 'user:pa:ss');
    check(createBundlerEndpoint(withInfo('user')), '', 'user:');
    check(createBundlerEndpoint(withInfo(':word')), '', ':word');
    check(createBundlerEndpoint(withInfo('a%ff')), '', 'a%ff:');
    check(gas({ gasBaseUrl: withInfo('user:pass') }), '', 'user:pass');
    check(
      gas({ gasBaseUrl: withInfo('user:pass'), apiKey: 'Aladdin' }),
      '',
      'Aladdin:',
    );
  });
});

describe('toLabel', () => {
  const id = '7238211010344719ad14a89db874158c';

  it.each([
    ['https://a.example', 'https://a.example'],
    ['https://a.example/', 'https://a.example'],
    ['http://127.0.0.1:8545', 'http://127.0.0.1:8545'],
    ['wss://a.example/ws/v3', 'wss://a.example/ws/v3'],
    [`https://a.example/v3/${id}`, 'https://a.example/v3/[redacted]'],
    // Every segment after v3 is a key, however short.
    ['https://a.example/v3/hunter2', 'https://a.example/v3/[redacted]'],
    [`https://a.example/${id}/rpc`, 'https://a.example/[redacted]/rpc'],
    [`https://a.example/?key=${id}`, 'https://a.example?[redacted]'],
    [`https://a.example/#${id}`, 'https://a.example'],
    [`https://user:${id}@a.example/rpc`, 'https://a.example/rpc'],
    [`https://${id}.eth.rpc.example`, 'https://[redacted].eth.rpc.example'],
    [`wss://eth.${id}.rpc.example:8443/ws`, 'wss://eth.[redacted].rpc.example:8443/ws'],
    ...[
      'https://arbitrum-mainnet.rpc.example',
      'https://eth-sepolia-2.rpc.example',
      'https://xn--80aaabbb1cccddd2eee.rpc.example',
      'https://a1234567890123456789.example',
      'https://a.example/fifteen-letters',
    ].map((url): [string, string] => [url, url]),
  ])('turns %s into %s', (url, label) => {
    expect(toLabel(url)).toBe(label);
  });
});

describe('redaction', () => {
  const secret = '7238-2110\'A/b+c "d\\é&';
  const { redact } = createBundlerEndpoint('https://a.example', secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const strict = encodeURIComponent(secret).replaceAll("'", '%27');

  it.each([
    ['as it is', secret],
    ['in upper case', secret.toUpperCase()],
    ['in lower case', secret.toLowerCase()],
    ['URL-encoded', encodeURIComponent(secret)],
    ['URL-encoded in lower case', encodeURIComponent(secret).toLowerCase()],
    ['URL-encoded with every reserved character', strict],
    ['in Base64', Buffer.from(secret).toString('base64')],
    ['in base64url', Buffer.from(secret).toString('base64url')],
    [
      'in URL-encoded Base64',
      encodeURIComponent(Buffer.from(secret).toString('base64')),
    ],
    ['form-encoded', new URLSearchParams({ '': secret }).toString().slice(1)],
    ['in JSON', escaped],
    ['in ASCII-only JSON', escaped.replace('é', '\\u00e9')],
    [
      'in JSON as PHP writes it',
      escaped.replace('é', '\\u00E9').replaceAll('/', '\\/'),
    ],
    ['in JSON in JSON', JSON.stringify(escaped).slice(1, -1)],
    ['in HTML', "7238-2110'A/b+c &quot;d\\é&amp;".replace("'", '&#39;')],
    ['cut off', `${secret.slice(0, 9)}…`],
    ['URL-encoded and cut off', strict.slice(0, 14)],
  ])('removes a secret %s', (_where, text) => {
    expect(redact(`<${text}>`)).toMatch(/^<\[redacted\]…?>$/u);
  });

  it.each([
    ['a key after v3', 'https://a.example/v3/hunter2'],
    ['a long path segment', 'https://a.example/hunter2hunter2hunter2/b'],
    ['a path segment with an encoded slash', 'https://a.example/v3/hunter2%2Fa'],
    ['a part of the host', 'https://hunter2hunter2hunter2.a.example/b'],
    ['a query parameter', 'https://a.example/b?key=hunter2&chain=mainnet'],
    ['a query that is the key', 'https://a.example/b?hunter2'],
    ['an encoded query parameter', 'https://a.example/b?key=hunter2%2Fa'],
    ['a fragment', 'https://a.example/b#hunter2'],
    ['the password', 'https://user:hunter2@a.example/b'],
    ['the user name', 'https://hunter2@a.example/b'],
  ])('removes %s from a URL', (_what, url) => {
    const { redact: redactText, label } = createRpcEndpoint(url);
    const texts = [
      label,
      redactText(`No: ${decodeURIComponent(url)}`),
      redactText(`No: ${url}`),
    ];
    expect(texts.join()).not.toContain('hunter2');
  });

  it.each<[string, string[], string, string]>([
    ['absent secrets', ['hunter2'], 'b', 'b'],
    ['secrets inside others', ['hunt', 'hunter22'], 'hunter22', '[redacted]'],
    [
      'secrets that begin alike',
      ['0123456789abcdef', '01234567-other'],
      '01234567-other',
      '[redacted]',
    ],
    // Too short to be distinguished from other text.
    ['short secrets', ['1', 'abc'], 'abc 1', 'abc 1'],
    [
      'words',
      ['ethereum-mainnet-archive', '12345678'],
      'ethereum-mainnet 1234567',
      'ethereum-mainnet 1234567',
    ],
  ])('treats %s correctly: with %j, %j becomes %j', (...row) => {
    const [, secrets, text, rest] = row;
    const query = secrets.map((each) => `k=${each}`).join('&');
    expect(createRpcEndpoint(`https://a.example?${query}`).redact(text)).toBe(rest);
  });

  it('removes credentials in every form of Base64', () => {
    const options = { gasBaseUrl, apiKey: 'key-1', apiKeySecret: '~~~~~??' };
    const { headers, redact: redactText } = createGasEndpoint(options);
    const encoded = (headers['Authorization'] ?? '').replace('Basic ', '');
    const inUrl = Buffer.from(encoded, 'base64').toString('base64url');
    const forms = [encoded, encoded.replace(/=+$/u, ''), inUrl];
    expect(new Set(forms).size).toBe(3);
    for (const form of forms) {
      expect(redactText(`Basic ${form}.`)).toBe('Basic [redacted].');
    }
  });

  it('is fast for long text', () => {
    const long = '-'.repeat(200);
    const { redact: redactText } = createBundlerEndpoint(
      'https://a.example',
      `${long}1`,
    );
    expect(redactText(`${long}2`.repeat(5_000))).toContain('-2-');
  });
});

const SECRETS = [KEY, SECRET, BUNDLER_KEY].flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/u, ''),
]);

const ENCODED = Buffer.from(`${KEY}:${SECRET}`).toString('base64');

const serve = useHttpServers();

const limits = (): Partial<HttpOptions> => ({
  timeoutMs: 60,
  maxBytes: 1_000,
  services: createFakeTime(),
});

type Ask = (base: string, own?: typeof fetch) => Promise<unknown>;

const askGas =
  (toEndpoint: (base: string) => Endpoint): Ask =>
  async (base, own = fetch) =>
    createGasApi(toEndpoint(base), { ...limits(), fetch: own }).suggestedGasFees(1n);

const askRpc =
  (toEndpoint: (base: string) => Endpoint): Ask =>
  async (base, own = fetch) =>
    createHttpTransport(toEndpoint(base), { ...limits(), fetch: own }).request({
      method: 'eth_chainId',
      params: [],
      idempotent: true,
    });

const routes: [string, Ask][] = [
  [
    'the gas API, with a header',
    askGas((base) =>
      createGasEndpoint({ gasBaseUrl: base, apiKey: KEY, apiKeySecret: SECRET }),
    ),
  ],
  [
    'the gas API, with a path',
    askGas((base) =>
      createGasEndpoint({ gasBaseUrl: base, gasAuth: 'path', apiKey: KEY }),
    ),
  ],
  ['the node', askRpc((base) => createRpcEndpoint(base, KEY))],
  [
    'the node, by a URL that contains the key',
    askRpc((base) => createRpcEndpoint(`${base}/v3/${encodeURIComponent(KEY)}`)),
  ],
  [
    'the node, by a URL with userinfo',
    askRpc((base) => createRpcEndpoint(base.replace('//', `//user:${BUNDLER_KEY}@`))),
  ],
  ['the bundler', askRpc((base) => createBundlerEndpoint(base, BUNDLER_KEY))],
  [
    'the bundler, by a URL whose query is the key',
    askRpc((base) => createBundlerEndpoint(`${base}/rpc?${BUNDLER_KEY}`)),
  ],
  [
    'the paymaster, by a URL with a query',
    askRpc((base) => createPaymasterEndpoint(`${base}/rpc?apikey=${BUNDLER_KEY}`)),
  ],
];

// A server may quote the request, and errors contain a part of the server's message.
const quoting: Answer = (response, { path, headers, body }) => {
  const message = `No project ${path} ${headers.authorization ?? ''}`;
  const { id } = (body === '' ? {} : JSON.parse(body)) as { id?: number };
  const error = { code: -32000, message, data: { message } };
  response.end(JSON.stringify({ id, error }));
};

const faults: Answer[] = [
  answerJson({}, 401),
  answerJson({}, 429),
  answerJson({}, 503),
  answerText('x'.repeat(1_001)),
  answerText('{"a'),
  answerJson({}),
  answerRequests(([each]) => ({ id: each?.id, error: { message: 'No.' } })),
  () => undefined,
  (response) => response.destroy(),
  quoting,
];

// On some platforms, the errors of fetch quote the URL.
const quotingFetch = (url: unknown, request?: RequestInit): Promise<never> => {
  const { authorization = '' } = Object.fromEntries(new Headers(request?.headers));
  const message = `Failed to fetch ${String(url)} ${authorization}`;
  const inner = Object.assign(new Error(`at ${String(url)}`), { code: 'ECONN', url });
  return Promise.reject(new TypeError(message, { cause: inner }));
};

describe.each(routes)('an error of %s', (_route, ask) => {
  const secretsIn = (error: Error): string[] => {
    const text = toWholeText(error);
    return [...SECRETS, ENCODED].filter((secret) => text.includes(secret));
  };

  it('contains no credentials, whatever the server does', async () => {
    for (const fault of faults) {
      const { url } = await serve(fault);
      expect(secretsIn(await errorOf(async () => ask(url)))).toStrictEqual([]);
    }
  });

  it('contains no credentials from its cause after all attempts', async () => {
    const error = await errorOf(async () => ask('http://127.0.0.1:9', quotingFetch));
    expect(error.message).toContain('It was tried 3 times.');
    expect(toWholeText(error)).toContain('Failed to fetch http://127.0.0.1:9');
    expect((error.cause as Error).cause).toMatchObject({ code: 'ECONN' });
    expect(Object.keys((error.cause as Error).cause as object)).toStrictEqual(['code']);
    expect(secretsIn(error)).toStrictEqual([]);
  });
});

// A site chooses its paymaster, whose address can have hundreds of secrets.
it.each([
  { message: 'x'.repeat(1_000_000) },
  Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`x${at}`, 'x'])),
])("a server's long error is cut before it is redacted", async (error) => {
  const { url } = await serve(answerRequests(([each]) => ({ id: each?.id, error })));
  const lengths: number[] = [];
  const redact = (text: string): string => {
    lengths.push(text.length);
    return text;
  };
  const endpoint = { ...createPaymasterEndpoint(url), redact };
  const { request } = createHttpTransport(endpoint, { fetch });
  await errorOf(async () => request({ method: 'a', params: [] }));
  expect(lengths.length).toBeLessThanOrEqual(20);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(10_000);
});

it("a server's error keeps its code, message and data after many other fields", async () => {
  const others = Array.from({ length: 100 }, (_, at) => [`x${at}`, 'x'] as const);
  const own = { code: -32000, message: 'execution reverted', data: '0x08c379a0' };
  const error = { ...Object.fromEntries(others), ...own };
  const { url } = await serve(answerRequests(([each]) => ({ id: each?.id, error })));
  const { request } = createHttpTransport(createPaymasterEndpoint(url), { fetch });
  expect(await errorOf(async () => request({ method: 'a', params: [] }))).toMatchObject(
    {
      code: own.code,
      said: own.message,
      revertData: own.data,
    },
  );
});

describe('the cause of an error', () => {
  const causeOf = async (given: unknown): Promise<unknown> => {
    const thrown = given as Error;
    const fails = (): Promise<never> => Promise.reject(thrown);
    return (await errorOf(() => routes[2]?.[1]('http://127.0.0.1:9', fails))).cause;
  };

  it.each([undefined, null, 'text', 7, {}, { message: 7 }, ['text']])(
    'is omitted if %p was thrown',
    async (thrown) => {
      expect(await causeOf(thrown)).toBeUndefined();
    },
  );

  it('has no additional properties, and at most five levels', async () => {
    const thrown: Error = Object.assign(new Error('No'), { code: 7 });
    thrown.cause = thrown;
    let count = 0;
    for (let each = await causeOf(thrown); each; each = (each as Error).cause) {
      expect(Object.keys(each)).toStrictEqual([]);
      count += 1;
    }
    expect(count).toBe(5);
  });
});
