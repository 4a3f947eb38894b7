import {
  createFallbackTransport,
  InvalidResponseError,
  NetworkError,
  RateLimitError,
  RpcError,
  TimeoutError,
} from '../../../../src/client';
import type { RpcCall, Transport } from '../../../../src/client';
import { UnavailableError } from '../../../../src/errors';

const PLACE = { label: 'a at First' };

const AFTER_SENDING = { ...PLACE, mayBeDone: true };

type Bench = {
  asked: string[];
  waits: number[];
  state: { isResting: boolean; failures: unknown[] };
  transport: Transport;
};

/** The first fails with each failure in turn, then answers. */
function setup(...failures: unknown[]): Bench {
  const asked: string[] = [];
  const waits: number[] = [];
  const state = { isResting: false, failures };
  const first = {
    label: 'First',
    isResting: () => state.isResting,
    requestOnce: async () => {
      asked.push('first');
      const failure = state.failures.shift();
      if (failure !== undefined) throw failure as Error;
      return Promise.resolve('from first');
    },
  };
  const second = {
    label: 'Second',
    request: async () => {
      asked.push('second');
      return Promise.resolve('from second');
    },
  };
  const sleep = async (ms: number): Promise<void> => {
    waits.push(ms);
    return Promise.resolve();
  };
  const services = { sleep, random: () => 0, now: () => 0 };
  const transport = createFallbackTransport(first, second, { services });
  return { asked, waits, state, transport };
}

const safe: RpcCall = { method: 'a', params: [], idempotent: true };

const unsafe: RpcCall = { method: 'eth_sendRawTransaction', params: [] };

describe('a transport with another behind it', () => {
  it('is named by the second, and uses the first', async () => {
    const { transport, asked } = setup();
    expect(transport.label).toBe('Second');
    expect(await transport.request(safe)).toBe('from first');
    expect(await transport.request(unsafe)).toBe('from first');
    expect(asked).toStrictEqual(['first', 'first']);
  });

  it('gives undefined and null as they came', async () => {
    const first = {
      label: 'First',
      isResting: () => false,
      requestOnce: () => Promise.resolve(undefined),
    };
    const second = { label: 'Second', request: () => Promise.resolve('wrong') };
    const { request } = createFallbackTransport(first, second);
    expect(await request(safe)).toBeUndefined();
  });

  it('leaves a first one alone that is resting', async () => {
    const { transport, asked, state } = setup();
    state.isResting = true;
    expect(await transport.request(unsafe)).toBe('from second');
    expect(asked).toStrictEqual(['second']);
  });

  it.each([
    ['could not be reached', new NetworkError(PLACE)],
    ['did not answer', new TimeoutError(PLACE, 10)],
    ['was closed', new UnavailableError('Closed.')],
  ])('asks the second at once when the first %s', async (_what, failure) => {
    const { transport, asked, waits } = setup(failure, failure);
    expect(await transport.request(safe)).toBe('from second');
    expect(await transport.request(unsafe)).toBe('from second');
    expect(asked).toStrictEqual(['first', 'second', 'first', 'second']);
    expect(waits).toStrictEqual([]);
  });

  it.each([
    ['broke', new NetworkError(AFTER_SENDING)],
    ['did not answer', new TimeoutError(AFTER_SENDING, 10)],
    ['was closed', new UnavailableError('Closed.', { context: { mayBeDone: true } })],
  ])('does not repeat what went out before the first %s', async (_what, failure) => {
    const { transport, asked } = setup(failure);
    await expect(transport.request(unsafe)).rejects.toBe(failure);
    expect(asked).toStrictEqual(['first']);
  });

  it.each([
    new RpcError(PLACE, { code: 3, message: 'reverted' }),
    new Error('Enough.'),
  ])('passes on what the first answers: %s', async (failure) => {
    const { transport, asked } = setup(failure, failure);
    await expect(transport.request(safe)).rejects.toStrictEqual(failure);
    await expect(transport.request(unsafe)).rejects.toStrictEqual(failure);
    expect(asked).toStrictEqual(['first', 'first']);
  });

  it('passes on that an answer was no good', async () => {
    const failure = new InvalidResponseError(PLACE, 'it is junk.');
    const { transport } = setup(failure);
    await expect(transport.request(safe)).rejects.toStrictEqual(failure);
  });

  it('waits as long as the server asks to, and asks the first again', async () => {
    const { transport, asked, waits } = setup(new RateLimitError(PLACE, 2));
    expect(await transport.request(safe)).toBe('from first');
    expect(asked).toStrictEqual(['first', 'first']);
    expect(waits).toStrictEqual([2_125]);
  });

  it('says how often it waited in vain', async () => {
    const limited = new RateLimitError(PLACE, 1);
    const { transport } = setup(limited, limited, limited);
    await expect(transport.request(safe)).rejects.toThrow(
      'a at First is rate limited. It was tried 3 times. Try again in 1 s.',
    );
    const { transport: other } = setup(limited);
    await expect(other.request(unsafe)).rejects.toBe(limited);
  });

  it('asks the second when the first goes to rest meanwhile', async () => {
    const { transport, state } = setup(new RateLimitError(PLACE, 2));
    const call = transport.request(safe);
    state.isResting = true;
    expect(await call).toBe('from second');
  });
});
