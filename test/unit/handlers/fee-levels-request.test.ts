import { callersOf } from '../../support/callers';
import type { Callers } from '../../support/callers';
import { serving } from '../../support/fake-fetch';
import { askedOf, createFakeNode, refuses } from '../../support/fake-node';
import type { FakeNode } from '../../support/fake-node';
import { refusalOf } from '../../support/refusal';
import { COMPANION, createTestApp, DAPP } from '../../support/test-app';
import type { Edges } from '../../support/test-app';

const METHOD = 'tollkeeper_getFeeLevels';

const LEVELS = {
  source: 'fee-history',
  ageMs: 0,
  estimatedBaseFee: '0x3b9aca00',
  low: { maxFeePerGas: '0x3b9aca01', maxPriorityFeePerGas: '0x1' },
  medium: { maxFeePerGas: '0x50775d82', maxPriorityFeePerGas: '0x2' },
  high: { maxFeePerGas: '0x6553f103', maxPriorityFeePerGas: '0x3' },
};

/** The wallet is on chain 1; chain 5, which has no base fee, has a node of its own. */
async function setup(): Promise<Callers & { edges: Edges; node: FakeNode }> {
  const app = createTestApp();
  const { edges, services } = app;
  const node = createFakeNode({ eth_gasPrice: '0x7' });
  edges.network.serve('https://node.example', serving(node));
  await services.store.update((state) => ({
    ...state,
    chains: { 'eip155:5': { rpcUrl: 'https://node.example' } },
  }));
  return { ...callersOf(app), edges, node };
}

describe('looking up fee levels', () => {
  it.each<[string, unknown]>([
    ['an empty array', []],
    ['nothing', undefined],
    ['the object form', { params: [] }],
    ['the object form with the chain', { scope: 'eip155:1', params: [] }],
  ])('answers anyone who sends %s, without a dialog', async (_what, params) => {
    const { rpc, edges } = await setup();
    expect(await rpc(DAPP, METHOD, params)).toStrictEqual(LEVELS);
    expect(await rpc(COMPANION, METHOD, params)).toStrictEqual(LEVELS);
    expect(edges.dialogs.shown).toStrictEqual([]);
  });

  it('tells how old they are, and shares them with what is filled', async () => {
    const { rpc, edges } = await setup();
    await rpc(DAPP, METHOD);
    edges.clock.time += 1_234;
    expect(await rpc(DAPP, METHOD)).toStrictEqual({ ...LEVELS, ageMs: 1_234 });
    const asked = askedOf(edges.wallet).filter((name) => name === 'eth_feeHistory');
    expect(asked).toHaveLength(1);
  });

  it('is made on the chain that is named outright', async () => {
    const { rpc } = await setup();
    const pair = { maxFeePerGas: '0x7', maxPriorityFeePerGas: '0x7' };
    const params = { scope: 'eip155:5', params: [] };
    expect(await rpc(DAPP, METHOD, params)).toStrictEqual({
      source: 'gas-price',
      ageMs: 0,
      estimatedBaseFee: '0x0',
      low: pair,
      medium: pair,
      high: pair,
    });
  });

  it.each<[unknown, string]>([
    [['0x1'], 'params must be an empty array.'],
    [[null], 'params must be an empty array.'],
    ['0x1', 'params must be an empty array.'],
    [7, 'params must be an empty array.'],
    [{}, 'params.params is missing: it must be an array.'],
    [{ params: [1] }, 'params must be an empty array.'],
    [{ params: [], chain: 1 }, 'params.chain is not expected here.'],
    [
      { scope: 'mainnet', params: [] },
      'params.scope must be a chain id (hex, decimal or CAIP-2 such as "eip155:1").',
    ],
    [
      { scope: 'eip155:0', params: [] },
      'params.scope must be a chain id (hex, decimal or CAIP-2 such as "eip155:1").',
    ],
  ])('refuses malformed params by name (case %#)', async (params, reason) => {
    const { rpc, edges } = await setup();
    expect(await refusalOf(rpc(DAPP, METHOD, params))).toStrictEqual({
      code: -32602,
      message: `${METHOD}: ${reason}`,
    });
    expect(edges.wallet.calls).toStrictEqual([]);
  });

  it('says what the node said last if no source has any', async () => {
    const { rpc, node } = await setup();
    node.answers.eth_gasPrice = refuses({ code: -32000, message: 'no price today' });
    const params = { scope: 'eip155:5', params: [] };
    const { code, message } = await refusalOf(rpc(DAPP, METHOD, params));
    expect(code).toBe(-32000);
    expect(message).toContain('no price today');
  });

  it('is refused on a chain without a node', async () => {
    const { rpc } = await setup();
    const params = { scope: 'eip155:9', params: [] };
    expect(await refusalOf(rpc(DAPP, METHOD, params))).toHaveProperty('code', -32002);
  });

  it('is limited per origin, together with other look-ups', async () => {
    const { rpc } = await setup();
    for (let call = 0; call < 149; call += 1) await rpc(DAPP, METHOD);
    await rpc(DAPP, 'eth_getTransactionByHash').catch(() => null);
    expect(await refusalOf(rpc(DAPP, METHOD))).toStrictEqual({
      code: -32005,
      message: 'An origin may make 150 look-ups in 10 s; try again in 10 s.',
    });
    expect(await rpc(COMPANION, METHOD)).toStrictEqual(LEVELS);
  });
});
