import { findBaseFees, refreshBaseFees } from '../../../src/fees/base-fees';
import type { BaseFees } from '../../../src/fees/base-fees';
import { openPublicStore } from '../../../src/state/public-state';
import type { PublicState } from '../../../src/state/public-state';
import { askedOf } from '../../support/fake-node';
import type { NodeAnswers } from '../../support/fake-node';
import { createFeeBench, START } from '../../support/fee-bench';
import type { FeeBench } from '../../support/fee-bench';
import { FEE_ANSWERS } from '../../support/fees';
import { refusalOf } from '../../support/refusal';

type Bench = FeeBench & {
  refresh: () => Promise<void>;
  find: () => Promise<BaseFees | undefined>;
};

function setup(answers: NodeAnswers = FEE_ANSWERS): Bench {
  const bench = createFeeBench(undefined, answers);
  const open = (): ReturnType<typeof openPublicStore> => openPublicStore(bench.backend);
  const now = (): number => bench.clock.time;
  return {
    ...bench,
    refresh: () => refreshBaseFees(bench.chainOf(), { store: open(), now }),
    find: () => findBaseFees(open(), 1n),
  };
}

const GWEI = 1_000_000_000n;

const history = (baseFeePerGas: string[]): NodeAnswers => ({
  eth_feeHistory: { oldestBlock: '0x10', baseFeePerGas, gasUsedRatio: [0.5] },
});

describe('base fees of past blocks', () => {
  it('are found as they were fetched', async () => {
    const { refresh, find, node } = setup();
    expect(await find()).toBeUndefined();
    await refresh();
    const baseFees = [GWEI, GWEI, GWEI];
    expect(await find()).toStrictEqual({ at: START, oldest: 16n, baseFees });
    expect(node.calls).toStrictEqual([
      { method: 'eth_feeHistory', params: ['0x3c', 'latest', []] },
    ]);
  });

  it.each([
    ['within five seconds', 4_999, 1],
    ['after five seconds', 5_000, 2],
    ['after the clock was set back', -5_000, 2],
  ])('are asked for %s: %d ms later, %d times in all', async (_when, ms, times) => {
    const { refresh, clock, node } = setup();
    await refresh();
    clock.time += ms;
    await refresh();
    expect(askedOf(node)).toHaveLength(times);
  });

  it('are the newest ones if the node tells of more than it was asked for', async () => {
    const fees = Array.from(
      { length: 70 },
      (_, index) => `0x${(index + 1).toString(16)}`,
    );
    const { refresh, find } = setup(history(fees));
    await refresh();
    const found = await find();
    expect(found?.baseFees).toHaveLength(64);
    expect(found?.baseFees.at(-1)).toBe(70n);
    expect(found?.oldest).toBe(22n);
  });

  it('are not kept where there is no market', async () => {
    const { refresh, find, backend } = setup(history(['0x0', '0x0']));
    await refresh();
    expect(await find()).toBeUndefined();
    const node = { at: START, kind: 'ok' };
    const { answers } = backend.document as PublicState;
    expect(answers).toStrictEqual({ 'eip155:1': { node } });
  });

  it('stay as they were if the node fails, which is told', async () => {
    const { refresh, find, clock, node, backend } = setup();
    await refresh();
    delete node.answers.eth_feeHistory;
    clock.time += 6_000;
    expect((await refusalOf(refresh())).code).toBe(-32601);
    expect(await find()).toHaveProperty('at', START);
    const answer = { at: START + 6_000, kind: 'failed' };
    const { answers } = backend.document as PublicState;
    expect(answers).toStrictEqual({ 'eip155:1': { node: answer } });
  });

  it('are not known of a document that cannot be read or written', async () => {
    const { refresh, find, backend } = setup();
    backend.document = { version: 99 };
    await refresh();
    expect(await find()).toBeUndefined();
    expect(backend.document).toStrictEqual({ version: 99 });
  });
});
