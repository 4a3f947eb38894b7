import { createGasEndpoint, createRpcEndpoint } from '../../../src/client';
import { createRedact, redactError } from '../../../src/client/redact';
import { toWholeText } from '../../support/error-of';

describe('createRedact', () => {
  it.each<[string[], string, string]>([
    [['hunter2'], 'a hunter2, b hunter2.', 'a [redacted], b [redacted].'],
    [['a/b c'], 'at /a%2Fb%20c and a/b c', 'at /[redacted] and [redacted]'],
    // One secret can begin another.
    [['hunt', 'hunter22'], 'hunter22', '[redacted]'],
    [['hunter22', 'hunt'], 'hunter22', '[redacted]'],
    // Too short to be told from other text.
    [['1', 'abc', ''], 'abc 1', 'abc 1'],
    [[], 'hunter2', 'hunter2'],
  ])('takes %j out of %j', (secrets, text, rest) => {
    expect(createRedact(secrets)(text)).toBe(rest);
  });
});

describe('what createRedact knows a secret by', () => {
  const secret = '7238-2110\'A/b+c "d\\é&';
  const redact = createRedact([secret]);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const strict = encodeURIComponent(secret).replaceAll("'", '%27');

  it.each([
    ['as it is', secret],
    ['in capital letters', secret.toUpperCase()],
    ['in small letters', secret.toLowerCase()],
    ['in an address', encodeURIComponent(secret)],
    ['in an address, in small letters', encodeURIComponent(secret).toLowerCase()],
    ['in an address, with all signs encoded', strict],
    ['in a form', new URLSearchParams({ '': secret }).toString().slice(1)],
    ['in JSON', escaped],
    ['in JSON without other letters', escaped.replace('é', '\\u00e9')],
    [
      'in JSON as PHP writes it',
      escaped.replace('é', '\\u00E9').replaceAll('/', '\\/'),
    ],
    ['in JSON in JSON', JSON.stringify(escaped).slice(1, -1)],
    ['in a page', "7238-2110'A/b+c &quot;d\\é&amp;".replace("'", '&#39;')],
    ['cut off', `${secret.slice(0, 9)}…`],
    ['cut off in an address', strict.slice(0, 14)],
  ])('is how it stands %s', (_where, text) => {
    expect(redact(`<${text}>`)).toMatch(/^<\[redacted\]…?>$/u);
  });

  it('is no beginning that any word could have', () => {
    const words = createRedact(['ethereum-mainnet-archive', '12345678']);
    const text = 'ethereum-mainnet is not synced at 1234567';
    expect(words(text)).toBe(text);
  });

  it('is what is left of a longer one as well', () => {
    const both = createRedact(['0123456789abcdef', '01234567-other']);
    expect(both('01234567-other')).toBe('[redacted]');
  });

  it('is found at once, however long the text', () => {
    const long = '-'.repeat(2_048);
    expect(createRedact([`${long}1`])(`${long}2`.repeat(500))).toContain('-2-');
  });
});

describe('what an endpoint takes out of a text', () => {
  it.each([
    ['a key after v3', 'https://a.example/v3/hunter2'],
    ['a long segment', 'https://a.example/hunter2hunter2hunter2/b'],
    ['a segment with signs', 'https://a.example/v3/hunter2%2Fa'],
    ['a part of the host', 'https://hunter2hunter2hunter2.a.example/b'],
    ['a query', 'https://a.example/b?key=hunter2&chain=mainnet'],
    ['a query that is the key', 'https://a.example/b?hunter2'],
    ['a query in other signs', 'https://a.example/b?key=hunter2%2Fa'],
    ['a fragment', 'https://a.example/b#hunter2'],
    ['userinfo', 'https://user:hunter2@a.example/b'],
    ['a name', 'https://hunter2@a.example/b'],
  ])('is %s', (_what, url) => {
    const { redact, label } = createRpcEndpoint(url);
    expect(label).not.toContain('hunter2');
    expect(redact(`No such project: ${decodeURIComponent(url)}`)).not.toContain(
      'hunter2',
    );
    expect(redact(`No such project: ${url}`)).not.toContain('hunter2');
  });
});

it('knows credentials of a header in each form of Base64', () => {
  const endpoint = createGasEndpoint({
    gasBaseUrl: 'https://a.example',
    apiKey: 'key-1',
    apiKeySecret: '~~~~~??',
  });
  const encoded = (endpoint.headers['Authorization'] ?? '').replace('Basic ', '');
  const bare = encoded.replace(/=+$/u, '');
  const inUrl = Buffer.from(encoded, 'base64').toString('base64url');
  expect(new Set([encoded, bare, inUrl]).size).toBe(3);
  for (const form of [encoded, bare, inUrl]) {
    expect(endpoint.redact(`Basic ${form}.`)).toBe('Basic [redacted].');
  }
});

describe('redactError', () => {
  const redact = createRedact(['hunter2']);

  it('keeps message, code and causes, without the secrets', () => {
    const inner = Object.assign(new Error('at hunter2'), { code: 'ECONNREFUSED' });
    const thrown = new TypeError('fetch of hunter2 failed', { cause: inner });
    const copy = redactError(thrown, redact);
    expect(copy?.message).toBe('fetch of [redacted] failed');
    expect(copy?.cause).toMatchObject({
      message: 'at [redacted]',
      code: 'ECONNREFUSED',
    });
    expect(toWholeText(copy)).not.toContain('hunter2');
  });

  it('follows causes no further than a few', () => {
    const thrown: Error & { cause?: unknown } = new Error('hunter2');
    thrown.cause = thrown;
    const causes: unknown[] = [];
    for (
      let each = redactError(thrown, redact);
      each;
      each = each.cause as typeof each
    ) {
      causes.push(each.message);
    }
    expect(causes).toStrictEqual(Array(5).fill('[redacted]'));
  });

  it('leaves out other properties', () => {
    const thrown = Object.assign(new Error('No'), { code: 7, url: 'hunter2' });
    expect(Object.keys(redactError(thrown, redact) ?? {})).toStrictEqual([]);
  });

  it.each([undefined, null, 'hunter2', 7, {}, { message: 7 }, ['hunter2']])(
    'gives nothing for %p',
    (thrown) => {
      expect(redactError(thrown, redact)).toBeUndefined();
    },
  );
});
