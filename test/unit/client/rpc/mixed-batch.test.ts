// Calls that may be repeated and calls that must not be, in one tick; and batches of which some
// calls fail in passing.
import { breaking } from '../../../support/fake-fetch';
import { echo } from '../../../support/json-rpc';
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

describe('a call that must not be repeated', () => {
  it('goes alone, beside the batch', async () => {
    const { askAll, sent } = createRpcBench([right]);
    const [a, b] = readsOf('a', 'b');
    const calls = [a, sendsOf('one'), b, sendsOf('two')].flatMap((each) => each ?? []);
    expect(await askAll(calls)).toStrictEqual(['a', 'one', 'b', 'two'].map(rightly));
    expect(sent()).toStrictEqual([['one'], ['two'], ['a', 'b']]);
  });

  it('is told of its own failure, and harms no other call', async () => {
    const { askAll, sent } = createRpcBench([breaking, right]);
    const calls = [...readsOf('a'), sendsOf('send'), ...readsOf('b')];
    expect(await askAll(calls)).toStrictEqual([
      rightly('a'),
      `send at It could not be reached. ${UNKNOWN}`,
      rightly('b'),
    ]);
    expect(sent()).toStrictEqual([['send'], ['a', 'b']]);
  });

  it('is not held up by what happens to a batch', async () => {
    const { askAll, sent } = createRpcBench([right, breaking, right]);
    const calls = [...readsOf('a'), sendsOf('send'), ...readsOf('b')];
    expect(await askAll(calls)).toStrictEqual(['a', 'send', 'b'].map(rightly));
    expect(sent()).toStrictEqual([['send'], ['a', 'b'], ['a', 'b']]);
  });
});

describe('a batch', () => {
  it('is repeated only for the calls that failed in passing', async () => {
    const some = making((requests) =>
      requests.map((request) =>
        request.method === 'slow'
          ? { id: request.id, error: { code: -32005, message: 'Slow' } }
          : echo(request),
      ),
    );
    const { askAll, sent } = createRpcBench([some, right]);
    expect(await askAll(readsOf('a', 'slow', 'b'))).toStrictEqual(
      ['a', 'slow', 'b'].map(rightly),
    );
    expect(sent()).toStrictEqual([['a', 'slow', 'b'], ['slow']]);
  });

  it('waits as long as the longest backoff in it', async () => {
    const each = making((requests) =>
      requests.map(({ id }) => ({
        id,
        error: {
          code: -32005,
          message: 'Slow',
          data: { rate: { backoff_seconds: id } },
        },
      })),
    );
    const { askAll, time } = createRpcBench([each, right]);
    await askAll(readsOf('a', 'b', 'c'));
    expect(time.waits).toStrictEqual([3_125]);
  });
});
