import { createBatcher } from '../../../../src/client/rpc/batcher';

type Bench = { take: (item: number) => void; sent: (readonly number[])[] };

/** A batcher that keeps the lots it sends. */
function setup(limit = 3): Bench {
  const sent: (readonly number[])[] = [];
  return { sent, take: createBatcher<number>((items) => void sent.push(items), limit) };
}

/** Let the microtasks run that were asked for so far. */
async function endTick(): Promise<void> {
  await Promise.resolve();
}

describe('a batcher', () => {
  it('sends the items of one tick together, in their order', async () => {
    const { take, sent } = setup();
    [3, 1, 2].forEach(take);
    expect(sent).toStrictEqual([]);
    await endTick();
    expect(sent).toStrictEqual([[3, 1, 2]]);
  });

  it('sends items of another tick apart', async () => {
    const { take, sent } = setup();
    take(1);
    await endTick();
    take(2);
    await endTick();
    expect(sent).toStrictEqual([[1], [2]]);
  });

  it('splits what is beyond the limit', async () => {
    const { take, sent } = setup();
    [1, 2, 3, 4, 5, 6, 7].forEach(take);
    await endTick();
    expect(sent).toStrictEqual([[1, 2, 3], [4, 5, 6], [7]]);
  });

  it('takes items while it sends', async () => {
    const sent: (readonly number[])[] = [];
    const take = createBatcher<number>((items) => {
      sent.push(items);
      if (items.includes(1)) take(2);
    }, 3);
    take(1);
    await endTick();
    await endTick();
    expect(sent).toStrictEqual([[1], [2]]);
  });
});
