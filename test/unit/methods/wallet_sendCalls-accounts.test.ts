// Whose calls wallet_sendCalls sends, on which chains, and under which ids.
import { callersOf } from '../../support/callers';
import { CALLS, createCallsBench } from '../../support/calls-bench';
import { refusalOf } from '../../support/refusal';
import { DAPP } from '../../support/test-app';

describe('wallet_sendCalls refuses', () => {
  it('to promise atomicity for an ordinary account', async () => {
    const { sendCalls, address } = await createCallsBench();
    expect(await refusalOf(sendCalls({ atomicRequired: true }))).toStrictEqual({
      code: 5760,
      message:
        `The account ${address} cannot send calls atomically: it sends a transaction for ` +
        'each. A smart account can.',
    });
  });

  it('a chain that a smart account does not serve', async () => {
    const { sendCalls, smart } = await createCallsBench();
    const refused = refusalOf(sendCalls({ from: smart.address, chainId: '0x5' }));
    expect(await refused).toStrictEqual({
      code: 5710,
      message: `The account ${smart.address} serves eip155:1, not eip155:5.`,
    });
  });

  it('a chain without a bundler for a smart account', async () => {
    const { sendCalls, smart, app } = await createCallsBench();
    await app.services.store.update((state) => ({ ...state, chains: {} }));
    expect(await refusalOf(sendCalls({ from: smart.address }))).toStrictEqual({
      code: 5710,
      message:
        'No bundler is configured for eip155:1. Configure one with tollkeeper_setChain.',
    });
  });

  it('an id that the site has used', async () => {
    const { sendCalls, smart, edges, pool } = await createCallsBench();
    await sendCalls({ id: 'mine' });
    const shown = edges.dialogs.shown.length;
    const again = sendCalls({ id: 'mine', from: smart.address });
    expect(await refusalOf(again)).toStrictEqual({
      code: 5720,
      message: 'Calls with the id "mine" were sent already. Choose another id.',
    });
    expect(edges.dialogs.shown).toHaveLength(shown);
    expect(pool.size).toBe(2);
  });

  it('one of two with the same id at once', async () => {
    const { sendCalls, pool } = await createCallsBench();
    const both = await Promise.allSettled(
      [1, 2].map(async () => sendCalls({ id: 'm' })),
    );
    expect(both.map(({ status }) => status).sort()).toStrictEqual([
      'fulfilled',
      'rejected',
    ]);
    expect(pool.size).toBe(2);
  });

  it('to guess whose calls they are', async () => {
    const { sendCalls } = await createCallsBench();
    const { code, message } = await refusalOf(sendCalls({ from: undefined }));
    expect(code).toBe(-32602);
    expect(message).toContain('granted 2 accounts that offer wallet_sendCalls');
  });

  it('an account that was not granted', async () => {
    const { sendCalls, app } = await createCallsBench();
    await app.services.grants.revoke(DAPP);
    expect(await refusalOf(sendCalls())).toHaveProperty('code', 4100);
    const anybody = refusalOf(sendCalls({ from: undefined }));
    expect(await anybody).toStrictEqual({
      code: 4100,
      message:
        'This origin was granted no account of type eip155:eoa or eip155:erc4337. Ask for ' +
        'one with wallet_requestPermissions.',
    });
  });

  it('an account that is not the one that is named outright', async () => {
    const { call, address, smart } = await createCallsBench();
    const [wanted] = [{ version: '2.0.0', chainId: '0x1', atomicRequired: false }];
    const params = [{ ...wanted, from: address, calls: CALLS }];
    const refused = refusalOf(
      call('wallet_sendCalls', { account: smart.address, params }),
    );
    expect(await refused).toHaveProperty('code', -32602);
  });

  it("nothing over another site's id", async () => {
    const { sendCalls, app, address, pool } = await createCallsBench();
    await sendCalls({ id: 'mine' });
    const [account] = await app.services.grants.list(DAPP);
    await app.services.grants.set('https://other.example', [account?.id ?? '']);
    const params = {
      version: '2.0.0',
      id: 'mine',
      from: address,
      chainId: '0x1',
      atomicRequired: false,
      calls: CALLS,
    };
    const other = callersOf(app).rpc('https://other.example', 'wallet_sendCalls', [
      params,
    ]);
    expect(await other).toStrictEqual({ id: 'mine' });
    expect(pool.size).toBe(4);
  });
});

describe('wallet_sendCalls takes', () => {
  it('the only account that was granted', async () => {
    const { sendCalls, app, smart, operations } = await createCallsBench();
    await app.services.grants.set(DAPP, [smart.id]);
    await sendCalls({ from: undefined });
    expect(operations.size).toBe(1);
  });

  it('an id of 8194 characters', async () => {
    const { sendCalls, status } = await createCallsBench();
    const id = 'x'.repeat(8_194);
    expect(await sendCalls({ id })).toStrictEqual({ id });
    expect(await status(id)).toHaveProperty('id', id);
  });
});
