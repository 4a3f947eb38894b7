import { createBatcher } from '../../../../src/client/rpc/batcher';

type Sent = readonly number[];

/** A batcher of numbers which answers each with its tenfold. */
function setup(limit = 3): { take: (call: number) => Promise<number>; sent: Sent[] } {
  const sent: Sent[] = [];
  const take = createBatcher<number, number>(async (calls) => {
    sent.push(calls);
    await Promise.resolve();
    if (calls.includes(13)) throw new Error('Unlucky.');
    return calls.map((call) => call * 10);
  }, limit);
  return { take, sent };
}

describe('a batcher', () => {
  it('sends the calls of one tick together and answers each with its own', async () => {
    const { take, sent } = setup();
    expect(await Promise.all([take(1), take(2)])).toStrictEqual([10, 20]);
    expect(sent).toStrictEqual([[1, 2]]);
  });

  it('sends calls of another tick apart', async () => {
    const { take, sent } = setup();
    await take(1);
    await take(2);
    expect(sent).toStrictEqual([[1], [2]]);
  });

  it('splits what is beyond the limit', async () => {
    const { take, sent } = setup();
    const calls = [1, 2, 3, 4, 5, 6, 7];
    expect(await Promise.all(calls.map(take))).toStrictEqual(calls.map((n) => n * 10));
    expect(sent).toStrictEqual([[1, 2, 3], [4, 5, 6], [7]]);
  });

  it('rejects the calls of a batch that failed, and no other', async () => {
    const { take } = setup();
    const settled = await Promise.allSettled([1, 13, 2, 4].map(take));
    expect(settled.map(({ status }) => status)).toStrictEqual([
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(await take(5)).toBe(50);
  });

  it('takes calls while a batch is under way', async () => {
    const { take, sent } = setup();
    const first = take(1);
    await Promise.resolve();
    const second = take(2);
    expect(await Promise.all([first, second])).toStrictEqual([10, 20]);
    expect(sent).toStrictEqual([[1], [2]]);
  });
});
