// Which callers get a signature: for which accounts, after which dialogs, and despite which changes
// while a dialog is open.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import { stringToHex, verifyMessage } from 'viem';
import type { Hex } from 'viem';

import { submission } from '../../dev/wallet/keyring-requests';
import { callersOf } from '../support/callers';
import type { Callers } from '../support/callers';
import { serving } from '../support/fake-fetch';
import { createFakeNode } from '../support/fake-node';
import { createGate, settle } from '../support/gate';
import { storeChains, storeGrant, storeSettings } from '../support/given';
import { createRequestBench, requestIdOf } from '../support/keyring-bench';
import { answerEntryPointCalls, operationOf } from '../support/operations';
import { expectRefusal, refusalOf } from '../support/refusal';
import { setupSubmitBench } from '../support/submit-bench';
import {
  approve,
  COMPANION,
  createAccount,
  createTestApp,
  DAPP,
  refuse,
  whileDialogOpen,
  OTHER_SITE,
} from '../support/test-app';
import type { TestApp } from '../support/test-app';
import { TO, transactions } from '../support/transactions';
import { mailOf, signMail } from '../support/typed-data';
import { textOf, textsOf, writeView } from '../support/view';

const MESSAGE = stringToHex('hello');

const notGranted = {
  code: 4100,
  message:
    'This origin was not granted that account. Ask for it with wallet_requestPermissions.',
};

type Accounts = { eoa: KeyringAccount; smart: KeyringAccount };

type Bench = Callers & Accounts & { app: TestApp };

async function setup(): Promise<Bench> {
  const app = createTestApp();
  const eoa = await createAccount(app);
  const scopes = ['eip155:1', 'eip155:5'];
  const smart = await createAccount(app, { type: 'eip155:erc4337', scopes });
  await storeGrant(app, DAPP, eoa, smart);
  return { ...callersOf(app), app, eoa, smart };
}

const ENTRY = { type: 'string', name: 'Message', value: 'Hi, Alice!' };

const requests: [string, (accounts: Accounts) => unknown[]][] = [
  ['personal_sign', ({ eoa }) => [MESSAGE, eoa.address]],
  ['eth_signTypedData_v1', ({ eoa }) => [[ENTRY], eoa.address]],
  ['eth_signTypedData_v3', ({ eoa }) => [mailOf(1), eoa.address]],
  ['eth_signTypedData_v4', ({ eoa }) => [eoa.address, mailOf(1)]],
  ['eth_signTransaction', ({ eoa }) => [{ from: eoa.address, ...transactions.legacy }]],
  ['eth_sendTransaction', ({ eoa }) => [{ from: eoa.address, ...transactions.legacy }]],
  ['eth_signUserOperation', ({ smart }) => [operationOf(smart.address)]],
];

