import type { Json } from '@metamask/utils';

import { callersOf } from '../../support/callers';
import type { Callers } from '../../support/callers';
import { serving } from '../../support/fake-fetch';
import { createFakeNode } from '../../support/fake-node';
import { HASH, RECEIPT, TRANSACTION } from '../../support/receipts';
import { refusalOf } from '../../support/refusal';
import { COMPANION, createTestApp, DAPP } from '../../support/test-app';
import type { Edges } from '../../support/test-app';

const RECEIPT_METHOD = 'eth_getTransactionReceipt';
const TRANSACTION_METHOD = 'eth_getTransactionByHash';

/** The wallet is on chain 1; chain 5 has a node of its own. */
async function setup(): Promise<Callers & { edges: Edges }> {
  const app = createTestApp();
  const { edges, services } = app;
  Object.assign(edges.wallet.answers, {
    [RECEIPT_METHOD]: RECEIPT,
    [TRANSACTION_METHOD]: TRANSACTION,
  });
  const node = createFakeNode({
    [TRANSACTION_METHOD]: { ...TRANSACTION, chainId: '0x5' },
  });
  edges.network.serve('https://node.example', serving(node));
  await services.store.update((state) => ({
    ...state,
    chains: { 'eip155:5': { rpcUrl: 'https://node.example' } },
  }));
  return { ...callersOf(app), edges };
}

describe('look-ups', () => {
  it.each([
    [RECEIPT_METHOD, RECEIPT],
    [TRANSACTION_METHOD, TRANSACTION],
  ])('answer %s to anyone, without a grant or a dialog', async (method, answer) => {
    const { rpc, edges } = await setup();
    expect(await rpc(DAPP, method, [HASH])).toStrictEqual(answer);
    expect(await rpc(COMPANION, method, { params: [HASH] })).toStrictEqual(answer);
    expect(edges.dialogs.shown).toStrictEqual([]);
  });

  it('are made on the chain that is named outright', async () => {
    const { rpc } = await setup();
    const params = { scope: 'eip155:5', params: [HASH] };
    expect(await rpc(DAPP, TRANSACTION_METHOD, params)).toHaveProperty(
      'chainId',
      '0x5',
    );
  });

  it('answer null for what the node does not know', async () => {
    const { rpc, edges } = await setup();
    edges.wallet.answers[TRANSACTION_METHOD] = null;
    edges.wallet.answers[RECEIPT_METHOD] = null;
    expect(await rpc(DAPP, TRANSACTION_METHOD, [HASH])).toBeNull();
    expect(await rpc(DAPP, RECEIPT_METHOD, [HASH])).toBeNull();
    expect(edges.clock.slept).toStrictEqual([]);
  });

  it('wait for a receipt that is not there yet', async () => {
    const { rpc, edges } = await setup();
    const answers: Json[] = [null, RECEIPT];
    edges.wallet.answers[RECEIPT_METHOD] = () => answers.shift() ?? null;
    expect(await rpc(DAPP, RECEIPT_METHOD, [HASH])).toStrictEqual(RECEIPT);
    expect(edges.clock.slept).toStrictEqual([500]);
  });

  it('are refused on a chain without a node', async () => {
    const { rpc } = await setup();
    const params = { scope: 'eip155:9', params: [HASH] };
    expect(await refusalOf(rpc(DAPP, TRANSACTION_METHOD, params))).toStrictEqual({
      code: -32002,
      message:
        "No node is configured for eip155:9, and it is not the snap's own network in the " +
        'wallet. Configure one with tollkeeper_setChain.',
    });
  });

  it.each<[unknown, string]>([
    [[], `params[0] is missing: it must be a 32-byte value in hex (0x and 64 digits).`],
    [['0x12'], `params[0] must be a 32-byte value in hex (0x and 64 digits).`],
    [[HASH, 1], `params[1] is not expected here.`],
    [HASH, `params must be an array.`],
    [{ hash: HASH }, `params.params is missing: it must be an array.`],
    [
      { scope: 'mainnet', params: [HASH] },
      `params.scope must be a chain id (hex, decimal or CAIP-2 such as "eip155:1").`,
    ],
  ])('refuse malformed params by name (case %#)', async (params, reason) => {
    const { rpc, edges } = await setup();
    expect(await refusalOf(rpc(DAPP, RECEIPT_METHOD, params))).toStrictEqual({
      code: -32602,
      message: `${RECEIPT_METHOD}: ${reason}`,
    });
    expect(edges.wallet.calls).toStrictEqual([]);
  });

  it('are limited per origin, malformed ones too', async () => {
    const { rpc, edges } = await setup();
    for (let call = 0; call < 150; call += 1) {
      await rpc(DAPP, TRANSACTION_METHOD, call % 2 === 0 ? [HASH] : []).catch(
        () => null,
      );
    }
    const limited = {
      code: -32005,
      message: 'An origin may make 150 look-ups in 10 s; try again in 10 s.',
    };
    expect(await refusalOf(rpc(DAPP, RECEIPT_METHOD, [HASH]))).toStrictEqual(limited);
    expect(await rpc(COMPANION, RECEIPT_METHOD, [HASH])).toStrictEqual(RECEIPT);
    edges.clock.time += 10_000;
    expect(await rpc(DAPP, RECEIPT_METHOD, [HASH])).toStrictEqual(RECEIPT);
  });
});
