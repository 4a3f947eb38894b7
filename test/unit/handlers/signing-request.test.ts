import type { KeyringAccount } from '@metamask/keyring-api';
import { stringToHex, verifyMessage } from 'viem';
import type { Hex } from 'viem';

import { handleSigningRequest } from '../../../src/handlers/signing-request';
import { callersOf } from '../../support/callers';
import type { Callers } from '../../support/callers';
import { createGate, settle } from '../../support/gate';
import { operationOf } from '../../support/operations';
import { refusalOf } from '../../support/refusal';
import { createAccount, createTestApp, DAPP, refuse } from '../../support/test-app';
import type { TestApp } from '../../support/test-app';
import { transactions } from '../../support/transactions';
import { mailOf } from '../../support/typed-data';
import { writeView } from '../../support/view';

const MESSAGE = stringToHex('hello');
const SMART = { type: 'eip155:erc4337' };

const notGranted = {
  code: 4100,
  message:
    'This origin was not granted that account. Ask for it with wallet_requestPermissions.',
};

type Bench = Callers & { app: TestApp; eoa: KeyringAccount; smart: KeyringAccount };

async function setup(): Promise<Bench> {
  const app = createTestApp();
  const eoa = await createAccount(app);
  const smart = await createAccount(app, SMART);
  return { ...callersOf(app), app, eoa, smart };
}

/** A dapp that was granted both accounts. */
async function setupGranted(): Promise<Bench> {
  const bench = await setup();
  await bench.app.services.grants.set(DAPP, [bench.eoa.id, bench.smart.id]);
  return bench;
}

const ENTRY = { type: 'string', name: 'Message', value: 'Hi, Alice!' };

/** Each method that names its account, with params for it. */
const requests: [string, (bench: Pick<Bench, 'eoa' | 'smart'>) => unknown[]][] = [
  ['personal_sign', ({ eoa }) => [MESSAGE, eoa.address]],
  ['eth_signTypedData_v1', ({ eoa }) => [[ENTRY], eoa.address]],
  ['eth_signTypedData_v3', ({ eoa }) => [mailOf(1), eoa.address]],
  ['eth_signTypedData_v4', ({ eoa }) => [eoa.address, mailOf(1)]],
  ['eth_signTransaction', ({ eoa }) => [{ from: eoa.address, ...transactions.legacy }]],
  ['eth_signUserOperation', ({ smart }) => [operationOf(smart.address)]],
];

