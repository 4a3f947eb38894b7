import { errorOf, toWholeText } from '../../support/error-of';
import { answering, breaking } from '../../support/fake-fetch';
import type { Server } from '../../support/fake-fetch';
import { createProbeBench as setup, servers } from '../../support/probe-bench';
import { refusalOf } from '../../support/refusal';

const KEY = 'k3y-of-the-user-0123456789abcdef';
const ROOT = 'tollkeeper_setChain: params';

describe('a server that gives no answer that tells', () => {
  const urls = ['rpcUrl', 'gasBaseUrl', 'bundlerUrl', 'paymasterUrl'] as const;

  const failures: [Server, string][] = [
    [breaking, 'could not be reached. Check the address and the connection.'],
    [
      () => new Response('<html>'),
      'gave an invalid answer: the body is not JSON. Check that it is the right server.',
    ],
    [
      answering(null, 401),
      'answered with HTTP status 401. Check the API key and its secret.',
    ],
    [answering(null, 503), 'answered with HTTP status 503. Try again later.'],
    [
      () => new Response('', { status: 429, headers: { 'Retry-After': '7' } }),
      'is rate limited. Try again in 7 s.',
    ],
  ];

  it.each(
    failures.flatMap(([server, says]) => urls.map((url) => ({ url, says, server }))),
  )(
    'is refused, and not asked again: $url, which $says',
    async ({ url, says, server }) => {
      const { probe, network } = setup();
      network.serve(servers[url], server);
      const { code, message } = await refusalOf(probe({ [url]: servers[url] }));
      expect(code).toBe(-32002);
      expect(message).toMatch(
        new RegExp(`^${ROOT}\\.${url}: \\w+ at ${servers[url]} `, 'u'),
      );
      expect(message.endsWith(` ${says} Nothing was saved.`)).toBe(true);
      // Where it may have been the array, a call that is sent alone decides.
      const isArray = ({ body }: { body?: string | undefined }): boolean =>
        body?.startsWith('[') ?? false;
      expect(network.sent.filter(isArray).length).toBeLessThanOrEqual(1);
      expect(network.sent.filter((each) => !isArray(each)).length).toBeLessThanOrEqual(
        1,
      );
    },
  );

  const row = {
    ...servers,
    apiKey: KEY,
    apiKeySecret: `${KEY}-secret`,
    bundlerApiKey: `${KEY}-bundler`,
  };

  it.each([
    ['rpcUrl', {}],
    ['gasBaseUrl', {}],
    ['gasBaseUrl', { gasAuth: 'path' as const }],
    ['bundlerUrl', {}],
    ['paymasterUrl', { paymasterUrl: `https://paymaster.example/?key=${KEY}` }],
  ] as const)('is told of without a credential: %s, %j', async (name, fields) => {
    const { probe, network } = setup();
    network.serve(servers[name], ({ url, headers }) => {
      throw new TypeError(`no way to ${url} with ${JSON.stringify(headers)}`);
    });
    const error = await errorOf(() => probe({ ...row, ...fields }));
    expect(error.message).toContain(`${ROOT}.${name}: `);
    expect(toWholeText(error)).not.toContain(KEY);
    expect(toWholeText(error)).not.toContain(btoa(KEY).slice(0, 20));
  });

  it('is not asked with a key of which no address can be made', async () => {
    const { probe, network } = setup();
    const keyed = { rpcUrl: servers.rpcUrl, apiKey: '..' };
    expect(await refusalOf(probe(keyed))).toStrictEqual({
      code: -32602,
      message: `${ROOT}.rpcUrl: apiKey must be a key of 1 to 256 characters. Nothing was saved.`,
    });
    expect(network.sent).toStrictEqual([]);
  });
});
