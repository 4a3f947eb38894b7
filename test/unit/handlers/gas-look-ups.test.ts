// gas_*: what the gas API answers, on the chain that the params name.
import { gasAnswer } from '../../fixtures/client/gas-answer';
import { callersOf } from '../../support/callers';
import type { Callers } from '../../support/callers';
import { answering } from '../../support/fake-fetch';
import { refusalOf } from '../../support/refusal';
import { createTestApp, DAPP } from '../../support/test-app';
import type { Edges } from '../../support/test-app';
import { withoutFields } from '../../support/transactions';

const SUGGESTED = 'gas_suggestedGasFees';

const PERCENTILE = 'gas_baseFeePercentile';

/** Chain 5 has a gas API, and no node. */
async function setup(): Promise<Callers & { edges: Edges }> {
  const app = createTestApp();
  const { edges, services } = app;
  const url = 'https://gas.example/networks/5';
  edges.network.serve(`${url}/suggestedGasFees`, answering(gasAnswer));
  edges.network.serve(
    `${url}/baseFeePercentile`,
    answering({ baseFeePercentile: '23.227829059' }),
  );
  await services.store.update((state) => ({
    ...state,
    chains: {
      'eip155:5': {
        gasBaseUrl: 'https://gas.example',
        rpcUrl: 'https://node.example',
      },
    },
  }));
  return { ...callersOf(app), edges };
}

describe('looking up suggested fees', () => {
  it.each([[['0x5']], [['5']], [[5]], [['eip155:5']], [{ params: ['0x5'] }]])(
    'takes the chain id as %j',
    async (params) => {
      const { rpc } = await setup();
      const answer = await rpc(DAPP, SUGGESTED, params);
      expect(answer).toStrictEqual(withoutFields(gasAnswer, ['version']));
      expect(await rpc(DAPP, PERCENTILE, params)).toStrictEqual({
        baseFeePercentile: '23.227829059',
      });
    },
  );

  it('takes the same chain named outright, too', async () => {
    const { rpc } = await setup();
    const params = { scope: '0x5', params: ['eip155:5'] };
    expect(await rpc(DAPP, PERCENTILE, params)).toHaveProperty('baseFeePercentile');
  });

  it.each([SUGGESTED, PERCENTILE])(
    'refuses two different chains (%s)',
    async (name) => {
      const { rpc, edges } = await setup();
      const asking = rpc(DAPP, name, { scope: 'eip155:1', params: ['0x5'] });
      expect(await refusalOf(asking)).toStrictEqual({
        code: -32602,
        message: 'The request is for eip155:1, but its content is for eip155:5.',
      });
      expect(edges.network.sent).toStrictEqual([]);
    },
  );

  it.each([[[]], [['mainnet']], [[0]], [[-1]], [[1.5]], [['eip155:0']]])(
    'refuses %j, which is no chain',
    async (params) => {
      const { rpc } = await setup();
      const where = `${SUGGESTED}: params[0]`;
      const what = 'a chain id (hex, decimal or CAIP-2 such as "eip155:1").';
      const missing = params.length === 0 ? 'is missing: it ' : '';
      expect(await refusalOf(rpc(DAPP, SUGGESTED, params))).toStrictEqual({
        code: -32602,
        message: `${where} ${missing}must be ${what}`,
      });
    },
  );

  it("falls to past blocks on the wallet's chain, which has no gas API", async () => {
    const { rpc } = await setup();
    expect(await rpc(DAPP, SUGGESTED, ['0x1'])).toMatchObject({
      estimatedBaseFee: '1',
      low: { suggestedMaxFeePerGas: '1.000000001' },
      source: 'fee-history',
    });
    expect(await rpc(DAPP, PERCENTILE, ['0x1'])).toStrictEqual({
      baseFeePercentile: '1',
      source: 'fee-history',
    });
  });
});
