// What sites look up of what was sent from their accounts.
import type { Json } from '@metamask/utils';

import { callersOf } from '../support/callers';
import { createCallsBench } from '../support/calls-bench';
import type { CallsBench } from '../support/calls-bench';
import { serving } from '../support/fake-fetch';
import { createFakeNode, refuses } from '../support/fake-node';
import { RECEIPT } from '../support/receipts';
import { refusalOf } from '../support/refusal';
import { DAPP } from '../support/test-app';

const TRANSACTION = 'eth_getTransactionReceipt';

const OPERATION = 'eth_getUserOperationReceipt';

const OTHER_CHAIN = 'eip155:5';

/** What was sent and is included, with servers that are out of order since. */
type Sent = CallsBench & { transaction: Json; operation: Json };

async function setup(): Promise<Sent> {
  const bench = await createCallsBench();
  const { edges, operations, smart, bundler } = bench;
  const transaction = await bench.send();
  bench.mine(transaction);
  const calls = [{ to: smart.address, value: '0x1' }];
  await bench.sendCalls({ from: smart.address, calls });
  const [operation = '0x'] = operations.keys();
  bench.include(operation);
  const answerBefore = edges.wallet.answers.eth_call;
  edges.wallet.answers.eth_call = `0x${'f'.repeat(64)}`;
  await bench.poll(3_000);
  edges.wallet.answers.eth_call = answerBefore ?? null;
  const broken = refuses({ code: -32000, message: 'out of order' });
  Object.assign(edges.wallet.answers, {
    [TRANSACTION]: broken,
    eth_getTransactionByHash: broken,
  });
  bundler.answers[OPERATION] = broken;
  return { ...bench, transaction, operation };
}

describe('a receipt that is kept', () => {
  it('answers for what it is of while no server does', async () => {
    const { call, transaction, operation } = await setup();
    expect(await call(TRANSACTION, [transaction])).toStrictEqual({
      ...RECEIPT,
      transactionHash: transaction,
    });
    expect(await call(OPERATION, [operation])).toHaveProperty('userOpHash', operation);
  });

  it('of a transaction is no receipt of a user operation, nor the other way round', async () => {
    const { call, transaction, operation } = await setup();
    const asking = [call(OPERATION, [transaction]), call(TRANSACTION, [operation])];
    const refusals = await Promise.all(asking.map(refusalOf));
    expect(refusals).toMatchObject([{ code: -32000 }, { code: -32000 }]);
  });

  it('of a transaction is not answered where no bundler is configured', async () => {
    const { call, app, transaction } = await setup();
    await app.services.store.update((state) => ({ ...state, chains: {} }));
    expect(await refusalOf(call(OPERATION, [transaction]))).toMatchObject({
      code: -32002,
      message: expect.stringContaining('No bundler is configured') as string,
    });
  });

  it.each([TRANSACTION, OPERATION])(
    'is not answered for another chain that is named: %s',
    async (method) => {
      const { app, edges, transaction, operation } = await setup();
      const other = createFakeNode({
        [method]: refuses({ code: -32000, message: 'no' }),
      });
      const url = 'https://other-chain.example';
      edges.network.serve(url, serving(other));
      await app.services.store.update((state) => ({
        ...state,
        chains: { ...state.chains, [OTHER_CHAIN]: { rpcUrl: url, bundlerUrl: url } },
      }));
      const hash = method === TRANSACTION ? transaction : operation;
      const ask = async (): Promise<Json> =>
        callersOf(app).rpc(DAPP, method, { scope: OTHER_CHAIN, params: [hash] });
      expect(await refusalOf(ask())).toHaveProperty('code', -32000);
      other.answers[method] = null;
      other.answers.eth_getTransactionByHash = null;
      expect(await ask()).toBeNull();
    },
  );
});
