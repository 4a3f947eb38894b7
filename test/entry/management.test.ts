// What manages the snap: the methods of the companion page, and what they may not let out.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import { privateKeyToAddress } from 'viem/accounts';

import { callersOf } from '../support/callers';
import { keyOfIndex } from '../support/entropy';
import { createGate, settle } from '../support/gate';
import { giveGrant } from '../support/given';
import { createRequestBench, createRestoreBench, idOf } from '../support/keyring-bench';
import { lower } from '../support/records';
import { expectRefusal, refusalOf } from '../support/refusal';
import { createSendBench, RECIPIENT } from '../support/send-bench';
import { SETTINGS } from '../support/stored-accounts';
import {
  COMPANION,
  createAccount,
  createTestApp,
  DAPP,
  OTHER_SITE,
} from '../support/test-app';
import type { TestApp } from '../support/test-app';

const ID = '9c190a38-8a7c-4f84-a390-53cd8b5f758b';
const KEY = 'k3y-of-the-user-0123456789abcdef';

type Manage = (method: string, ...params: unknown[]) => Promise<Json>;

const manageBy =
  (getApp: () => TestApp): Manage =>
  async (method, ...params) =>
    callersOf(getApp()).rpc(COMPANION, `tollkeeper_${method}`, params);

async function setup() {
  const app = createTestApp();
  const eoa = await createAccount(app);
  const scopes = ['eip155:1', 'eip155:5'];
  const smart = await createAccount(app, { type: 'eip155:erc4337', scopes });
  return { ...callersOf(app), app, manage: manageBy(() => app), eoa, smart };
}

it('lets the companion see and use an account only with a grant, as every site', async () => {
  const { rpc, eoa } = await setup();
  expect(await rpc(COMPANION, 'eth_accounts')).toStrictEqual([]);
  const signing = rpc(COMPANION, 'personal_sign', ['0x', eoa.address]);
  await expectRefusal(signing, 4100);
});

it('lists the deployments of smart accounts alone', async () => {
  const { manage, eoa } = await setup();
  expect(await refusalOf(manage('getDeployments', { account: eoa.id }))).toStrictEqual({
    code: -32602,
    message: "tollkeeper_getDeployments: params.account must be a smart account's id.",
  });
  const asking = manage('getDeployments', { account: ID });
  await expectRefusal(asking, -32001, `There is no account with the id ${ID}.`);
});

describe('grants', () => {
  const toRow = ({ id, address }: KeyringAccount): unknown => ({ id, address });

  it('are listed by site in the order of granting, and taken back one by one or all', async () => {
    const { manage, app, rpc, eoa, smart } = await setup();
    const third = await createAccount(app);
    const accounts = [smart, eoa, third];
    const granted = accounts.map(toRow);
    expect(await manage('getGrants')).toStrictEqual([]);
    for (const origin of [DAPP, OTHER_SITE, '__proto__']) {
      await giveGrant(app, origin, ...accounts);
    }
    expect(await manage('getGrants')).toStrictEqual([
      { origin: DAPP, accounts: granted },
      { origin: OTHER_SITE, accounts: granted },
      { origin: '__proto__', accounts: granted },
    ]);
    expect(await manage('revokeGrant', { origin: DAPP, account: eoa.id })).toBeNull();
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([
      smart.address,
      third.address,
    ]);
    expect(await manage('revokeGrant', { origin: OTHER_SITE })).toBeNull();
    for (const { id } of accounts) {
      await manage('revokeGrant', { origin: '__proto__', account: id });
    }
    const left = [{ origin: DAPP, accounts: [smart, third].map(toRow) }];
    expect(await manage('getGrants')).toStrictEqual(left);
    expect(
      Object.keys((app.edges.backend.document as { grants: object }).grants),
    ).toStrictEqual([DAPP]);
  });

  it('are left alone where nothing was granted that could be taken back', async () => {
    const { manage, app, eoa } = await setup();
    await giveGrant(app, DAPP, eoa);
    const before = app.edges.backend.document;
    for (const origin of [OTHER_SITE, '__proto__', 'constructor']) {
      expect(await manage('revokeGrant', { origin })).toBeNull();
      expect(await manage('revokeGrant', { origin, account: eoa.id })).toBeNull();
    }
    expect(app.edges.backend.document).toBe(before);
    await manage('revokeGrant', { origin: DAPP, account: ID });
    expect(app.edges.backend.document).toStrictEqual(before);
  });
});

