import { keccak256 } from 'viem';

import { keyOfIndex } from '../../support/entropy';
import { refuses } from '../../support/fake-node';
import { createRawBench, METHOD, sign, SITE, STRANGER } from '../../support/raw-bench';
import { refusalOf } from '../../support/refusal';
import { RECIPIENT } from '../../support/send-bench';
import { createAccount } from '../../support/test-app';

describe('eth_sendRawTransaction', () => {
  it('sends what one of our accounts signed, and follows it', async () => {
    const { sendRaw, pool, address, activity, edges, app } = await createRawBench();
    const shown = edges.dialogs.shown.length;
    const [account] = await app.services.keyring.listAccounts();
    const raw = await sign();
    const hash = keccak256(raw);
    expect(await sendRaw([raw])).toBe(hash);
    expect([...pool]).toStrictEqual([[hash, raw]]);
    expect(edges.dialogs.shown).toHaveLength(shown);
    expect(await activity()).toStrictEqual([
      {
        hash,
        chain: 'eip155:1',
        account: account?.id,
        from: address,
        to: RECIPIENT,
        nonce: '0x5',
        value: '0x1',
        fees: { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' },
        origin: SITE,
        sentAt: edges.clock.time,
        status: 'pending',
        canBeReplaced: true,
        hasReceipt: false,
      },
    ]);
    expect(edges.alarm.due).toBe(edges.clock.time + 3_000);
  });

  it('counts its nonce as taken', async () => {
    const { sendRaw, call, address } = await createRawBench();
    await sendRaw([await sign()]);
    const filled = await call('eth_fillTransaction', [
      { from: address, to: RECIPIENT },
    ]);
    expect(filled).toMatchObject({ tx: { nonce: '0x6' } });
  });

  it('only sends it for a site that was granted nothing, and tells it nothing', async () => {
    const { rpc, pool, activity } = await createRawBench();
    const raw = await sign();
    const site = 'https://stranger.example';
    expect(await rpc(site, METHOD, [raw])).toBe(keccak256(raw));
    expect([...pool.values()]).toStrictEqual([raw]);
    expect(await activity()).toStrictEqual([]);
  });

  it('only sends what a stranger signed', async () => {
    const { sendRaw, pool, activity, edges } = await createRawBench();
    const raw = await sign({}, STRANGER);
    expect(await sendRaw([raw])).toBe(keccak256(raw));
    expect([...pool.values()]).toStrictEqual([raw]);
    expect([await activity(), edges.alarm.due]).toStrictEqual([[], undefined]);
  });

  it.each([
    ['ours', keyOfIndex(0)],
    ["a stranger's", STRANGER],
  ])('sends %s twice without an error, and follows it once', async (_whose, key) => {
    const { sendRaw, activity, edges } = await createRawBench();
    const raw = await sign({}, key);
    await sendRaw([raw]);
    edges.clock.time += 1_000;
    const before = await activity();
    expect(await sendRaw([raw])).toBe(keccak256(raw));
    expect(await activity()).toStrictEqual(before);
  });

  it('tells why the node refuses, and follows nothing', async () => {
    const { sendRaw, activity, edges } = await createRawBench();
    const fault = { code: -32000, message: 'nonce too low' };
    edges.wallet.answers[METHOD] = refuses(fault);
    for (const key of [keyOfIndex(0), STRANGER]) {
      expect(await refusalOf(sendRaw([await sign({}, key)]))).toStrictEqual({
        code: -32000,
        message: `${METHOD} at the wallet's node failed: nonce too low.`,
      });
    }
    expect(await activity()).toStrictEqual([]);
  });

  it('follows no smart account, which signs no transaction', async () => {
    const { sendRaw, app, activity } = await createRawBench();
    await createAccount(app, { type: 'eip155:erc4337', scopes: ['eip155:1'] });
    await sendRaw([await sign({}, STRANGER)]);
    expect(await activity()).toStrictEqual([]);
  });
});
