import type { ArrayUses } from '../../../src/chains/probe';
import { InvalidParamsError } from '../../../src/errors';
import { errorOf } from '../../support/error-of';
import { createGate } from '../../support/gate';
import { createSetChainBench as setup, full, KEY } from '../../support/set-chain-bench';

describe('what tollkeeper_setChain finds out first', () => {
  const refused = new InvalidParamsError('No.');

  it('is about the row as it is, and as it is to be', async () => {
    const { set, probed } = setup();
    await set({ rpcUrl: 'https://one.example', apiKey: KEY });
    await set({ rpcUrl: 'https://two.example', apiKey: null });
    const first = { rpcUrl: 'https://one.example', apiKey: KEY };
    expect(probed).toStrictEqual([
      [1n, { before: {}, after: first }],
      [1n, { before: first, after: { rpcUrl: 'https://two.example' } }],
    ]);
  });

  it('keeps anything from being stored if it is not what was expected', async () => {
    const { set, backend, store } = setup(() => Promise.reject(refused));
    expect(await errorOf(() => set(full))).toBe(refused);
    expect(backend.saves).toBe(0);
    expect((await store.read()).chains).toStrictEqual({});
  });

  it('does not undo what another call stored meanwhile', async () => {
    const gate = createGate();
    const { set, store } = setup(async (_chainId, { after }) => {
      if (after.rpcUrl !== undefined) await gate.opened;
      return {};
    });
    const setting = set({ rpcUrl: 'https://one.example' });
    await set({ gasAuth: 'path' });
    gate.open();
    await setting;
    expect((await store.read()).chains['eip155:1']).toStrictEqual({
      gasAuth: 'path',
      rpcUrl: 'https://one.example',
    });
  });

  it('is which servers take no arrays of calls, until they are asked again', async () => {
    const uses: ArrayUses = { rpcUrl: false, bundlerUrl: false };
    const { set, store } = setup(() => Promise.resolve({ ...uses }));
    const { rpcUrl, bundlerUrl } = full;
    const find = async (): Promise<unknown> => (await store.read()).chains['eip155:1'];
    await set({ rpcUrl, bundlerUrl });
    expect(await find()).toStrictEqual({
      rpcUrl,
      bundlerUrl,
      singleCallsOnly: ['rpcUrl', 'bundlerUrl'],
    });
    delete uses.rpcUrl;
    uses.bundlerUrl = true;
    expect(await set({ gasAuth: 'path' })).toMatchObject({
      singleCallsOnly: ['rpcUrl'],
    });
    delete uses.bundlerUrl;
    await set({ rpcUrl: null });
    expect(await find()).toStrictEqual({ bundlerUrl, gasAuth: 'path' });
  });

  it('cannot be said by the caller', async () => {
    const { set } = setup();
    const { message } = await errorOf(() => set({ singleCallsOnly: ['rpcUrl'] }));
    expect(message).toBe(
      'tollkeeper_setChain: params.singleCallsOnly is not expected here.',
    );
    await expect(set({ singleCallsOnly: null })).rejects.toThrow('is not expected');
  });

  it('is not asked of a call that is malformed', async () => {
    const { set, probed } = setup();
    await errorOf(() => set({ rpcUrl: 7 }));
    expect(probed).toStrictEqual([]);
  });
});