it('has the usual settings until others are chosen', async () => {
  const { manage } = await setup();
  expect(await manage('getSettings')).toStrictEqual(SETTINGS);
  expect(await manage('setSettings', {})).toStrictEqual(SETTINGS);
});

describe('tollkeeper_getStatus', () => {
  const NOT_GIVEN = 'MetaMask did not give it out.';
  const unknown = { accounts: null, unsettled: null, requests: null };
  const documents = (problem: unknown, publicProblem: unknown): unknown => [
    { name: 'encrypted state', problem },
    { name: 'public state', problem: publicProblem },
  ];

  /** Two accounts, one of which MetaMask has not answered for, and a request that waits. */
  async function setupStatus() {
    const bench = await createRequestBench();
    await bench.submit(idOf(1));
    bench.metamask.decide = async () => new Promise(() => undefined);
    void bench.create().catch(() => undefined);
    await settle();
    await settle();
    bench.restart();
    return { app: bench.app, ask: async () => manageBy(() => bench.app)('getStatus') };
  }

  it('counts stored entries, but no request of an earlier session', async () => {
    expect(await manageBy(() => createTestApp())('getStatus')).toStrictEqual({
      documents: documents(null, null),
      accounts: 0,
      unsettled: 0,
      requests: 0,
    });
    const { app, ask } = await setupStatus();
    const expected = { documents: documents(null, null), accounts: 1, unsettled: 1 };
    expect(await ask()).toStrictEqual({ ...expected, requests: 1 });
    app.edges.clock.isLocked = true;
    await app.entry.onStart({ origin: 'metamask' });
    expect(await ask()).toMatchObject({ accounts: 1, requests: 0 });
  });

  it('says what is wrong with each document, and changes neither', async () => {
    const { app } = await setupStatus();
    const { backend, publicBackend } = app.edges;
    const damaged = { ...(backend.document as object), settings: 7 } as Json;
    const newer = { ...(publicBackend.document as object), version: 99 } as Json;
    Object.assign(backend, { document: damaged });
    Object.assign(publicBackend, { document: newer });
    expect(await manageBy(() => createTestApp(app.edges))('getStatus')).toStrictEqual({
      documents: documents(
        'The stored encrypted state is not valid and was left as it is: encrypted ' +
          'state.settings must be an object.',
        'The stored public state has format 99; this version of Tollkeeper reads formats ' +
          'up to 6. Install a newer version of Tollkeeper.',
      ),
      ...unknown,
    });
    expect([backend.document, publicBackend.document]).toStrictEqual([damaged, newer]);
  });

  it('does not pass on the words of the wallet when it refuses', async () => {
    const { app } = await setupStatus();
    const { backend, publicBackend } = app.edges;
    const secret = async () => Promise.reject(new Error('secret words'));
    const { load } = backend;
    publicBackend.load = secret;
    const ask = async () => manageBy(() => createTestApp(app.edges))('getStatus');
    expect(await ask()).toMatchObject({
      documents: documents(null, NOT_GIVEN),
      accounts: 1,
    });
    backend.load = secret;
    expect(await ask()).toStrictEqual({
      documents: documents(NOT_GIVEN, NOT_GIVEN),
      ...unknown,
    });
    backend.load = load;
    expect(await ask()).toMatchObject({ accounts: 1 });
  });
});

