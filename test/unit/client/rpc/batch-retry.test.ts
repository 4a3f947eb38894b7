// What fails in passing is tried again, for the calls that may be repeated.
import { answering, breaking } from '../../../support/fake-fetch';
import type { Server } from '../../../support/fake-fetch';
import {
  createRpcBench,
  making,
  readsOf,
  right,
  rightly,
  sendsOf,
} from '../../../support/rpc-bench';

const UNKNOWN =
  'Whether it was carried out is not known: look before you send it again.';

const limited = (data?: unknown): Server =>
  making((requests) =>
    requests.map(({ id }) => ({ id, error: { code: -32005, message: 'Slow', data } })),
  );

const backoff = (seconds: unknown): object => ({ rate: { backoff_seconds: seconds } });

describe('a failure that passes', () => {
  it.each<[string, Server, number]>([
    ['a lost connection', breaking, 125],
    ['status 503', answering(null, 503), 125],
    [
      'status 503 with Retry-After',
      () => new Response('', { status: 503, headers: { 'Retry-After': '2' } }),
      2_125,
    ],
    ['status 429', answering(null, 429), 1_125],
    [
      'status 429 with a backoff in the body',
      answering({ id: 1, error: { code: -32005, data: backoff(7) as never } }, 429),
      7_125,
    ],
    [
      'status 429 with a backoff for a batch',
      answering([{ error: { data: backoff(7) as never } }], 429),
      7_125,
    ],
    ['-32005', limited(), 1_125],
    ['-32005 with a backoff', limited(backoff(7)), 7_125],
    ['-32005 with a backoff of zero', limited(backoff(0)), 125],
    ['-32005 with nonsense', limited(backoff('soon')), 1_125],
    [
      '-32005 for the whole request',
      making(() => ({ id: null, error: { code: -32005, message: 'Slow' } })),
      1_125,
    ],
  ])('is not seen by those who ask: %s', async (_what, server, wait) => {
    const { askAll, sent, time } = createRpcBench([server, right]);
    expect(await askAll(readsOf('a', 'b'))).toStrictEqual(['a', 'b'].map(rightly));
    expect(sent()).toStrictEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(time.waits).toStrictEqual([wait]);
  });

  it('that does not pass is told with the number of attempts', async () => {
    const { askAll, sent, time } = createRpcBench([right, breaking]);
    await askAll(readsOf('a', 'b'));
    expect(await askAll(readsOf('a', 'b'))).toStrictEqual(
      ['a', 'b'].map(
        (method) =>
          `${method} at It could not be reached. It was tried 3 times. ` +
          'Check the address and the connection.',
      ),
    );
    expect(sent()).toHaveLength(4);
    expect(time.waits).toStrictEqual([125, 250]);
  });

  it('is tried again as long as the time allows', async () => {
    const retry = { maxAttempts: 100, budgetMs: 1_000 };
    const { askAll, sent, time } = createRpcBench([breaking], { retry });
    await askAll(readsOf('a'));
    expect(time.waits).toStrictEqual([125, 250, 500]);
    expect(sent()).toHaveLength(4);
  });

  it('is told as it was when the machine slept past the time', async () => {
    const time = createRpcBench([]).time;
    const sleep = async (): Promise<void> => Promise.resolve(time.pass(60_000));
    const services = { ...time, sleep };
    const { askAll, sent } = createRpcBench([breaking], { services });
    expect(await askAll(readsOf('a'))).toStrictEqual([
      'a at It could not be reached. Check the address and the connection.',
    ]);
    expect(sent()).toHaveLength(1);
  });

  it('is not waited for longer than there is time', async () => {
    const { askAll, time } = createRpcBench([limited(backoff(30)), right]);
    expect(await askAll(readsOf('a'))).toStrictEqual([
      'a at It is rate limited. Try again in 30 s.',
    ]);
    expect(time.waits).toStrictEqual([]);
  });

  it('may be followed by another kind', async () => {
    const { askAll, time } = createRpcBench([breaking, limited(), right]);
    expect(await askAll(readsOf('a'))).toStrictEqual([rightly('a')]);
    expect(time.waits).toStrictEqual([125, 1_250]);
  });
});

describe('a call that must not be repeated', () => {
  it.each<[string, Server, string]>([
    ['a lost connection', breaking, `could not be reached. ${UNKNOWN}`],
    [
      'a status of the server',
      answering(null, 502),
      `answered with HTTP status 502. ${UNKNOWN}`,
    ],
    ['a refusal', answering(null, 400), 'answered with HTTP status 400.'],
    ['a rate limit', answering(null, 429), 'is rate limited. Try again in 1 s.'],
    ['-32005', limited(), 'is rate limited. Try again in 1 s.'],
    [
      'an answer for nobody',
      making(() => []),
      `gave an invalid answer: it has no answer for this call. ${UNKNOWN}`,
    ],
    [
      'an error of the server',
      making(([each]) => ({ id: each?.id, error: { code: -32000, message: 'nonce' } })),
      'failed: nonce.',
    ],
  ])('is sent once, whatever comes: %s', async (_what, server, message) => {
    const { askAll, sent, time } = createRpcBench([server, right]);
    expect(await askAll([sendsOf('a')])).toStrictEqual([`a at It ${message}`]);
    expect(sent()).toStrictEqual([['a']]);
    expect(time.waits).toStrictEqual([]);
  });

  it('is the rule for calls that say nothing', async () => {
    const { transport, sent } = createRpcBench([breaking, right]);
    await expect(transport.request({ method: 'a', params: [] })).rejects.toThrow(
      UNKNOWN,
    );
    expect(sent()).toStrictEqual([['a']]);
  });
});
