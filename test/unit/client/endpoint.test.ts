import {
  createBundlerEndpoint,
  createGasEndpoint,
  createRpcEndpoint,
  toLabel,
} from '../../../src/client';

const KEY = '7238211010344719ad14a89db874158c';
const SECRET = 'L9R01C1XAX1KZX4Y0JU7KS40V3D6E';

describe('a gas endpoint', () => {
  it('brings key and secret in a Basic header', () => {
    const gasBaseUrl = 'https://gas.example';
    const { url, headers, label } = createGasEndpoint({
      gasBaseUrl,
      apiKey: KEY,
      apiKeySecret: SECRET,
    });
    expect(url).toBe('https://gas.example');
    expect(label).toBe('https://gas.example');
    const encoded = Buffer.from(`${KEY}:${SECRET}`).toString('base64');
    expect(headers).toStrictEqual({ Authorization: `Basic ${encoded}` });
  });

  it('brings a key without a secret, and UTF-8', () => {
    const gasBaseUrl = 'https://gas.example';
    const only = createGasEndpoint({ gasBaseUrl, gasAuth: 'basic', apiKey: 'Aladdin' });
    expect(only.headers).toStrictEqual({ Authorization: 'Basic QWxhZGRpbjo=' });
    // The example of RFC 7617, section 2.1.
    const pound = { gasBaseUrl, apiKey: 'test', apiKeySecret: '123\u00a3' };
    expect(createGasEndpoint(pound).headers).toStrictEqual({
      Authorization: 'Basic dGVzdDoxMjPCow==',
    });
  });

  it('brings the key in the path, and no secret', () => {
    const gasBaseUrl = 'https://gas.example/api';
    const gasAuth = 'path' as const;
    expect(
      createGasEndpoint({ gasBaseUrl, gasAuth, apiKey: KEY, apiKeySecret: SECRET }),
    ).toStrictEqual({
      url: `https://gas.example/api/v3/${KEY}`,
      headers: {},
      redact: expect.any(Function) as unknown,
      label: 'https://gas.example/api',
    });
  });

  it('brings nothing without a key', () => {
    const gasBaseUrl = 'https://gas.example';
    expect(createGasEndpoint({ gasBaseUrl, apiKeySecret: SECRET })).toStrictEqual({
      url: gasBaseUrl,
      headers: {},
      redact: expect.any(Function) as unknown,
      label: gasBaseUrl,
    });
  });
});

describe('an RPC endpoint', () => {
  it.each([
    ['https://node.example', 'https://node.example/v3/'],
    ['https://node.example/', 'https://node.example/v3/'],
    ['https://node.example/base//', 'https://node.example/base/v3/'],
    ['https://node.example/base?chain=1', 'https://node.example/base/v3/', '?chain=1'],
  ])('at %s takes the key after v3', (rpcUrl, start, end = '') => {
    expect(createRpcEndpoint(rpcUrl, KEY).url).toBe(`${start}${KEY}${end}`);
  });

  it('without a key is the address as it is given', () => {
    const rpcUrl = `https://node.example/v3/${KEY}/?x=1`;
    const { url, label } = createRpcEndpoint(rpcUrl);
    expect(url).toBe(rpcUrl);
    expect(label).not.toContain(KEY);
  });
});

describe('a bundler endpoint', () => {
  it('takes the key as the last segment', () => {
    const bundlerUrl = 'https://bundler.example/rpc/';
    expect(createBundlerEndpoint(bundlerUrl, KEY)).toStrictEqual({
      url: `https://bundler.example/rpc/${KEY}`,
      headers: {},
      redact: expect.any(Function) as unknown,
      label: 'https://bundler.example/rpc/',
    });
    expect(createBundlerEndpoint(bundlerUrl).url).toBe(bundlerUrl);
  });
});

describe.each<[string, (key: string) => string]>([
  ['an RPC endpoint', (key) => createRpcEndpoint('https://a.example/x', key).url],
  [
    'a bundler endpoint',
    (key) => createBundlerEndpoint('https://a.example/x', key).url,
  ],
  [
    'a gas endpoint',
    (apiKey) =>
      createGasEndpoint({ gasBaseUrl: 'https://a.example/x', gasAuth: 'path', apiKey })
        .url,
  ],
])('the key of %s', (_name, toUrl) => {
  it.each(['a/b', '../../admin', 'a?b=c', 'a#b', 'a b', '%2e', 'ключ'])(
    'stays one segment: %j',
    (key) => {
      const { pathname, search, hash, host } = new URL(toUrl(key));
      const last = pathname.split('/').at(-1) ?? '';
      expect(decodeURIComponent(last)).toBe(key);
      expect([host, search, hash]).toStrictEqual(['a.example', '', '']);
    },
  );
});

describe('toLabel', () => {
  it.each([
    ['https://node.example', 'https://node.example'],
    ['https://node.example/', 'https://node.example'],
    ['http://127.0.0.1:8545', 'http://127.0.0.1:8545'],
    ['wss://node.example/ws/v3', 'wss://node.example/ws/v3'],
    [`https://node.example/v3/${KEY}`, 'https://node.example/v3/[redacted]'],
    [`https://node.example/${KEY}/rpc`, 'https://node.example/[redacted]/rpc'],
    [`https://node.example/?key=${KEY}`, 'https://node.example?[redacted]'],
    [`https://node.example/#${KEY}`, 'https://node.example'],
    [`https://user:${SECRET}@node.example/rpc`, 'https://node.example/rpc'],
    [`https://${KEY}@node.example`, 'https://node.example'],
    [`https://${KEY}.eth.rpc.example`, 'https://[redacted].eth.rpc.example'],
    [
      `wss://eth.${KEY}.rpc.example:8443/ws`,
      'wss://eth.[redacted].rpc.example:8443/ws',
    ],
    ['https://arbitrum-mainnet.rpc.example', 'https://arbitrum-mainnet.rpc.example'],
    ['https://eth-sepolia-2.rpc.example', 'https://eth-sepolia-2.rpc.example'],
    [
      'https://xn--80aaabbb1cccddd2eee.rpc.example',
      'https://xn--80aaabbb1cccddd2eee.rpc.example',
    ],
    ['https://a1234567890123456789.example', 'https://a1234567890123456789.example'],
    ['https://xn--e1afmkfd.example', 'https://xn--e1afmkfd.example'],
  ])('shows of %s no more than %s', (url, label) => {
    expect(toLabel(url)).toBe(label);
  });

  it('never shows what follows v3, which is a key however short', () => {
    expect(toLabel('https://node.example/v3/hunter2')).not.toContain('hunter2');
  });
});