describe.each(requests)('%s from a dapp', (method, paramsFor) => {
  it('is refused for an account that is not granted or that was deleted', async () => {
    const bench = await setup();
    const { app, rpc, eoa, smart } = bench;
    const refusal = async () => refusalOf(rpc(DAPP, method, paramsFor(bench)));
    const others = {
      eoa: await createAccount(app),
      smart: await createAccount(app, { type: 'eip155:erc4337', salt: '0x1' }),
    };
    await storeGrant(app, DAPP, others.eoa, others.smart);
    expect(await refusal()).toStrictEqual(notGranted);
    await storeGrant(app, DAPP);
    expect(await refusal()).toStrictEqual(notGranted);
    await storeGrant(app, DAPP, eoa, smart);
    for (const { id } of [eoa, smart]) await app.services.keyring.deleteAccount(id);
    expect(await refusal()).toStrictEqual(notGranted);
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  it('is confirmed in a dialog that names the true origin, and can be refused', async () => {
    const bench = await setup();
    const { dialogs, wallet } = bench.app.edges;
    wallet.answers.eth_sendRawTransaction = `0x${'ab'.repeat(32)}`;
    expect(await bench.rpc(DAPP, method, paramsFor(bench))).toBeTruthy();
    expect(dialogs.shown).toHaveLength(1);
    expect(writeView(dialogs.shown)).toContain(DAPP);
    dialogs.answer = refuse;
    expect(await refusalOf(bench.rpc(DAPP, method, paramsFor(bench)))).toStrictEqual({
      code: 4001,
      message: 'The user refused the request.',
    });
  });

  it.each<[string, (bench: Bench) => Promise<unknown>]>([
    ['the grant is revoked', async ({ app }) => app.services.grants.revoke(DAPP)],
    [
      'the account is deleted',
      async ({ keyring, eoa, smart }) => {
        for (const { id } of [eoa, smart]) {
          await keyring('metamask', 'keyring_deleteAccount', { id });
        }
      },
    ],
  ])('signs nothing if %s while the dialog is open', async (_what, change) => {
    const bench = await setup();
    whileDialogOpen(bench.app.edges, async () => change(bench));
    const signing = bench.rpc(DAPP, method, paramsFor(bench));
    expect(await refusalOf(signing)).toStrictEqual(notGranted);
    expect(bench.app.edges.dialogs.shown).toHaveLength(1);
  });

  it('returns the same result if the request names the account', async () => {
    if (method === 'eth_sendTransaction') return;
    const bench = await setup();
    const { id, address } =
      method === 'eth_signUserOperation' ? bench.smart : bench.eoa;
    const params = paramsFor(bench);
    const answer = await bench.rpc(DAPP, method, params);
    for (const account of [id, address, address.toUpperCase().replace('0X', '0x')]) {
      const request = { account, scope: 'eip155:1', params };
      expect(await bench.rpc(DAPP, method, request)).toStrictEqual(answer);
    }
  });
});

describe('params that name an account or a chain', () => {
  it.each<[Record<string, unknown>, number, string]>([
    [{}, -32602, 'params must be an array, or an object { account?, scope?, params }.'],
    [{ params: {} }, -32602, 'params.params must be an array.'],
    [{ params: [], origin: 'metamask' }, -32602, 'params.origin is not expected here.'],
    [
      { params: [], account: `0x${'g'.repeat(40)}` },
      -32602,
      'params.account must be an address or the id of an account.',
    ],
    [{ params: [], scope: 'eip155:0' }, -32602, 'params.scope must be a chain id'],
    [{ account: 'SMART', params: [MESSAGE, 'EOA'] }, 4200, 'personal_sign'],
    [
      { account: 'SECOND', params: [MESSAGE, 'EOA'] },
      -32602,
      'The address is EOA, but the request is for the account SECOND.',
    ],
  ])('are rejected if they are wrong: %j', async (params, code, reason) => {
    const { rpc, app, eoa, smart } = await setup();
    const second = await createAccount(app);
    await storeGrant(app, DAPP, eoa, smart, second);
    const fill = (text: string): string =>
      text
        .replace('SMART', smart.address)
        .replace('EOA', eoa.address)
        .replace('SECOND', second.address);
    const filled: unknown = JSON.parse(fill(JSON.stringify(params)));
    await expectRefusal(rpc(DAPP, 'personal_sign', filled), code, fill(reason));
  });
});

describe("a dapp's message", () => {
  it('is signed by the granted account, whichever param holds its address', async () => {
    const { rpc, app, eoa } = await setup();
    const other = await createAccount(app);
    const address = eoa.address as Hex;
    const raw = other.address as Hex;
    for (const [text, message] of [
      ['hello', 'hello'],
      [MESSAGE, 'hello'],
      [raw, { raw }],
    ] as const) {
      for (const params of [
        [text, address],
        [address, text],
      ]) {
        const signature = (await rpc(DAPP, 'personal_sign', params)) as Hex;
        expect(await verifyMessage({ address, message, signature })).toBe(true);
      }
    }
    for (const params of [
      ['hello', raw],
      [raw, 'hello'],
      [raw, raw],
    ]) {
      await expectRefusal(rpc(DAPP, 'personal_sign', params), 4100);
    }
  });

  it('is never signed by eth_sign, which explains why', async () => {
    const { rpc, app, eoa } = await setup();
    expect(
      await refusalOf(rpc(DAPP, 'eth_sign', [eoa.address, MESSAGE])),
    ).toStrictEqual({
      code: 4200,
      message:
        'eth_sign is not offered: it signs a hash that cannot be read and may be a ' +
        'transaction. Use personal_sign or eth_signTypedData_v4.',
    });
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });
});

describe('the smart account of a request without an address', () => {
  const PREPARE = 'eth_prepareUserOperation';
  const SMART = { type: 'eip155:erc4337', entryPoint: '0.7' };
  const KEY = 'k3y-of-the-user-0123456789abcdef';
  const intents = [{ to: TO, value: '0x0', data: '0x' }];

  async function setupSmart() {
    const app = createTestApp();
    const { edges } = app;
    const gas = {
      callGasLimit: '0x1',
      verificationGasLimit: '0x1',
      preVerificationGas: '0x1',
    };
    const bundler = createFakeNode({ eth_estimateUserOperationGas: gas });
    edges.network.serve('https://bundler.example', serving(bundler));
    Object.assign(edges.wallet.answers, {
      eth_getCode: '0x',
      eth_call: answerEntryPointCalls,
    });
    const row = { bundlerUrl: 'https://bundler.example', bundlerApiKey: KEY };
    await storeChains(app, { 'eip155:1': row });
    const first = await createAccount(app, SMART);
    const second = await createAccount(app, { ...SMART, salt: '0x2' });
    return {
      app,
      rpc: callersOf(app).rpc,
      smart: [first, second],
      eoa: await createAccount(app),
    };
  }

  it('is the only granted one, or the one that the request names', async () => {
    const { app, rpc, smart, eoa } = await setupSmart();
    const [first, second] = smart as [KeyringAccount, KeyringAccount];
    await storeGrant(app, DAPP, eoa, first);
    const prepared = await rpc(DAPP, PREPARE, intents);
    expect(prepared).toHaveProperty('bundlerUrl', 'https://bundler.example');
    expect(JSON.stringify(prepared)).not.toContain(KEY);
    const params = [operationOf(first.address)];
    expect(await rpc(DAPP, 'eth_patchUserOperation', params)).toStrictEqual({
      paymasterAndData: '0x',
    });
    await storeGrant(app, DAPP, first, second);
    const named = { account: second.address, scope: 'eip155:1', params: intents };
    const { initCode } = (await rpc(DAPP, PREPARE, named)) as { initCode: string };
    expect(initCode.endsWith('2')).toBe(true);
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  it('is rejected if none or several are granted, or if the named one is not', async () => {
    const { app, rpc, smart, eoa } = await setupSmart();
    const [first, second] = smart as [KeyringAccount, KeyringAccount];
    await storeGrant(app, DAPP, eoa);
    expect(await refusalOf(rpc(DAPP, PREPARE, intents))).toStrictEqual({
      code: 4100,
      message:
        'This origin was granted no account of type eip155:erc4337. Ask for one with ' +
        'wallet_requestPermissions.',
    });
    await expectRefusal(rpc(DAPP, PREPARE, [{}]), -32602);
    await storeGrant(app, DAPP, first, second);
    expect(await refusalOf(rpc(DAPP, PREPARE, intents))).toStrictEqual({
      code: -32602,
      message:
        'This origin was granted 2 accounts that offer eth_prepareUserOperation. Say ' +
        'which: { "account": address or id, "scope"?: CAIP-2 chain, "params": [...] }.',
    });
    await storeGrant(app, DAPP, first);
    for (const [method, params] of [
      [PREPARE, { account: second.id, params: intents }],
      ['eth_patchUserOperation', [operationOf(second.address)]],
    ] as const) {
      expect(await refusalOf(rpc(DAPP, method, params))).toStrictEqual(notGranted);
    }
    expect(app.edges.network.sent).toStrictEqual([]);
  });
});

describe('a request whose dialog is open', () => {
  it('is refused if the chains of its account change', async () => {
    const { app, rpc, keyring, smart } = await setup();
    const account = { ...smart, scopes: ['eip155:5'] };
    whileDialogOpen(app.edges, async () =>
      keyring('metamask', 'keyring_updateAccount', { account }),
    );
    const request = { scope: 'eip155:1', params: [operationOf(smart.address)] };
    expect(await refusalOf(rpc(DAPP, 'eth_signUserOperation', request))).toStrictEqual({
      code: -32602,
      message: `The account ${smart.address} was changed while the dialog was open. Send the request again.`,
    });
  });

  it('continues if another site loses its grant', async () => {
    const { app, rpc, eoa } = await setup();
    await storeGrant(app, OTHER_SITE, eoa);
    whileDialogOpen(app.edges, async () => app.services.grants.revoke(OTHER_SITE));
    expect(await rpc(DAPP, 'personal_sign', [MESSAGE, eoa.address])).toMatch(/^0x/u);
  });

  it('is one of at most five, each of which signs its own message', async () => {
    const { rpc, app, eoa } = await setup();
    const { opened, open } = createGate();
    whileDialogOpen(app.edges, async () => opened);
    const messages = ['one', 'two', 'three', 'four', 'five'];
    const address = eoa.address as Hex;
    const sign = async (text: string): Promise<Json> =>
      rpc(DAPP, 'personal_sign', [stringToHex(text), address]);
    const signing = messages.map(sign);
    await settle();
    await expectRefusal(sign('six'), -32005);
    open();
    for (const [index, message] of messages.entries()) {
      const signature = (await signing[index]) as Hex;
      expect(await verifyMessage({ address, message, signature })).toBe(true);
    }
  });
});

describe("MetaMask's requests", () => {
  it('sign a message without a dialog, since MetaMask showed one', async () => {
    const { submit, eoa, owner, app } = await setupSubmitBench();
    expect(await submit('personal_sign', [MESSAGE, eoa.address])).toStrictEqual({
      pending: false,
      result: await owner.signMessage({ message: 'hello' }),
    });
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  // MetaMask copies the domain's chainId into the scope.
  it.each<[Json | undefined, string, bigint | undefined]>([
    [undefined, '', undefined],
    [1, 'eip155:1', 1n],
    ['1', 'eip155:1', 1n],
    ['0xaa36a7', 'eip155:0xaa36a7', 11_155_111n],
    [0, 'eip155:0', 0n],
  ])('sign typed data whose chainId is %j', async (chainId, scope, expected) => {
    const { submit, eoa, owner } = await setupSubmitBench();
    const params = [eoa.address, mailOf(chainId)];
    expect(await submit('eth_signTypedData_v4', params, scope)).toStrictEqual({
      pending: false,
      result: await signMail(owner, expected),
    });
  });

  it('are rejected for a different account, and from the companion page', async () => {
    const { submit, keyring, app, eoa } = await setupSubmitBench();
    const other = await createAccount(app);
    const signing = submit('personal_sign', ['0x', other.address]);
    await expectRefusal(signing, -32602);
    const params = [MESSAGE, eoa.address];
    const request = submission({ account: eoa.id, method: 'personal_sign', params });
    const asked = keyring(COMPANION, 'keyring_submitRequest', request.params);
    expect(await refusalOf(asked)).toStrictEqual({
      code: 4100,
      message: 'keyring_submitRequest is not open to this origin.',
    });
  });
});

describe('a second confirmation', () => {
  it('appears if the user enabled it, names the origin that MetaMask reports, and can be refused', async () => {
    const { submit, eoa, owner, app, keyring } = await setupSubmitBench();
    await storeSettings(app, { secondConfirmation: true });
    const params = [MESSAGE, eoa.address];
    const result = await owner.signMessage({ message: 'hello' });
    expect(await submit('personal_sign', params)).toStrictEqual({
      pending: false,
      result,
    });
    const texts = textsOf(app.edges.dialogs.shown);
    expect(texts[texts.indexOf(textOf('field.originTold')) + 1]).toBe('metamask');
    expect(texts).not.toContain(textOf('field.origin'));
    app.edges.dialogs.answer = refuse;
    await expectRefusal(submit('personal_sign', params), 4001);
    expect(app.edges.dialogs.shown).toHaveLength(2);
    app.edges.dialogs.answer = approve;
    whileDialogOpen(app.edges, async () =>
      keyring('metamask', 'keyring_deleteAccount', { id: eoa.id }),
    );
    await expectRefusal(submit('personal_sign', params), -32001);
  });

  it('shows the fees chosen in MetaMask, and refuses methods that are only for dapps', async () => {
    const { submit, eoa, app } = await setupSubmitBench();
    await storeSettings(app, { secondConfirmation: true });
    const sending = submit(
      'eth_sendTransaction',
      [{ from: eoa.address, to: TO }],
      'eip155:1',
    );
    await expectRefusal(sending, 4200);
    expect(app.edges.dialogs.shown).toStrictEqual([]);
    const transaction = { from: eoa.address, ...transactions['EIP-1559'] };
    await submit('eth_signTransaction', [transaction], 'eip155:1');
    const texts = textsOf(app.edges.dialogs.shown);
    expect(texts).toContain(textOf('field.balanceAfter'));
    expect(texts).not.toContain(textOf('fee.title'));
  });

  it('appears when a waiting request is approved, and leads to one signature only', async () => {
    const { app, submit, companion, metamask } = await createRequestBench();
    await storeSettings(app, { secondConfirmation: true });
    await submit(requestIdOf(1));
    expect(writeView(app.edges.dialogs.shown)).not.toContain(textOf('message.title'));
    const approve = async (): Promise<Json> =>
      companion('keyring_approveRequest', { id: requestIdOf(1), data: {} });
    let inner: Promise<Json> | undefined;
    whileDialogOpen(app.edges, async () => {
      if (inner) return;
      inner = approve();
      await inner;
    });
    await expectRefusal(approve(), -32001);
    expect(metamask.requests.get(requestIdOf(1))).toMatch(/^0x/u);
    const events = app.edges.events.emitted.map(([event]) => event);
    expect(events.filter((event) => event === 'notify:requestApproved')).toHaveLength(
      1,
    );
  });

  it('signs nothing if the request is rejected while the dialog is open', async () => {
    const { app, submit, companion, metamask } = await createRequestBench();
    await storeSettings(app, { secondConfirmation: true });
    await submit(requestIdOf(1));
    whileDialogOpen(app.edges, async () =>
      companion('keyring_rejectRequest', { id: requestIdOf(1) }),
    );
    const approving = companion('keyring_approveRequest', {
      id: requestIdOf(1),
      data: {},
    });
    expect(await refusalOf(approving)).toStrictEqual({
      code: -32001,
      message: `No request with the id ${requestIdOf(1)} waits for approval.`,
    });
    expect(metamask.requests.get(requestIdOf(1))).toBe('rejected');
  });
});
