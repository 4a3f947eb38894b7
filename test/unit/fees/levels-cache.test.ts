import { gasAnswer } from '../../fixtures/client/gas-answer';
import { answering } from '../../support/fake-fetch';
import { createFeeBench, START } from '../../support/fee-bench';
import type { FeeBench } from '../../support/fee-bench';
import { SUGGESTED_LEVELS } from '../../support/fees';

const setup = (): FeeBench => createFeeBench(answering(gasAnswer));

describe('a cache that fails', () => {
  it.each([
    ['it is spoiled', { version: 1, levels: 'spoiled' }],
    ['it is of a newer version', { version: 99, levels: {} }],
    ['it has no version', {}],
    ['it is no document', 'spoiled'],
  ])('does not keep fees from being had if %s', async (_what, document) => {
    const { chainOf, startWorker, backend } = setup();
    backend.document = document;
    const { get } = startWorker();
    expect(await get(chainOf())).toStrictEqual({ ...SUGGESTED_LEVELS, at: START });
    expect(backend.document).toStrictEqual(document);
  });

  it('does not keep fees from being had if it cannot be read', async () => {
    const { chainOf, startWorker, backend } = setup();
    backend.failNextLoad = new Error('disk gone');
    const { get } = startWorker();
    expect(await get(chainOf())).toStrictEqual({ ...SUGGESTED_LEVELS, at: START });
  });

  it('does not keep fees from being had if it cannot be written', async () => {
    const { chainOf, startWorker, backend, network } = setup();
    backend.failNextSave = new Error('disk full');
    const { get } = startWorker();
    expect(await get(chainOf())).toStrictEqual({ ...SUGGESTED_LEVELS, at: START });
    await get(chainOf());
    expect(network.sent).toHaveLength(2);
  });
});

describe('whether somebody asked', () => {
  it('is known of each chain for as long as is said', async () => {
    const { chainOf, startWorker, clock } = setup();
    const { get, wasAskedWithin } = startWorker();
    expect(wasAskedWithin(1n, 60_000)).toBe(false);
    await get(chainOf(1n));
    clock.time += 59_999;
    expect(wasAskedWithin(1n, 60_000)).toBe(true);
    expect(wasAskedWithin(2n, 60_000)).toBe(false);
    clock.time += 1;
    expect(wasAskedWithin(1n, 60_000)).toBe(false);
    // Known levels count as well as fetched ones.
    clock.time -= 59_000;
    await get(chainOf(1n));
    clock.time += 59_999;
    expect(wasAskedWithin(1n, 60_000)).toBe(true);
  });

  it('is known while the answer is still on its way, and if there is none', async () => {
    const { chainOf, startWorker } = createFeeBench(undefined, {});
    const { get, wasAskedWithin } = startWorker();
    const asking = get(chainOf());
    expect(wasAskedWithin(1n, 1)).toBe(true);
    await expect(asking).rejects.toThrow('eth_gasPrice');
    expect(wasAskedWithin(1n, 1)).toBe(true);
  });

  it('is not told by a refresh', async () => {
    const { chainOf, startWorker } = setup();
    const { refresh, wasAskedWithin } = startWorker();
    await refresh(chainOf());
    expect(wasAskedWithin(1n, Infinity)).toBe(false);
  });

  it('is not known after a stop, nor of a time to come', async () => {
    const { chainOf, startWorker, clock } = setup();
    const { get, wasAskedWithin } = startWorker();
    await get(chainOf());
    expect(startWorker().wasAskedWithin(1n, 60_000)).toBe(false);
    clock.time -= 1;
    expect(wasAskedWithin(1n, 60_000)).toBe(false);
  });

  it.each([0, -1, NaN, -Infinity])('is never so within %s ms', async (ms) => {
    const { chainOf, startWorker } = setup();
    const { get, wasAskedWithin } = startWorker();
    await get(chainOf());
    expect(wasAskedWithin(1n, ms)).toBe(false);
  });
});
