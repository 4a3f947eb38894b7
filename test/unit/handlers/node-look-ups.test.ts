import type { Json } from '@metamask/utils';

import { methodRows } from '../../fixtures/client/method-rows';
import { callersOf } from '../../support/callers';
import { serving } from '../../support/fake-fetch';
import { createFakeNode } from '../../support/fake-node';
import type { FakeNode } from '../../support/fake-node';
import { refusalOf } from '../../support/refusal';
import { createTestApp, DAPP } from '../../support/test-app';

const LINEA = 'eip155:59144';

/** A site that was granted nothing, and a node of a rollup. */
async function setup(answers: Record<string, Json>): Promise<{
  node: FakeNode;
  look: (method: string, params: Json) => Promise<Json>;
}> {
  const app = createTestApp();
  const node = createFakeNode(answers);
  app.edges.network.serve('https://node.example', serving(node));
  await app.services.store.update((state) => ({
    ...state,
    chains: { [LINEA]: { rpcUrl: 'https://node.example' } },
  }));
  const { rpc } = callersOf(app);
  return {
    node,
    look: async (method, params) => rpc(DAPP, method, { scope: LINEA, params }),
  };
}

const cases = (
  ['eth_getUncleByBlockHashAndIndex', 'eth_getUncleByBlockNumberAndIndex'] as const
).flatMap((method) =>
  methodRows[method].params.map((params) => [method, params as Json] as const),
);

describe('an uncle', () => {
  it.each(cases)('is looked up as the node tells it: %s %j', async (method, params) => {
    for (const result of methodRows[method].results as Json[]) {
      const { look, node } = await setup({ [method]: result });
      expect(await look(method, params)).toStrictEqual(result);
      expect(node.calls).toMatchObject([{ method, params }]);
    }
  });

  it('is not looked up by the tag safe, which is not served', async () => {
    const { look, node } = await setup({});
    const asking = look('eth_getUncleByBlockNumberAndIndex', ['safe', '0x0']);
    expect(await refusalOf(asking)).toStrictEqual({
      code: -32602,
      message:
        'eth_getUncleByBlockNumberAndIndex: params[0] must be a block number in hex, or ' +
        'one of latest, earliest, pending, finalized (safe is not served: use finalized).',
    });
    expect(node.calls).toStrictEqual([]);
  });
});

describe("a rollup's estimate", () => {
  const estimate = {
    gasLimit: '0x5208',
    baseFeePerGas: '0x7',
    priorityFeePerGas: '0x9',
  };

  it("is asked for by the chain's own name", async () => {
    const { look, node } = await setup({ linea_estimateGas: estimate });
    const params = [{ value: '0x1' }];
    expect(await look('rollup_estimateGas', params)).toStrictEqual(estimate);
    expect(node.calls).toMatchObject([{ method: 'linea_estimateGas', params }]);
  });

  it('is refused in the words of a node that has none', async () => {
    const { look } = await setup({});
    const { code } = await refusalOf(look('rollup_estimateGas', [{}]));
    expect(code).toBe(-32601);
  });

  it('of a malformed call is refused by its path', async () => {
    const { look, node } = await setup({});
    const { code, message } = await refusalOf(
      look('rollup_estimateGas', [{ to: '0x1' }]),
    );
    expect(code).toBe(-32602);
    expect(message).toContain('rollup_estimateGas: params[0].to must be');
    expect(node.calls).toStrictEqual([]);
  });
});
