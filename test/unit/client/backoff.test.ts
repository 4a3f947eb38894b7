import { findBackoff, findRetryAfter } from '../../../src/client/backoff';

const NOW = Date.UTC(2015, 9, 21, 7, 28, 0);

describe('Retry-After', () => {
  it.each<[string, number]>([
    ['0', 0],
    ['120', 120],
    // Not a year.
    ['2015', 2_015],
    ['007', 7],
    ['999999999', 999_999_999],
    ['Wed, 21 Oct 2015 07:28:30 GMT', 30],
    ['Wed, 21 Oct 2015 08:28:00 GMT', 3_600],
    // The two older forms of RFC 9110.
    ['Wednesday, 21-Oct-15 07:28:30 GMT', 30],
    ['Wed Oct 21 07:28:30 2015', 30],
    // What is over is over.
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ])('%j is %i s', (header, seconds) => {
    expect(findRetryAfter(header, NOW)).toBe(seconds);
  });

  it('counts the part of a second as a whole one', () => {
    expect(findRetryAfter('Wed, 21 Oct 2015 07:28:30 GMT', NOW - 1)).toBe(31);
  });

  it('goes by the clock of the machine', () => {
    const date = new Date(Date.now() + 100_000).toUTCString();
    expect(findRetryAfter(date)).toBeGreaterThanOrEqual(98);
  });

  it.each([
    null,
    '',
    ' ',
    '-5',
    '1.5',
    '1e3',
    '0x10',
    'soon',
    'soon 5',
    '2099-10-21T07:28:00Z',
    '1000000000',
    'Infinity',
    'Wed, 99 Oct 2015 99:99:99 GMT',
    'Wed, 21 Foo 2015 07:28:30 GMT',
    '١٢',
  ])('%j says nothing', (header) => {
    expect(findRetryAfter(header, NOW)).toBeUndefined();
  });
});

describe('the data of a limit', () => {
  it.each([0, 1, 30, 0.5])('says %p s', (seconds) => {
    const data = { rate: { backoff_seconds: seconds, allowed_rps: 1 }, see: 'docs' };
    expect(findBackoff(data)).toBe(seconds);
  });

  it.each<[string, unknown]>([
    ['is missing', undefined],
    ['is null', null],
    ['is a text', '30'],
    ['is an array', [30]],
    ['has no rate', {}],
    ['has null for a rate', { rate: null }],
    ['has an empty rate', { rate: {} }],
    ['has a text', { rate: { backoff_seconds: '30' } }],
    ['has a negative number', { rate: { backoff_seconds: -1 } }],
    ['has more than a number can hold', { rate: { backoff_seconds: Infinity } }],
    ['has null', { rate: { backoff_seconds: null } }],
  ])('that %s says nothing', (_what, data) => {
    expect(findBackoff(data)).toBeUndefined();
  });
});
