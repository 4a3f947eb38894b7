// Batches that are too large: for our own limit, for the server, for our memory.
import { answering } from '../../../support/fake-fetch';
import type { Server } from '../../../support/fake-fetch';
import { toRequests } from '../../../support/json-rpc';
import {
  createRpcBench,
  readsOf,
  right,
  rightly,
  sendsOf,
} from '../../../support/rpc-bench';

const methods = ['a', 'b', 'c', 'd', 'e'];

/** A server that takes so many calls at most. */
const taking =
  (limit: number): Server =>
  (request) =>
    toRequests({ body: request.body ?? '' }).length > limit
      ? answering(null, 413)(request)
      : right(request);

describe('a batch', () => {
  it('is split at the limit', async () => {
    const { askAll, sent } = createRpcBench([right], { batchLimit: 2 });
    expect(await askAll(readsOf(...methods))).toStrictEqual(methods.map(rightly));
    expect(sent()).toStrictEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it.each([
    [4, [3, 2]],
    [2, [3, 2, 2, 1]],
    [1, [3, 2, 2, 1, 1, 1, 1, 1]],
  ])('that the server refuses is halved until it fits: %i', async (limit, sizes) => {
    const { askAll, sent, time } = createRpcBench([taking(limit)]);
    expect(await askAll(readsOf(...methods))).toStrictEqual(methods.map(rightly));
    const seen = sent().map(({ length }) => length);
    expect(seen.sort()).toStrictEqual([5, ...sizes].sort());
    expect(time.waits).toStrictEqual([]);
  });

  it('of one call that is refused is told', async () => {
    const { askAll, sent } = createRpcBench([taking(0)]);
    expect(await askAll(readsOf('a', 'b'))).toStrictEqual(
      ['a', 'b'].map(
        (each) => `${each} at It answered with HTTP status 413. Send less at once.`,
      ),
    );
    expect(sent()).toHaveLength(3);
  });

  it('is not halved once the time is over', async () => {
    const { time } = createRpcBench([]);
    const slow: Server = (request) => {
      time.pass(60_000);
      return taking(1)(request);
    };
    const { askAll, sent } = createRpcBench([slow], { services: time });
    const [first] = await askAll(readsOf('a', 'b'));
    expect(first).toBe('a at It answered with HTTP status 413. Send less at once.');
    expect(sent()).toHaveLength(1);
  });
});

describe('an answer that is too large', () => {
  const TOO_LARGE = 'at It answered with more than 100 bytes.';
  const maxBytes = 100;

  it('to a batch is asked for in halves', async () => {
    const { askAll, sent } = createRpcBench([right], { maxBytes });
    expect(await askAll(readsOf('a', 'b', 'c'))).toStrictEqual(
      ['a', 'b', 'c'].map(rightly),
    );
    expect(sent()).toStrictEqual([['a', 'b', 'c'], ['a', 'b'], ['c']]);
  });

  it('to a call that must not be repeated is told', async () => {
    const { askAll, sent } = createRpcBench([right], { maxBytes: 20 });
    expect(await askAll([sendsOf('send')])).toStrictEqual([
      `send at It answered with more than 20 bytes. ` +
        'Whether it was carried out is not known: look before you send it again.',
    ]);
    expect(sent()).toStrictEqual([['send']]);
  });

  it('to one call harms that call only', async () => {
    const name = 'x'.repeat(100);
    const { askAll } = createRpcBench([right], { maxBytes });
    expect(await askAll(readsOf('a', name))).toStrictEqual([
      rightly('a'),
      `${name} ${TOO_LARGE} Ask for less at once.`,
    ]);
  });
});
