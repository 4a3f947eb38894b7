// The whole message of every error: what, where, how often, and what to do.
import {
  BodyTooLargeError,
  HttpStatusError,
  InvalidResponseError,
  NetworkError,
  TimeoutError,
} from '../../../src/client';
import { tellAt } from '../../../src/client/errors';
import type { ClientError } from '../../../src/client/errors';
import type { Place } from '../../../src/client/place';
import { TollkeeperError } from '../../../src/errors';
import { toWholeText } from '../../support/error-of';

const once: Place = { label: 'eth_chainId at https://node.example' };
const thrice: Place = { ...once, attempts: 3 };
const unsure: Place = { ...once, mayBeDone: true };

type Told = { message: string; code: number; context: unknown };

function tell(error: TollkeeperError): Told {
  const { message, code, context } = error;
  return { message, code, context };
}

const ONCE = 'eth_chainId at https://node.example';
const TRIED = 'It was tried 3 times.';
const UNSURE =
  'Whether it was carried out is not known: look before you send it again.';

/** What is the same whatever the place; `what` and `advice` are whole sentences. */
type Row = [
  name: string,
  make: (place: Place) => ClientError,
  what: string,
  advice: string,
  facts?: object,
];

const rows: Row[] = [
  [
    'NetworkError',
    (place) => new NetworkError(place),
    'could not be reached.',
    'Check the address and the connection.',
  ],
  [
    'TimeoutError',
    (place) => new TimeoutError(place, 15_000),
    'did not answer within 15000 ms.',
    'Try again later.',
  ],
  [
    'HttpStatusError',
    (place) => new HttpStatusError(place, 503),
    'answered with HTTP status 503.',
    'Try again later.',
    { status: 503 },
  ],
  [
    'BodyTooLargeError',
    (place) => new BodyTooLargeError(place, 10_000_000),
    'answered with more than 10000000 bytes.',
    'Ask for less at once.',
  ],
  [
    'InvalidResponseError',
    (place) => new InvalidResponseError(place, 'result must be a hex quantity.'),
    'gave an invalid answer: result must be a hex quantity.',
    'Check that it is the right server.',
  ],
];

describe.each(rows)('a %s', (...row) => {
  const [name, make, what, advice, facts = {}] = row;

  it('says what happened, where, and what to do', () => {
    const message = `${ONCE} ${what} ${advice}`;
    expect(tell(make(once))).toStrictEqual({ message, code: -32002, context: facts });
    expect(make(once).name).toBe(name);
  });

  it('says how often it was tried', () => {
    expect(tell(make(thrice))).toStrictEqual({
      message: `${ONCE} ${what} ${TRIED} ${advice}`,
      code: -32002,
      context: { ...facts, attempts: 3 },
    });
  });

  it('says that a call may have been carried out, in place of advice', () => {
    expect(tell(make(unsure))).toStrictEqual({
      message: `${ONCE} ${what} ${UNSURE}`,
      code: -32002,
      context: { ...facts, mayBeDone: true },
    });
    expect(tell(make({ ...thrice, mayBeDone: true })).message).toBe(
      `${ONCE} ${what} ${TRIED} ${UNSURE}`,
    );
  });

  it('can be told of a call of the batch', () => {
    const error = make({ label: 'https://node.example' });
    expect(tellAt(error, thrice)).toStrictEqual(make(thrice));
  });
});

describe('what is no error of the client', () => {
  it.each<[string, unknown]>([
    ['a fault of ours', new TypeError('It is not a function.')],
    ['another error of ours', new TollkeeperError(-32603, 'It broke.')],
    ['an array, which has a method of that name', [1]],
    ['undefined', undefined],
  ])('is told as it is: %s', (_what, error) => {
    expect(tellAt(error, thrice)).toBe(error);
  });
});

describe('the cause of a NetworkError', () => {
  it('is kept when it is told of another place', () => {
    const cause = new Error('ECONNREFUSED');
    const error = new NetworkError(once, { cause }).at(thrice);
    expect(error.cause).toBe(cause);
    expect(toWholeText(error)).toContain('ECONNREFUSED');
  });
});