describe.each(requests)('%s of a dapp', (method, paramsFor) => {
  it('is refused without a grant, and nobody is asked', async () => {
    const bench = await setup();
    const signing = bench.rpc(DAPP, method, paramsFor(bench));
    expect(await refusalOf(signing)).toStrictEqual(notGranted);
    expect(bench.app.edges.dialogs.shown).toStrictEqual([]);
  });

  it('is refused for another account than those granted', async () => {
    const bench = await setup();
    const { app, rpc } = bench;
    const others = {
      eoa: await createAccount(app),
      smart: await createAccount(app, SMART),
    };
    await app.services.grants.set(DAPP, [bench.eoa.id, bench.smart.id]);
    expect(await refusalOf(rpc(DAPP, method, paramsFor(others)))).toStrictEqual(
      notGranted,
    );
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  it('is confirmed in a dialog that names the true origin, then answered', async () => {
    const bench = await setupGranted();
    expect(await bench.rpc(DAPP, method, paramsFor(bench))).toBeTruthy();
    expect(bench.app.edges.dialogs.shown).toHaveLength(1);
    expect(writeView(bench.app.edges.dialogs.shown)).toContain(DAPP);
  });

  it('gets nothing if the user refuses', async () => {
    const bench = await setupGranted();
    bench.app.edges.dialogs.answer = refuse;
    expect(await refusalOf(bench.rpc(DAPP, method, paramsFor(bench)))).toStrictEqual({
      code: 4001,
      message: 'The user refused the request.',
    });
  });

  it('is refused once the account is deleted', async () => {
    const bench = await setupGranted();
    const { app, eoa, smart } = bench;
    for (const { id } of [eoa, smart]) await app.services.keyring.deleteAccount(id);
    const signing = bench.rpc(DAPP, method, paramsFor(bench));
    expect(await refusalOf(signing)).toStrictEqual(notGranted);
  });

  it('is answered the same if the account is named outright', async () => {
    const bench = await setupGranted();
    const { eoa, smart } = bench;
    const { id, address } = method === 'eth_signUserOperation' ? smart : eoa;
    const params = paramsFor(bench);
    const answer = await bench.rpc(DAPP, method, params);
    for (const account of [id, address]) {
      const outright = { account, scope: 'eip155:1', params };
      expect(await bench.rpc(DAPP, method, outright)).toStrictEqual(answer);
    }
  });
});

describe('a signing request that says more outright', () => {
  it('is refused if its params name another account', async () => {
    const { rpc, app, eoa } = await setup();
    const other = await createAccount(app);
    await app.services.grants.set(DAPP, [eoa.id, other.id]);
    const params = { account: other.id, params: [MESSAGE, eoa.address] };
    expect(await refusalOf(rpc(DAPP, 'personal_sign', params))).toStrictEqual({
      code: -32602,
      message: `The address is ${eoa.address}, but the request is for the account ${other.address}.`,
    });
  });

  it('is refused for a method that its account does not offer', async () => {
    const { rpc, smart, eoa } = await setupGranted();
    const params = { account: smart.address, params: [MESSAGE, eoa.address] };
    expect(await refusalOf(rpc(DAPP, 'personal_sign', params))).toHaveProperty(
      'code',
      4200,
    );
  });

  const anAccount = 'an address or the id of an account.';

  it.each<[Record<string, unknown>, string]>([
    [{}, 'params.params is missing: it must be an array.'],
    [{ params: {} }, 'params.params must be an array.'],
    [{ params: [], origin: 'metamask' }, 'params.origin is not expected here.'],
    [{ params: [], account: 7 }, `params.account must be ${anAccount}`],
    [
      { params: [], account: `0x${'g'.repeat(40)}` },
      `params.account must be ${anAccount}`,
    ],
    [
      { params: [], scope: 'eip155:0' },
      'params.scope must be a chain id (hex, decimal or CAIP-2 such as "eip155:1").',
    ],
  ])('is refused by name if it is malformed: %j', async (params, reason) => {
    const { rpc } = await setupGranted();
    expect(await refusalOf(rpc(DAPP, 'personal_sign', params))).toStrictEqual({
      code: -32602,
      message: `personal_sign: ${reason}`,
    });
  });
});

describe('confirmations of a dapp', () => {
  it('are five at most at a time, and each signs its own message', async () => {
    const { rpc, app, eoa } = await setupGranted();
    const { opened, open } = createGate();
    app.edges.dialogs.answer = async () => {
      await opened;
      return { approved: true, values: {} };
    };
    const messages = ['one', 'two', 'three', 'four', 'five'];
    const signing = messages.map((message) =>
      rpc(DAPP, 'personal_sign', [stringToHex(message), eoa.address]),
    );
    await settle();
    const sixth = rpc(DAPP, 'personal_sign', [MESSAGE, eoa.address]);
    expect(await refusalOf(sixth)).toStrictEqual({
      code: -32005,
      message: 'Too many confirmations are open; answer or close them first.',
    });
    open();
    const signatures = (await Promise.all(signing)) as Hex[];
    const address = eoa.address as Hex;
    for (const [index, message] of messages.entries()) {
      const signature = signatures[index] ?? '0x';
      expect(await verifyMessage({ address, message, signature })).toBe(true);
    }
  });
});

describe('a method that is not offered', () => {
  it('is refused with the reason, and nobody is asked', async () => {
    const { app } = await setupGranted();
    const call = { origin: DAPP, method: 'eth_sign', params: [MESSAGE] };
    expect(await refusalOf(handleSigningRequest(call, app.services))).toStrictEqual({
      code: 4200,
      message:
        'eth_sign is not offered: it signs a hash that nobody can read, which may be a ' +
        'transaction. Use personal_sign or eth_signTypedData_v4.',
    });
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });
});
