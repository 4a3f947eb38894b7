// Receipts of what was sent from here, where no node can be asked.
import type { Json } from '@metamask/utils';

import { callersOf } from '../../support/callers';
import { refuses } from '../../support/fake-node';
import { RECEIPT } from '../../support/receipts';
import { refusalOf } from '../../support/refusal';
import { createSendBench } from '../../support/send-bench';
import type { SendBench } from '../../support/send-bench';
import { DAPP } from '../../support/test-app';

const METHOD = 'eth_getTransactionReceipt';

const FAULT = { code: -32000, message: 'out of order' };

const REFUSAL = {
  code: -32000,
  message: `${METHOD} at the wallet's node failed: out of order.`,
};

/** A transaction was sent and included; then the node broke. */
async function setup(): Promise<
  SendBench & { hash: string; ask: (origin: string, hash: Json) => Promise<Json> }
> {
  const bench = await createSendBench();
  const hash = (await bench.send()) as string;
  bench.mine(hash);
  await bench.poll(3_000);
  Object.assign(bench.edges.wallet.answers, {
    [METHOD]: refuses(FAULT),
    eth_getTransactionByHash: refuses(FAULT),
  });
  const { rpc } = callersOf(bench.app);
  return { ...bench, hash, ask: async (origin, each) => rpc(origin, METHOD, [each]) };
}

describe('a receipt that is kept', () => {
  it('is answered to a site that was granted the account, in whatever case', async () => {
    const { ask, hash } = await setup();
    const receipt = { ...RECEIPT, transactionHash: hash };
    expect(await ask(DAPP, hash)).toStrictEqual(receipt);
    const upper = `0x${hash.slice(2).toUpperCase()}`;
    expect(await ask(DAPP, upper)).toStrictEqual(receipt);
  });

  it('is kept from any other site', async () => {
    const { ask, hash } = await setup();
    expect(await refusalOf(ask('https://other.example', hash))).toStrictEqual(REFUSAL);
  });

  it('is kept from a site whose grant was taken back', async () => {
    const { ask, hash, app } = await setup();
    await app.services.grants.revoke(DAPP);
    expect(await refusalOf(ask(DAPP, hash))).toStrictEqual(REFUSAL);
  });

  it('is none of a transaction that was never sent', async () => {
    const { ask } = await setup();
    const asking = ask(DAPP, `0x${'11'.repeat(32)}`);
    expect(await refusalOf(asking)).toStrictEqual(REFUSAL);
  });

  it('is none of one that is pending', async () => {
    const { ask, send, edges } = await setup();
    edges.wallet.answers.eth_getTransactionByHash = null;
    const hash = await send({ value: '0x2' });
    expect(await refusalOf(ask(DAPP, hash))).toStrictEqual(REFUSAL);
  });

  it("does not stand in for the node's answer while there is one", async () => {
    const { ask, hash, edges } = await setup();
    edges.wallet.answers[METHOD] = { ...RECEIPT, gasUsed: '0x1' };
    expect(await ask(DAPP, hash)).toHaveProperty('gasUsed', '0x1');
  });

  it('does not hide a fault of ours', async () => {
    const { ask, hash, app } = await setup();
    app.services.chains.connect = async () => Promise.reject(new TypeError('broken'));
    expect(await refusalOf(ask(DAPP, hash))).toHaveProperty('code', -32603);
  });

  it('is for no other question than for receipts', async () => {
    const { call, hash } = await setup();
    const asking = call('eth_getTransactionByHash', [hash]);
    expect(await refusalOf(asking)).toHaveProperty('code', -32000);
  });
});
