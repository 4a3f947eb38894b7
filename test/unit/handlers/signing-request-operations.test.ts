import type { KeyringAccount } from '@metamask/keyring-api';

import { callersOf } from '../../support/callers';
import type { Callers } from '../../support/callers';
import { serving } from '../../support/fake-fetch';
import { createFakeNode } from '../../support/fake-node';
import { callEntryPoint, operationOf } from '../../support/operations';
import { refusalOf } from '../../support/refusal';
import { createAccount, createTestApp, DAPP } from '../../support/test-app';
import type { TestApp } from '../../support/test-app';
import { TO } from '../../support/transactions';

const SMART = { type: 'eip155:erc4337', entryPoint: '0.7' };
const KEY = 'k3y-of-the-user-0123456789abcdef';
const PREPARE = 'eth_prepareUserOperation';

const intents = [{ to: TO, value: '0x0', data: '0x' }];

type Bench = Callers & { app: TestApp; smart: KeyringAccount };

/** A smart account on chain 1, whose bundler has a key. */
async function setup(): Promise<Bench> {
  const app = createTestApp();
  const { edges, services } = app;
  const estimate = {
    callGasLimit: '0x1',
    verificationGasLimit: '0x1',
    preVerificationGas: '0x1',
  };
  const bundler = createFakeNode({ eth_estimateUserOperationGas: estimate });
  edges.network.serve('https://bundler.example', serving(bundler));
  Object.assign(edges.wallet.answers, { eth_getCode: '0x', eth_call: callEntryPoint });
  const row = { bundlerUrl: 'https://bundler.example', bundlerApiKey: KEY };
  await services.store.update((state) => ({ ...state, chains: { 'eip155:1': row } }));
  return { ...callersOf(app), app, smart: await createAccount(app, SMART) };
}

describe('eth_prepareUserOperation of a dapp', () => {
  it('takes the one smart account that was granted, and asks nobody', async () => {
    const { rpc, app, smart } = await setup();
    const eoa = await createAccount(app);
    await app.services.grants.set(DAPP, [eoa.id, smart.id]);
    const prepared = await rpc(DAPP, PREPARE, intents);
    expect(prepared).toHaveProperty('bundlerUrl', 'https://bundler.example');
    expect(JSON.stringify(prepared)).not.toContain(KEY);
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  it('is refused without a smart account, and says how to ask for one', async () => {
    const { rpc, app } = await setup();
    const eoa = await createAccount(app);
    await app.services.grants.set(DAPP, [eoa.id]);
    expect(await refusalOf(rpc(DAPP, PREPARE, intents))).toStrictEqual({
      code: 4100,
      message:
        'This origin was granted no account of type eip155:erc4337. Ask for one with ' +
        'wallet_requestPermissions.',
    });
    expect(app.edges.network.sent).toStrictEqual([]);
  });

  it('is refused if several can be meant, and says how to name one', async () => {
    const { rpc, app, smart } = await setup();
    const other = await createAccount(app, SMART);
    await app.services.grants.set(DAPP, [smart.id, other.id]);
    expect(await refusalOf(rpc(DAPP, PREPARE, intents))).toStrictEqual({
      code: -32602,
      message:
        'This origin was granted 2 accounts that offer eth_prepareUserOperation. Say ' +
        'which: { "account": address or id, "scope"?: CAIP-2 chain, "params": [...] }.',
    });
  });

  it('takes the account that is named so', async () => {
    const { rpc, app, smart } = await setup();
    const other = await createAccount(app, { ...SMART, salt: '0x2' });
    await app.services.grants.set(DAPP, [smart.id, other.id]);
    const named = { account: other.address, scope: 'eip155:1', params: intents };
    const { initCode } = (await rpc(DAPP, PREPARE, named)) as { initCode: string };
    expect(initCode.endsWith('2')).toBe(true);
  });

  it('is refused for an account that was not granted', async () => {
    const { rpc, app, smart } = await setup();
    const other = await createAccount(app, SMART);
    await app.services.grants.set(DAPP, [smart.id]);
    const named = { account: other.id, params: intents };
    expect(await refusalOf(rpc(DAPP, PREPARE, named))).toHaveProperty('code', 4100);
  });

  it('is found malformed before it is found ungranted', async () => {
    const { rpc } = await setup();
    expect(await refusalOf(rpc(DAPP, PREPARE, [{}]))).toHaveProperty('code', -32602);
  });
});

describe('eth_patchUserOperation of a dapp', () => {
  it('is answered for the sender that was granted, and asks nobody', async () => {
    const { rpc, app, smart } = await setup();
    await app.services.grants.set(DAPP, [smart.id]);
    const params = [operationOf(smart.address)];
    expect(await rpc(DAPP, 'eth_patchUserOperation', params)).toStrictEqual({
      paymasterAndData: '0x',
    });
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  it('is refused without a grant', async () => {
    const { rpc, smart } = await setup();
    const patching = rpc(DAPP, 'eth_patchUserOperation', [operationOf(smart.address)]);
    expect(await refusalOf(patching)).toHaveProperty('code', 4100);
  });
});
