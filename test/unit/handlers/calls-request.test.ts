// What a site is told of its calls (EIP-5792).
import type { Json } from '@metamask/utils';

import { callReceiptOf, createSentBench, LOG } from '../../support/calls-bench';
import { RECEIPT } from '../../support/receipts';
import { refusalOf } from '../../support/refusal';

describe('the status of calls of an ordinary account', () => {
  const told = { version: '2.0.0', id: 'mine', chainId: '0x1', atomic: false };

  it('is pending until all are included', async () => {
    const { status, mine, hashes } = await createSentBench();
    expect(await status('mine')).toStrictEqual({ ...told, status: 100 });
    mine(hashes[0] ?? null);
    expect(await status('mine')).toStrictEqual({
      ...told,
      status: 100,
      receipts: [callReceiptOf(hashes[0])],
    });
  });

  it.each([
    ['0x1', '0x1', 200],
    ['0x1', '0x0', 600],
    ['0x0', '0x0', 500],
  ] as const)('of %s and %s is %i', async (first, second, code) => {
    const { status, mine, hashes, edges } = await createSentBench();
    mine(hashes[0] ?? null, first);
    mine(hashes[1] ?? null, second);
    expect(await status('mine')).toStrictEqual({
      ...told,
      status: code,
      receipts: [callReceiptOf(hashes[0], first), callReceiptOf(hashes[1], second)],
    });
    // As from a poll: the user is told, once.
    expect(edges.told).toHaveLength(1);
  });

  it('tells of the logs no more than EIP-5792 wants', async () => {
    const { status, edges, hashes } = await createSentBench();
    edges.wallet.answers.eth_getTransactionReceipt = ([hash]) => ({
      ...RECEIPT,
      transactionHash: hash ?? null,
      logs: [LOG],
    });
    const { address, data, topics } = LOG;
    expect(await status('mine')).toHaveProperty('receipts', [
      { ...callReceiptOf(hashes[0]), logs: [{ address, data, topics }] },
      { ...callReceiptOf(hashes[1]), logs: [{ address, data, topics }] },
    ]);
  });

  it('is partial if sending broke off', async () => {
    const { status, mine, hashes } = await createSentBench(1);
    expect(await status('mine')).toHaveProperty('status', 100);
    mine(hashes[0] ?? null);
    expect(await status('mine')).toStrictEqual({
      ...told,
      status: 600,
      receipts: [callReceiptOf(hashes[0])],
    });
  });

  it('is a failure if sending broke off, and what was sent reverted', async () => {
    const { status, mine, hashes } = await createSentBench(1);
    mine(hashes[0] ?? null, '0x0');
    expect(await status('mine')).toHaveProperty('status', 500);
  });

  it('is 400 if none of them was ever included', async () => {
    const { status, edges, poll } = await createSentBench();
    edges.wallet.answers.eth_getTransactionByHash = null;
    await poll(3_000);
    edges.clock.time += 120_000;
    expect(await status('mine')).toStrictEqual({ ...told, status: 400 });
  });

  it('follows one that was sped up', async () => {
    const { status, call, mine, hashes } = await createSentBench(3);
    const params = [hashes[1] ?? null, { action: 'speedUp' }];
    const faster = await call('tollkeeper_replaceTransaction', params);
    mine(hashes[0] ?? null);
    mine(faster);
    expect(await status('mine')).toStrictEqual({
      ...told,
      status: 200,
      receipts: [callReceiptOf(hashes[0]), callReceiptOf(faster)],
    });
  });

  it('counts one that was cancelled as not included', async () => {
    const { status, call, mine, hashes } = await createSentBench(3);
    const params = [hashes[1] ?? null, { action: 'cancel' }];
    const cancelled = await call('tollkeeper_replaceTransaction', params);
    mine(hashes[0] ?? null);
    mine(cancelled);
    expect(await status('mine')).toStrictEqual({
      ...told,
      status: 600,
      receipts: [callReceiptOf(hashes[0])],
    });
  });

  it('is asked of the node for what is not remembered', async () => {
    const { status, app, mine, hashes } = await createSentBench();
    mine(hashes[0] ?? null);
    mine(hashes[1] ?? null);
    await app.services.store.update((state) => ({ ...state, activity: {} }));
    expect(await status('mine')).toStrictEqual({
      ...told,
      status: 200,
      receipts: hashes.map((hash) => callReceiptOf(hash)),
    });
  });

  it('is 400 for what is neither remembered nor known to the node', async () => {
    const { status, app } = await createSentBench();
    await app.services.store.update((state) => ({ ...state, activity: {} }));
    expect(await status('mine')).toStrictEqual({ ...told, status: 400 });
  });

  it('asks for a receipt that was too long to be kept', async () => {
    const { status, edges } = await createSentBench();
    const logs = Array.from({ length: 100 }, () => LOG);
    edges.wallet.answers.eth_getTransactionReceipt = ([hash]) => ({
      ...RECEIPT,
      transactionHash: hash ?? null,
      logs,
    });
    const { receipts } = (await status('mine')) as { receipts: { logs: Json[] }[] };
    expect(receipts.map((each) => each.logs.length)).toStrictEqual([100, 100]);
    edges.wallet.answers.eth_getTransactionReceipt = null;
    expect(await refusalOf(status('mine'))).toHaveProperty('code', -32002);
  });

  it('is told from what is known if nobody can be asked', async () => {
    const { status, app } = await createSentBench();
    app.services.tracker.poll = async () => Promise.reject(new Error('full'));
    expect(await status('mine')).toStrictEqual({ ...told, status: 100 });
  });
});
