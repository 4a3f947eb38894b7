// Addresses and credentials that cannot be used are refused without being quoted.
import {
  createBundlerEndpoint,
  createGasEndpoint,
  createRpcEndpoint,
  toLabel,
} from '../../../src/client';
import { errorOf, toWholeText } from '../../support/error-of';

const BASE = 'https://a.example';
const URL_WORDS = 'must be an absolute URL with https, http, wss or ws.';
const KEY_WORDS = 'apiKey must be a key of 1 to 256 characters.';

const badUrls: unknown[] = [
  '',
  ' ',
  'tell-nobody',
  '/v3/tell-nobody',
  '//tell-nobody.example',
  'tell-nobody.example/v3',
  'tell-nobody.example:443',
  'https://',
  'https://tell nobody',
  'http://tell-nobody:99999',
  'ftp://tell-nobody',
  'file:///tell-nobody',
  'javascript:tellNobody()',
  'data:,tell-nobody',
  null,
  7,
  {},
  ['https://tell-nobody.example'],
  new URL('https://tell-nobody.example'),
];

const badKeys: unknown[] = [
  '',
  '.',
  '..',
  'x'.repeat(257),
  'tell-nobody\n',
  'tell-nobody\ud800',
  null,
  7,
  {},
];

const quoted = (run: () => unknown): Promise<{ message: string; text: string }> =>
  errorOf(run).then((error) => ({ message: error.message, text: toWholeText(error) }));

describe.each<[string, string, (url: never) => unknown]>([
  ['toLabel', 'url', toLabel],
  ['createRpcEndpoint', 'rpcUrl', (url) => createRpcEndpoint(url)],
  ['createBundlerEndpoint', 'bundlerUrl', (url) => createBundlerEndpoint(url)],
  [
    'createGasEndpoint',
    'options.gasBaseUrl',
    (gasBaseUrl) => createGasEndpoint({ gasBaseUrl }),
  ],
])('%s', (_name, path, create) => {
  it.each(badUrls)('refuses the address %p', async (url) => {
    const { message, text } = await quoted(() => create(url as never));
    expect(message).toBe(`${path} ${URL_WORDS}`);
    expect(text).toMatch(/^InvalidParamsError/u);
    expect(text).not.toMatch(/tell.?nobody/iu);
  });

  it('refuses none at all', async () => {
    const { message } = await quoted(() => create(undefined as never));
    expect(message).toBe(`${path} is missing: it ${URL_WORDS}`);
  });

  it.each(['https:', 'http:', 'wss:', 'ws:'])('takes %s', (protocol) => {
    expect(() => create(`${protocol}//a.example/b` as never)).not.toThrow();
  });
});

describe.each<[string, string, (key: never) => unknown]>([
  ['createRpcEndpoint', '', (key) => createRpcEndpoint(BASE, key)],
  ['createBundlerEndpoint', '', (key) => createBundlerEndpoint(BASE, key)],
  [
    'createGasEndpoint',
    'options.',
    (apiKey) => createGasEndpoint({ gasBaseUrl: BASE, apiKey }),
  ],
])('%s', (_name, root, create) => {
  it.each(badKeys)('refuses the key %p', async (key) => {
    const { message, text } = await quoted(() => create(key as never));
    expect(message).toBe(`${root}${KEY_WORDS}`);
    expect(text).not.toContain('tell-nobody');
  });
});

describe('createGasEndpoint', () => {
  const gasBaseUrl = BASE;

  it.each<[unknown, string]>([
    [undefined, 'options is missing: it must be an object.'],
    [null, 'options must be an object.'],
    [BASE, 'options must be an object.'],
    [
      { gasBaseUrl, gasAuth: 'header' },
      'options.gasAuth must be one of "basic", "path".',
    ],
    [
      { gasBaseUrl, apiKey: 'a', apiKeySecret: 7 },
      'options.apiKeySecret must be a string of at most 256 characters.',
    ],
    [
      { gasBaseUrl, apiKey: 'a', apiKeySecret: '\ud800' },
      'options.apiKeySecret must be a string of at most 256 characters.',
    ],
    [
      { gasBaseUrl, apiKey: 'a', apiKeySecret: 'x'.repeat(257) },
      'options.apiKeySecret must be a string of at most 256 characters.',
    ],
  ])('refuses %p', async (options, message) => {
    expect((await quoted(() => createGasEndpoint(options as never))).message).toBe(
      message,
    );
  });
});

describe('userinfo in an address', () => {
  const encoded = Buffer.from('user:pa:ss').toString('base64');
  const header = { Authorization: `Basic ${encoded}` };

  it('goes in a header, since fetch takes no such address', () => {
    const { url, headers, label } = createRpcEndpoint(
      'https://user:pa%3Ass@a.example/b',
      'key',
    );
    expect({ url, headers, label }).toStrictEqual({
      url: 'https://a.example/b/v3/key',
      headers: header,
      label: 'https://a.example/b',
    });
  });

  it.each([
    ['a name only', 'user@', 'user:'],
    ['a password only', ':word@', ':word'],
    ['a sign that stands for nothing', 'a%ff@', 'a%ff:'],
  ])('may be %s', (_what, userinfo, plain) => {
    const { url, headers } = createBundlerEndpoint(`https://${userinfo}a.example/b`);
    expect(url).toBe('https://a.example/b');
    expect(headers).toStrictEqual({
      Authorization: `Basic ${Buffer.from(plain).toString('base64')}`,
    });
  });

  it('gives way to credentials of their own', () => {
    const gasBaseUrl = 'https://user:pa%3Ass@a.example';
    const { headers } = createGasEndpoint({ gasBaseUrl, apiKey: 'Aladdin' });
    expect(headers).toStrictEqual({ Authorization: 'Basic QWxhZGRpbjo=' });
    expect(createGasEndpoint({ gasBaseUrl }).headers).toStrictEqual(header);
  });
});
