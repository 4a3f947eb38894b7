// A batch of which some calls may be repeated and some must not be.
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

describe('a mixed batch that failed', () => {
  it('is repeated without the call that must not be', async () => {
    const { askAll, sent } = createRpcBench([breaking, right]);
    const [a, b] = readsOf('a', 'b');
    const calls = [a, sendsOf('send'), b].filter((each) => each !== undefined);
    expect(await askAll(calls)).toStrictEqual([
      rightly('a'),
      `send at It could not be reached. ${UNKNOWN}`,
      rightly('b'),
    ]);
    expect(sent()).toStrictEqual([
      ['a', 'send', 'b'],
      ['a', 'b'],
    ]);
  });

  it('answers the call that must not be repeated before the others wait', async () => {
    const over: string[] = [];
    const sleep = async (): Promise<void> => Promise.resolve(void over.push('wait'));
    const services = { now: () => 0, random: () => 0, sleep };
    const { transport } = createRpcBench([breaking, right], { services });
    const note = (name: string) => () => over.push(name);
    await Promise.all([
      transport.request({ method: 'a', params: [], idempotent: true }).then(note('a')),
      transport.request({ method: 'send', params: [] }).catch(note('send')),
    ]);
    expect(over.indexOf('send')).toBeLessThan(over.indexOf('a'));
  });

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
