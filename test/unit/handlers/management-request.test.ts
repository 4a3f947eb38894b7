import type { KeyringAccount } from '@metamask/keyring-api';

import { callersOf } from '../../support/callers';
import type { Callers } from '../../support/callers';
import { refusalOf } from '../../support/refusal';
import { SETTINGS } from '../../support/stored-accounts';
import { COMPANION, createAccount, createTestApp, DAPP } from '../../support/test-app';
import type { Edges, TestApp } from '../../support/test-app';

const OTHER = 'https://other.example';
const ID = '9c190a38-8a7c-4f84-a390-53cd8b5f758b';

const scopes = ['eip155:1', 'eip155:5'];

type Bench = {
  app: TestApp;
  edges: Edges;
  rpc: Callers['rpc'];
  /** Call as the companion does. */
  manage: (method: string, ...params: unknown[]) => Promise<unknown>;
  eoa: KeyringAccount;
  smart: KeyringAccount;
};

async function setup(): Promise<Bench> {
  const app = createTestApp();
  const { rpc } = callersOf(app);
  const eoa = await createAccount(app);
  const smart = await createAccount(app, { type: 'eip155:erc4337', scopes });
  const manage: Bench['manage'] = (method, ...params) =>
    rpc(COMPANION, `tollkeeper_${method}`, params);
  return { app, edges: app.edges, rpc, manage, eoa, smart };
}

const toRow = ({ id, address }: KeyringAccount): unknown => ({ id, address });

const lost = (id: string): unknown => ({
  code: -32001,
  message:
    `There is no account with the id ${id}. If Tollkeeper was installed anew, restore its ` +
    'accounts on its home page in MetaMask; imported ones have to be imported again.',
});

describe('tollkeeper_getDeployments', () => {
  it('tells of each chain of a smart account whether it is deployed there', async () => {
    const { manage, edges, smart } = await setup();
    edges.wallet.answers.eth_getCode = '0x6080';
    expect(await manage('getDeployments', { account: smart.id })).toStrictEqual({
      'eip155:1': 'deployed',
      'eip155:5': 'unknown',
    });
    expect(edges.wallet.calls).toContainEqual({
      method: 'eth_getCode',
      params: [smart.address, 'latest'],
    });
  });

  it('refuses an account that is no contract', async () => {
    const { manage, eoa } = await setup();
    expect(
      await refusalOf(manage('getDeployments', { account: eoa.id })),
    ).toStrictEqual({
      code: -32602,
      message:
        "tollkeeper_getDeployments: params.account must be a smart account's id.",
    });
  });

  it('refuses an account that is not there', async () => {
    const { manage } = await setup();
    const asking = manage('getDeployments', { account: ID });
    expect(await refusalOf(asking)).toStrictEqual(lost(ID));
  });
});

describe('tollkeeper_getGrants', () => {
  it('lists what each origin was granted, by id and address', async () => {
    const { manage, app, eoa, smart } = await setup();
    expect(await manage('getGrants')).toStrictEqual([]);
    await app.services.grants.set(DAPP, [smart.id, eoa.id]);
    await app.services.grants.set(OTHER, [eoa.id]);
    expect(await manage('getGrants')).toStrictEqual([
      { origin: DAPP, accounts: [toRow(smart), toRow(eoa)] },
      { origin: OTHER, accounts: [toRow(eoa)] },
    ]);
  });
});

describe('tollkeeper_revokeGrant', () => {
  it('takes one account back from a site, or all', async () => {
    const { manage, app, rpc, eoa, smart } = await setup();
    for (const origin of [DAPP, OTHER]) {
      await app.services.grants.set(origin, [smart.id, eoa.id]);
    }
    const one = { origin: DAPP, account: smart.id };
    expect(await manage('revokeGrant', one)).toBeNull();
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([eoa.address]);
    expect(await manage('revokeGrant', { origin: OTHER })).toBeNull();
    expect(await rpc(OTHER, 'eth_accounts')).toStrictEqual([]);
    const left = [{ origin: DAPP, accounts: [toRow(eoa)] }];
    expect(await manage('getGrants')).toStrictEqual(left);
  });

  it('is done already for a site that was granted nothing', async () => {
    const { manage } = await setup();
    expect(await manage('revokeGrant', { origin: DAPP })).toBeNull();
    expect(await manage('revokeGrant', { origin: DAPP, account: ID })).toBeNull();
  });
});

