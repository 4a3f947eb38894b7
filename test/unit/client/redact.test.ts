import { createRpcEndpoint } from '../../../src/client';
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

describe('what an endpoint takes out of a text', () => {
  it.each([
    ['a key after v3', 'https://a.example/v3/hunter2'],
    ['a long segment', 'https://a.example/hunter2hunter2hunter2/b'],
    ['a segment with signs', 'https://a.example/v3/hunter2%2Fa'],
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