describe('tollkeeper_getActivity', () => {
  it('lists what was sent, newest first, without signed bytes and receipts', async () => {
    const { send, mine, poll, edges, address, app } = await createSendBench();
    const list = async (): Promise<Json> => manageBy(() => app)('getActivity');
    const [account] = await app.services.keyring.listAccounts();
    const first = (await send()) as string;
    const inClear = (): string => JSON.stringify(edges.publicBackend.document);
    expect(edges.publicBackend.document).toHaveProperty(
      'pendingSince',
      edges.clock.time,
    );
    expect(inClear()).not.toMatch(new RegExp(`${first}|${address}`, 'u'));
    edges.clock.time += 1;
    const second = await send({ value: '0x2' });
    const sentAt = edges.clock.time;
    mine(first);
    await app.services.keyring.deleteAccount(account?.id ?? '');
    await poll(3_000);
    const common = {
      chain: 'eip155:1',
      account: account?.id,
      from: address,
      to: RECIPIENT,
      fees: { maxFeePerGas: '0x65ec8780', maxPriorityFeePerGas: '0x989680' },
      origin: DAPP,
    };
    const pending = { status: 'pending', canBeReplaced: true, hasReceipt: false };
    const included = {
      status: 'included',
      isFinal: false,
      canBeReplaced: false,
      hasReceipt: true,
    };
    const inclusion = {
      blockNumber: '0x10',
      blockHash: `0x${'cd'.repeat(32)}`,
      gasUsed: '0x5208',
      effectiveGasPrice: '0x3b9aca00',
      cost: '0x1319718a5000',
      success: true,
    };
    const settledAt = sentAt + 3_000;
    expect(await list()).toStrictEqual([
      { ...common, hash: second, nonce: '0x6', value: '0x2', sentAt, ...pending },
      {
        ...common,
        hash: first,
        nonce: '0x5',
        value: '0x1',
        sentAt: sentAt - 1,
        ...included,
        settledAt,
        inclusion,
      },
    ]);
    mine(second);
    edges.wallet.answers.eth_getBlockByNumber = {
      number: inclusion.blockNumber,
      hash: inclusion.blockHash,
      timestamp: '0x1',
    };
    await poll(3_000);
    await poll(3_000);
    expect(edges.publicBackend.document).toHaveProperty('pendingSince', null);
  });
});

describe('several accounts at once', () => {
  const nameOf = (index: number): unknown => ({
    name: `Tollkeeper ${index + 1}`,
    address: lower(privateKeyToAddress(keyOfIndex(index))),
  });
  const none = { declined: [], failed: [], skipped: [] };

  function setupMany() {
    const bench = createRestoreBench();
    const manage = manageBy(() => bench.app);
    return Object.assign(bench, {
      manage,
      make: async (...params: unknown[]) =>
        (await manage('createAccounts', ...params)) as unknown as {
          accounts: KeyringAccount[];
        },
    });
  }

  it('are made of a range; those that are declined are named', async () => {
    const { make, metamask } = setupMany();
    metamask.decide = async () => Promise.resolve(metamask.asked.length !== 2);
    const { accounts, ...others } = await make({ from: 1, count: 3 });
    expect(accounts.map(({ options }) => options.index)).toStrictEqual([1, 3]);
    expect(others).toStrictEqual({ ...none, declined: [nameOf(2)] });
    expect([...metamask.accounts.values()]).toStrictEqual(accounts);
  });

  it.each([[], [{ gap: 2 }]])(
    'are recovered that MetaMask holds and the snap lost: %j',
    async (...params) => {
      const bench = setupMany();
      const { accounts } = await bench.make({ count: 2 });
      bench.lose();
      expect(await bench.manage('restoreAccounts', ...params)).toStrictEqual({
        ...none,
        accounts: [],
        unchanged: [],
        unchecked: [],
        unreachable: [],
        recovered: accounts,
        isComplete: true,
      });
      expect(bench.metamask.asked).toHaveLength(2);
    },
  );

  it('are made one call at a time, with progress, and can be cancelled', async () => {
    const { make, manage, metamask } = setupMany();
    const { opened, open } = createGate();
    metamask.decide = async () => opened.then(() => true);
    expect(await manage('getProgress')).toBeNull();
    expect(await manage('cancelProgress')).toBe(false);
    const making = make({ count: 2 });
    await settle();
    await settle();
    const progress = { phase: 'announcing', done: 0, total: 2 };
    expect(await manage('getProgress')).toStrictEqual(progress);
    for (const [method, ...params] of [
      ['createAccounts', { count: 1 }],
      ['restoreAccounts'],
    ]) {
      expect(await refusalOf(manage(method as string, ...params))).toStrictEqual({
        code: -32005,
        message:
          'Accounts are already being created or restored; see tollkeeper_getProgress.',
      });
    }
    expect(await manage('cancelProgress')).toBe(true);
    open();
    const { accounts, ...others } = await making;
    expect(accounts).toHaveLength(1);
    expect(others).toStrictEqual({ ...none, skipped: [nameOf(1)] });
    expect(await manage('getProgress')).toBeNull();
  });
});