describe('the settings', () => {
  it('are changed by those that are named, and outlive the worker', async () => {
    const { manage, app } = await setup();
    const synchronous = SETTINGS;
    const asynchronous = {
      approvalMode: 'asynchronous',
      feeLevel: 'low',
      secondConfirmation: true,
      notifications: false,
    };
    expect(await manage('getSettings')).toStrictEqual(synchronous);
    expect(await manage('setSettings', {})).toStrictEqual(synchronous);
    expect(await manage('setSettings', asynchronous)).toStrictEqual(asynchronous);
    const { rpc } = callersOf(createTestApp(app.edges));
    expect(await rpc(COMPANION, 'tollkeeper_getSettings')).toStrictEqual(asynchronous);
    expect(await manage('setSettings', synchronous)).toStrictEqual(synchronous);
  });
});

describe('tollkeeper_getStatus', () => {
  it('tells how the snap is', async () => {
    const { manage } = await setup();
    expect(await manage('getStatus')).toStrictEqual({
      documents: [
        { name: 'encrypted state', problem: null },
        { name: 'public state', problem: null },
      ],
      accounts: 2,
      unsettled: 0,
      requests: 0,
    });
  });

  it('is answered although the document with the accounts is not valid', async () => {
    const { edges } = await setup();
    edges.backend.document = { version: 1 };
    const { rpc } = callersOf(createTestApp(edges));
    expect(await rpc(COMPANION, 'tollkeeper_getStatus')).toMatchObject({
      documents: [
        {
          problem:
            'The stored encrypted state is not valid and was left as it is: encrypted ' +
            'state.accounts is missing: it must be an object.',
        },
        { problem: null },
      ],
      accounts: null,
    });
    expect(edges.backend.document).toStrictEqual({ version: 1 });
  });
});

describe('params', () => {
  const id = 'a string of at most 36 characters';
  const origin = 'a string of at most 2048 characters';
  const modes = 'one of "synchronous", "asynchronous"';
  const levels = 'one of "low", "medium", "high"';

  it.each<[string, unknown[], string]>([
    ['getDeployments', [], `.account is missing: it must be ${id}.`],
    ['getDeployments', [7], ' must be an object.'],
    ['getDeployments', [[{ account: ID }]], ' must be one object.'],
    ['getDeployments', [{}], `.account is missing: it must be ${id}.`],
    ['getDeployments', [{ account: 'a'.repeat(37) }], `.account must be ${id}.`],
    ['getDeployments', [{ account: ID, x: 1 }], '.x is not expected here.'],
    ['getDeployments', [{ account: ID }, 1], ' must be one object.'],
    ['revokeGrant', [], `.origin is missing: it must be ${origin}.`],
    ['revokeGrant', [{}], `.origin is missing: it must be ${origin}.`],
    ['revokeGrant', [{ origin: null }], `.origin must be ${origin}.`],
    ['revokeGrant', [{ origin: DAPP, id: ID }], '.id is not expected here.'],
    ['setSettings', [{ approvalMode: 'never' }], `.approvalMode must be ${modes}.`],
    ['setSettings', [{ feeLevel: 'urgent' }], `.feeLevel must be ${levels}.`],
    ['setSettings', [{ colour: 'red' }], '.colour is not expected here.'],
  ])('of %s are refused: %j', async (method, params, reason) => {
    const { manage, edges } = await setup();
    const before = edges.backend.document;
    expect(await refusalOf(manage(method, ...params))).toStrictEqual({
      code: -32602,
      message: `tollkeeper_${method}: params${reason}`,
    });
    expect(edges.backend.document).toBe(before);
  });
});
