// Counts the round trips to real servers for which the built snap's user waits. The benchmarks
// compare the same figures with those of other snaps.
import { countFills, countPreparations, countSends } from '../../dev/bench/trips';

it('fills in one round trip, with one request while fee levels are fresh', async () => {
  const names = ['eth_fillTransaction, gas API', 'eth_fillTransaction, levels known'];
  const rows = await countFills((name) => names.includes(name));
  expect(rows.map(({ what, ours }) => `${what}: ${ours}`)).toStrictEqual([
    'eth_fillTransaction, gas API: requests: 2',
    'eth_fillTransaction, gas API: round trips: 1',
    'eth_fillTransaction, levels known: requests: 1',
    'eth_fillTransaction, levels known: round trips: 1',
  ]);
});

// With short blocks the snap waits for the receipt, with long ones it does not.
it.each([2, 12])(
  'sends in two round trips, the nonce, then the transaction: blocks of %i s',
  async (seconds) => {
    const rows = await countSends(seconds);
    expect(rows.map(({ ours }) => ours)).toStrictEqual([2, 2]);
  },
);

it('prepares a user operation by one batch to the node and one call to the bundler', async () => {
  const rows = await countPreparations();
  expect(rows).toHaveLength(8);
  expect(rows.map(({ ours }) => ours)).toStrictEqual(Array<number>(8).fill(2));
});