describe('malformed params', () => {
  const id = 'a string of at most 36 characters.';
  const origin = 'a string of at most 2048 characters.';
  const count = 'an integer from 1 to 100.';
  const index = 'an integer from 0 to 2147483647.';

  it.each<[string, unknown[], string]>([
    ['getDeployments', [], `.account is missing: it must be ${id}`],
    ['getDeployments', [7], ' must be an object.'],
    ['getDeployments', [{ account: 'a'.repeat(37) }], `.account must be ${id}`],
    ['getDeployments', [{ account: ID }, 1], ' must be one object.'],
    ['revokeGrant', [{ origin: null }], `.origin must be ${origin}`],
    ['revokeGrant', [{ origin: DAPP, id: ID }], '.id is not expected here.'],
    [
      'setSettings',
      [{ approvalMode: 'never' }],
      '.approvalMode must be one of "synchronous", "asynchronous".',
    ],
    [
      'setSettings',
      [{ feeLevel: 'urgent' }],
      '.feeLevel must be one of "low", "medium", "high".',
    ],
    ['createAccounts', [], `.count is missing: it must be ${count}`],
    ['createAccounts', [{ count: 0 }], `.count must be ${count}`],
    ['createAccounts', [{ count: 101 }], `.count must be ${count}`],
    ['createAccounts', [{ count: 1, from: -1 }], `.from must be ${index}`],
    [
      'createAccounts',
      [{ count: 2, from: 2 ** 31 - 1 }],
      `: the last index must be ${index}`,
    ],
    ['createAccounts', [{ count: 1, index: 0 }], '.index is not expected here.'],
    [
      'createAccounts',
      [{ count: 1, privateKey: KEY }],
      '.privateKey is not expected here.',
    ],
    [
      'createAccounts',
      [{ count: 1, salt: '0x1' }],
      ': salt is for accounts of type eip155:erc4337.',
    ],
    ['restoreAccounts', [{ gap: 0 }], `.gap must be ${count}`],
    ['restoreAccounts', [{ gap: 101 }], `.gap must be ${count}`],
    [
      'restoreAccounts',
      [{ entropySource: 7 }],
      '.entropySource must be a string of at most 256 characters.',
    ],
  ])('of %s are refused by name: %j', async (method, params, reason) => {
    const { manage, app } = await setup();
    const before = app.edges.backend.document;
    const { emitted } = app.edges.events;
    const events = emitted.length;
    expect(await refusalOf(manage(method, ...params))).toStrictEqual({
      code: -32602,
      message: `tollkeeper_${method}: params${reason}`,
    });
    expect(app.edges.backend.document).toBe(before);
    expect(emitted).toHaveLength(events);
  });
});
