// The errors whose message or code depends on what the server says.
import { HttpStatusError, RateLimitError, RpcError } from '../../../src/client';
import { tellAt } from '../../../src/client/errors';
import type { Place } from '../../../src/client/place';
import type { TollkeeperError } from '../../../src/errors';

const once: Place = { label: 'eth_chainId at https://node.example' };
const thrice: Place = { ...once, attempts: 3 };
const unsure: Place = { ...once, mayBeDone: true };

const places = [once, thrice, unsure];

const ONCE = 'eth_chainId at https://node.example';
const UNSURE =
  'Whether it was carried out is not known: look before you send it again.';

/** What a message and its facts tell of the attempts. */
function tell({ attempts }: Place): { tried: string; facts: object } {
  return attempts === undefined
    ? { tried: '', facts: {} }
    : { tried: ` It was tried ${attempts} times.`, facts: { attempts } };
}

function shownOf({ message, code, context }: TollkeeperError): object {
  return { message, code, context };
}

describe('an HttpStatusError', () => {
  it.each([
    [400, ''],
    [401, ' Check the API key and its secret.'],
    [402, ' The quota of the API key is used up.'],
    [403, ' The API key is not allowed to do this, or not from this origin.'],
    [404, ' Check the address and the chain id.'],
    [413, ' Send less at once.'],
    [418, ''],
  ])('of %i knows that nothing was carried out', (status, advice) => {
    expect(shownOf(new HttpStatusError(unsure, status))).toStrictEqual({
      message: `${ONCE} answered with HTTP status ${status}.${advice}`,
      code: -32002,
      context: { status },
    });
  });

  it.each([500, 502, 503, 504, 599])('of %i does not know it', (status) => {
    expect(new HttpStatusError(unsure, status).message).toBe(
      `${ONCE} answered with HTTP status ${status}. ${UNSURE}`,
    );
  });

  it('keeps when the server wants to be asked again', () => {
    const error = new HttpStatusError(once, 503, 7);
    expect([error.status, error.retryAfterSeconds]).toStrictEqual([503, 7]);
    expect(error.at(thrice).retryAfterSeconds).toBe(7);
  });
});

describe('a RateLimitError', () => {
  // A call that was refused was not carried out.
  it.each(places)('says when to come back: %j', (place) => {
    const { tried, facts } = tell(place);
    const error = new RateLimitError(place, 7);
    expect(shownOf(error)).toStrictEqual({
      message: `${ONCE} is rate limited.${tried} Try again in 7 s.`,
      code: -32005,
      context: { rate: { backoff_seconds: 7 }, ...facts },
    });
    expect(error.name).toBe('RateLimitError');
    expect(tellAt(new RateLimitError({ label: 'It' }, 7), place)).toStrictEqual(error);
  });
});

describe('an RpcError', () => {
  const told = { code: -32000, message: 'header not found.', data: { height: 1 } };

  // The server answered: a call that must not be repeated was answered, too.
  it.each(places)('passes on what the server says: %j', (place) => {
    const { tried, facts } = tell(place);
    expect(shownOf(new RpcError(place, told))).toStrictEqual({
      message: `${ONCE} failed: header not found.${tried}`,
      code: -32000,
      context: { data: { height: 1 }, ...facts },
    });
    expect(tellAt(new RpcError({ label: 'It' }, told), place)).toStrictEqual(
      new RpcError(place, told),
    );
  });

  it.each([
    ['', 'failed.'],
    [' . ', 'failed.'],
    ['No', 'failed: No.'],
    ['No...\n', 'failed: No.'],
    ['x'.repeat(5_000), `failed: ${'x'.repeat(300)}.`],
  ])('ends what the server says with one full stop: %j', (message, end) => {
    expect(new RpcError(once, { message }).message).toBe(`${ONCE} ${end}`);
  });

  it.each<[unknown, number]>([
    [3, 3],
    [-32000, -32000],
    [-32005, -32005],
    [-32500, -32500],
    [-32599, -32599],
    [-32600, -32600],
    [-32601, -32601],
    [-32602, -32602],
    // The wallet's and ours: a server does not speak for them.
    [4001, -32000],
    [4100, -32000],
    [-32603, -32000],
    [-32700, -32000],
    [-31999, -32000],
    [0, -32000],
    [1.5, -32000],
    [NaN, -32000],
    ['-32601', -32000],
    [null, -32000],
    [undefined, -32000],
  ])('has for the code %p the code %i', (code, own) => {
    expect(new RpcError(once, { code, message: 'No' }).code).toBe(own);
  });
});
