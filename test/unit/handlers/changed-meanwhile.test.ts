// What changes while a dialog is open: what was checked before it is checked after it again.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import { stringToHex } from 'viem';

import { callersOf } from '../../support/callers';
import type { Callers } from '../../support/callers';
import { createRequestBench, idOf } from '../../support/keyring-bench';
import { operationOf } from '../../support/operations';
import { refusalOf } from '../../support/refusal';
import { setupSubmitBench } from '../../support/submit-bench';
import { COMPANION, createAccount, createTestApp, DAPP } from '../../support/test-app';
import type { TestApp } from '../../support/test-app';
import { transactions } from '../../support/transactions';
import { mailOf } from '../../support/typed-data';

const SMART = { type: 'eip155:erc4337', scopes: ['eip155:1', 'eip155:5'] };

const approval = { approved: true, values: {} };

const notGranted = {
  code: 4100,
  message:
    'This origin was not granted that account. Ask for it with wallet_requestPermissions.',
};

/** Have something happen while the dialog is open, and have the user approve then. */
function meanwhile(app: TestApp, happen: () => Promise<unknown>): void {
  app.edges.dialogs.answer = async () => {
    await happen();
    return approval;
  };
}

type Bench = Callers & { app: TestApp; eoa: KeyringAccount; smart: KeyringAccount };

async function setup(): Promise<Bench> {
  const app = createTestApp();
  const eoa = await createAccount(app);
  const smart = await createAccount(app, SMART);
  await app.services.grants.set(DAPP, [eoa.id, smart.id]);
  return { ...callersOf(app), app, eoa, smart };
}

const requests: [string, (bench: Pick<Bench, 'eoa' | 'smart'>) => unknown[]][] = [
  ['personal_sign', ({ eoa }) => [stringToHex('hello'), eoa.address]],
  ['eth_signTypedData_v4', ({ eoa }) => [eoa.address, mailOf(1)]],
  ['eth_signTransaction', ({ eoa }) => [{ from: eoa.address, ...transactions.legacy }]],
  ['eth_sendTransaction', ({ eoa }) => [{ from: eoa.address, ...transactions.legacy }]],
  ['eth_signUserOperation', ({ smart }) => [operationOf(smart.address)]],
];

describe.each(requests)('while the user is asked for %s', (method, paramsFor) => {
  it('the grant is taken back: nothing is signed', async () => {
    const bench = await setup();
    const { app, rpc } = bench;
    meanwhile(app, async () =>
      rpc(COMPANION, 'tollkeeper_revokeGrant', [{ origin: DAPP }]),
    );
    expect(await refusalOf(rpc(DAPP, method, paramsFor(bench)))).toStrictEqual(
      notGranted,
    );
    expect(app.edges.dialogs.shown).toHaveLength(1);
  });

  it('the account is deleted: nothing is signed', async () => {
    const bench = await setup();
    const { app, rpc, keyring, eoa, smart } = bench;
    meanwhile(app, async () => {
      for (const { id } of [eoa, smart]) {
        await keyring('metamask', 'keyring_deleteAccount', { id });
      }
    });
    expect(await refusalOf(rpc(DAPP, method, paramsFor(bench)))).toStrictEqual(
      notGranted,
    );
  });
});

describe('while a dialog is open', () => {
  it('the account is made to serve other chains: nothing is signed', async () => {
    const { app, rpc, keyring, smart } = await setup();
    const account = { ...smart, scopes: ['eip155:5'] };
    meanwhile(app, async () =>
      keyring('metamask', 'keyring_updateAccount', { account }),
    );
    const request = { scope: 'eip155:1', params: [operationOf(smart.address)] };
    expect(await refusalOf(rpc(DAPP, 'eth_signUserOperation', request))).toStrictEqual({
      code: -32602,
      message: `The account ${smart.address} was changed while its user was asked. Ask again.`,
    });
  });

  it('another site loses its grant: that is nobody else’s matter', async () => {
    const bench = await setup();
    const { app, rpc, eoa } = bench;
    await app.services.grants.set('https://other.example', [eoa.id]);
    meanwhile(app, async () =>
      rpc(COMPANION, 'tollkeeper_revokeGrant', [{ origin: 'https://other.example' }]),
    );
    const params = [stringToHex('hello'), eoa.address];
    expect(await rpc(DAPP, 'personal_sign', params)).toMatch(/^0x/u);
  });

  it('an account of MetaMask is deleted: nothing is signed', async () => {
    const { app, submit, keyring, eoa } = await setupSubmitBench();
    await app.services.store.update((state) => ({
      ...state,
      settings: { ...state.settings, secondConfirmation: true },
    }));
    meanwhile(app, async () =>
      keyring('metamask', 'keyring_deleteAccount', { id: eoa.id }),
    );
    const signing = submit('personal_sign', [stringToHex('hello'), eoa.address]);
    expect(await refusalOf(signing)).toHaveProperty('code', -32001);
  });

  it('the account whose key is wanted is deleted: no key is given', async () => {
    const { app, keyring, eoa } = await setup();
    meanwhile(app, async () =>
      keyring('metamask', 'keyring_deleteAccount', { id: eoa.id }),
    );
    const exporting = keyring(COMPANION, 'keyring_exportAccount', { id: eoa.id });
    expect(await refusalOf(exporting)).toHaveProperty('code', -32001);
  });
});

describe('a request that waits', () => {
  async function setupTwice(): ReturnType<typeof createRequestBench> {
    const bench = await createRequestBench();
    const { rpc } = callersOf(bench.app);
    await rpc(COMPANION, 'tollkeeper_setSettings', [{ secondConfirmation: true }]);
    await bench.submit(idOf(1));
    return bench;
  }

  it('is rejected while its user is asked: nothing is signed', async () => {
    const { app, companion, metamask } = await setupTwice();
    meanwhile(app, async () => companion('keyring_rejectRequest', { id: idOf(1) }));
    const approving = companion('keyring_approveRequest', { id: idOf(1), data: {} });
    expect(await refusalOf(approving)).toStrictEqual({
      code: -32001,
      message: `No request with the id ${idOf(1)} waits for approval.`,
    });
    expect(metamask.requests.get(idOf(1))).toBe('rejected');
  });

  it('is approved twice at once: it is signed once', async () => {
    const { app, companion, metamask } = await setupTwice();
    const approve = async (): Promise<Json> =>
      companion('keyring_approveRequest', { id: idOf(1), data: {} });
    let inner: Promise<Json> | undefined;
    meanwhile(app, async () => {
      if (inner) return;
      inner = approve();
      await inner;
    });
    expect(await refusalOf(approve())).toHaveProperty('code', -32001);
    expect(metamask.requests.get(idOf(1))).toMatch(/^0x/u);
    const told = app.edges.events.emitted.map(([event]) => event);
    expect(told.filter((event) => event === 'notify:requestApproved')).toHaveLength(1);
  });
});
