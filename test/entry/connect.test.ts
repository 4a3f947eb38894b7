// Sites and accounts: connecting (wallet_connect, ERC-7846), signing in, permissions, and what a
// site learns about accounts.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import { getAddress, verifyMessage } from 'viem';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { parseSiweMessage, validateSiweMessage } from 'viem/siwe';

import type { SmartRecord } from '../../src/state/account-record';
import { ZERO } from '../fixtures/trust/call';
import { signIn } from '../fixtures/trust/messages';
import { callersOf } from '../support/callers';
import type { Callers } from '../support/callers';
import { ownerKeyOfIndex } from '../support/entropy';
import { errorOf } from '../support/error-of';
import { refuses } from '../support/fake-node';
import { createGate, settle } from '../support/gate';
import { storeGrant } from '../support/given';
import { createKeyringBench, createRestoreBench } from '../support/keyring-bench';
import { withDialog } from '../support/open-dialog';
import { createOperationBench } from '../support/operation-bench';
import { operationOf } from '../support/operations';
import { IMPORTED_KEY } from '../support/records';
import { expectRefusal, refusalOf } from '../support/refusal';
import {
  approve,
  createAccount,
  createTestApp,
  DAPP,
  refuse,
  OTHER_SITE,
} from '../support/test-app';
import type { TestApp } from '../support/test-app';
import { textOf, warningsOf, writeView, elementsOf, namesOf } from '../support/view';

type Connected = {
  accounts: {
    address: Hex;
    capabilities: { signInWithEthereum?: { message: string; signature: Hex } };
  }[];
};

const setup = (): Callers & { app: TestApp } => {
  const app = createTestApp();
  return { ...callersOf(app), app };
};

const approveWith = (values: Record<string, Json>) => async () =>
  Promise.resolve({ approved: true, values });

/** Approves without ticking anything, which creates a first account instead of restoring one. */
const approveOnly = approveWith({});

const listAddresses = async (app: TestApp): Promise<string[]> =>
  (await app.services.repository.list()).map(({ address }) => address);

describe('a site whose user has no account', () => {
  it('gets an account that one dialog creates and connects', async () => {
    const { rpc, app } = setup();
    app.edges.dialogs.answer = approveOnly;
    const connected = await rpc(DAPP, 'eth_requestAccounts');
    expect(connected).toStrictEqual(await listAddresses(app));
    expect(connected).toHaveLength(1);
    expect(app.edges.dialogs.shown).toHaveLength(1);
    expect(writeView(app.edges.dialogs.shown[0])).toContain(textOf('connect.first'));
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual(connected);
  });

  it('is refused without a new account if the user refuses', async () => {
    const { rpc, app } = setup();
    app.edges.dialogs.answer = refuse;
    await expectRefusal(rpc(DAPP, 'eth_requestAccounts'), 4001);
    expect(await listAddresses(app)).toStrictEqual([]);
  });

  it('is refused if the user declines the account in MetaMask', async () => {
    const { app, metamask } = createKeyringBench();
    const { rpc } = callersOf(app);
    app.edges.dialogs.answer = approveOnly;
    metamask.decide = async () => Promise.resolve(false);
    await expectRefusal(rpc(DAPP, 'eth_requestAccounts'), 4001);
    expect(await listAddresses(app)).toStrictEqual([]);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
  });

  it('gets the restored accounts that the user then chooses', async () => {
    const { app, used } = createRestoreBench();
    const { address } = await createAccount(createTestApp());
    used.add(address);
    let count = 0;
    app.edges.dialogs.answer = async (content) => {
      count += 1;
      return count === 1 ? approveWith({ restore: true })() : approve(content);
    };
    expect(await callersOf(app).rpc(DAPP, 'eth_requestAccounts')).toStrictEqual([
      address,
    ]);
    expect(count).toBe(2);
  });

  it('gets an error if there is no account to restore', async () => {
    const { app } = createRestoreBench();
    app.edges.dialogs.answer = approveWith({ restore: true });
    const asking = callersOf(app).rpc(DAPP, 'eth_requestAccounts');
    expect(await refusalOf(asking)).toStrictEqual({
      code: -32001,
      message: 'No used account was found to restore. Connect again to create one.',
    });
  });

  it('is refused if the user declines every restored account', async () => {
    const { app, metamask, used } = createRestoreBench();
    used.add((await createAccount(createTestApp())).address);
    app.edges.dialogs.answer = approveWith({ restore: true });
    metamask.decide = async () => Promise.resolve(false);
    await expectRefusal(callersOf(app).rpc(DAPP, 'eth_requestAccounts'), 4001);
  });

  it('is invited to try again if the search for accounts was incomplete', async () => {
    const { app } = createRestoreBench();
    app.edges.dialogs.answer = approveWith({ restore: true });
    app.edges.wallet.answers.eth_getBalance = refuses({ code: 1, message: 'down' });
    const asking = callersOf(app).rpc(DAPP, 'eth_requestAccounts');
    expect(await refusalOf(asking)).toStrictEqual({
      code: -32002,
      message:
        'No account was restored, but the search was incomplete. Connect again to continue it.',
    });
  });
});

const connectParams = (capabilities?: Record<string, Json>): Json => [
  { version: '1', ...(capabilities && { capabilities }) },
];

const signInRequest = { nonce: 'k13wuyv6db6cz', chainId: '0x1' };

const signInParams = (fields: Record<string, Json> = {}): Json =>
  connectParams({ signInWithEthereum: { ...signInRequest, ...fields } });

describe('wallet_connect', () => {
  it('connects and signs in to the site with one dialog', async () => {
    const { rpc, app } = setup();
    const { address } = await createAccount(app);
    const statement = 'Read my mail.';
    const params = signInParams({ statement });
    const { accounts } = (await rpc(DAPP, 'wallet_connect', params)) as Connected;
    const { message = '', signature = '0x' } =
      accounts[0]?.capabilities.signInWithEthereum ?? {};
    expect(accounts.map((each) => each.address)).toStrictEqual([address]);
    expect(await verifyMessage({ address: address as Hex, message, signature })).toBe(
      true,
    );
    const signIn = parseSiweMessage(message);
    expect(signIn).toMatchObject({
      address: getAddress(address),
      domain: 'dapp.example',
      uri: DAPP,
      chainId: 1,
      nonce: signInRequest.nonce,
      statement,
      version: '1',
    });
    expect(validateSiweMessage({ message: signIn, domain: 'dapp.example' })).toBe(true);
    expect(app.edges.dialogs.shown).toHaveLength(1);
    expect(warningsOf(app.edges.dialogs.shown[0])).toStrictEqual([]);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
  });

  it('creates the first account if there is none', async () => {
    const { rpc, app } = setup();
    app.edges.dialogs.answer = approveOnly;
    const connected = await rpc(DAPP, 'wallet_connect', signInParams());
    expect((connected as Connected).accounts).toHaveLength(1);
    expect(app.edges.dialogs.shown).toHaveLength(2);
  });

  it('signs for the chosen account, and keeps connected ones', async () => {
    const { rpc, app } = setup();
    const [one, two] = [
      await createAccount(app, {}),
      await createAccount(app, { index: 1 }),
    ];
    await storeGrant(app, DAPP, one);
    const answer = await withDialog(
      app,
      async () => rpc(DAPP, 'wallet_connect', signInParams()),
      async (dialog) => {
        expect(JSON.stringify(dialog.content())).toContain(getAddress(one.address));
        await dialog.fill('account', two.id);
        expect(JSON.stringify(dialog.content())).toContain(getAddress(two.address));
      },
    );
    const { accounts } = answer as Connected;
    expect(accounts.map(({ address }) => address)).toStrictEqual([
      two.address,
      one.address,
    ]);
    const { message = '', signature = '0x' } =
      accounts[0]?.capabilities.signInWithEthereum ?? {};
    const address = two.address as Hex;
    expect(await verifyMessage({ address, message, signature })).toBe(true);
    expect(accounts[1]?.capabilities).toStrictEqual({});
  });

  it('warns about a sign-in to another site', async () => {
    const { rpc, app } = setup();
    await createAccount(app);
    const foreign = { domain: 'bank.example', uri: 'https://bank.example' };
    await rpc(DAPP, 'wallet_connect', signInParams(foreign));
    expect(warningsOf(app.edges.dialogs.shown[0])).toHaveLength(1);
  });

  it('connects nothing if the user refuses to sign in', async () => {
    const { rpc, app } = setup();
    await createAccount(app);
    app.edges.dialogs.answer = refuse;
    await expectRefusal(rpc(DAPP, 'wallet_connect', signInParams()), 4001);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
  });

  it.each<[Json, number, string]>([
    [[], -32602, 'wallet_connect: params'],
    [connectParams({ teleport: {} }), 5700, '"teleport"'],
    [connectParams({ signInWithEthereum: { chainId: '0x1' } }), -32602, 'nonce'],
    [connectParams({ signInWithEthereum: { nonce: 'abcdefgh' } }), -32602, 'chainId'],
    [signInParams({ nonce: 'short' }), -32602, 'nonce'],
    [signInParams({ statement: 'Two\nlines' }), -32602, 'EIP-4361'],
    [signInParams({ domain: 'a.example\nURI: x' }), -32602, 'EIP-4361'],
    [signInParams({ expirationTime: 'tomorrow' }), -32602, 'EIP-4361'],
    [
      { scope: 'eip155:137', params: signInParams() },
      -32602,
      'content is for eip155:1',
    ],
    [{ account: ZERO, params: signInParams() }, -32602, 'params.account'],
    [{ account: ZERO, params: connectParams() }, -32602, 'params.account'],
  ])('rejects %j without a dialog', async (params, code, words) => {
    const { rpc, app } = setup();
    await createAccount(app);
    await expectRefusal(rpc(DAPP, 'wallet_connect', params), code, words);
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  it('ignores an optional capability that it does not support', async () => {
    const { rpc, app } = setup();
    const { address } = await createAccount(app);
    const params = connectParams({ teleport: { optional: true } });
    expect(await rpc(DAPP, 'wallet_connect', params)).toStrictEqual({
      accounts: [{ address, capabilities: {} }],
    });
  });

  it('connects a smart account if signing in is optional', async () => {
    const { rpc, app } = setup();
    const options = { type: 'eip155:erc4337', entryPoint: '0.7' };
    const { address } = await createAccount(app, options);
    const params = signInParams({ optional: true });
    expect(await rpc(DAPP, 'wallet_connect', params)).toStrictEqual({
      accounts: [{ address, capabilities: {} }],
    });
  });

  it('does not reconnect an account that was disconnected while the dialog was open', async () => {
    const { rpc, app } = setup();
    const [one, two] = [
      await createAccount(app),
      await createAccount(app, { index: 1 }),
    ];
    await storeGrant(app, DAPP, one, two);
    const answer = await withDialog(
      app,
      async () => rpc(DAPP, 'wallet_connect', signInParams()),
      async () => app.services.grants.revoke(DAPP, two.id),
    );
    const { accounts } = answer as Connected;
    expect(accounts.map(({ address }) => address)).toStrictEqual([one.address]);
  });

  it('rejects a required sign-in with a smart account', async () => {
    const { rpc, app } = setup();
    await createAccount(app, { type: 'eip155:erc4337', entryPoint: '0.7' });
    const asking = rpc(DAPP, 'wallet_connect', signInParams());
    await expectRefusal(asking, 5700, 'ERC-1271');
  });
});

async function sign(toText: (address: Hex) => string) {
  const app = createTestApp();
  const { rpc } = callersOf(app);
  await createAccount(app);
  const [address] = (await rpc(DAPP, 'eth_requestAccounts')) as [Hex];
  const message = toText(address);
  const signature = (await rpc(DAPP, 'personal_sign', [message, address])) as Hex;
  return {
    warnings: warningsOf(app.edges.dialogs.shown.at(-1)),
    isValid: await verifyMessage({ address, message, signature }),
  };
}

const dappSignIn = (address: Hex): string =>
  signIn({ domain: 'dapp.example', uri: 'https://dapp.example', address });

describe('a sign-in message', () => {
  it('causes no warning if it follows the standard', async () => {
    expect(await sign(dappSignIn)).toStrictEqual({ warnings: [], isValid: true });
  });

  it('may contain the address as eth_accounts returns it', async () => {
    const signed = await sign((address) =>
      dappSignIn(address).replace(getAddress(address), address),
    );
    expect(signed).toStrictEqual({ warnings: [], isValid: true });
  });

  it.each<[string, (text: string) => string]>([
    ['a day that does not exist', (text) => withTime(text, '2022-02-31T17:09:38Z')],
    ['29 February of a common year', (text) => withTime(text, '2021-02-29T00:00:00Z')],
    ['the hour 24', (text) => withTime(text, '2021-01-01T24:00:00Z')],
    [
      'an invalid IP literal',
      (text) => text.replace('dapp.example wants', '[:::1] wants'),
    ],
  ])('is reported as malformed with %s', async (_what, change) => {
    const { warnings, isValid } = await sign((address) => change(dappSignIn(address)));
    expect(warnings).toStrictEqual([textOf('siwe.malformed')]);
    expect(isValid).toBe(true);
  });
});

function withTime(text: string, time: string): string {
  return text.replace(/Issued At: .*/u, `Issued At: ${time}`);
}

const permission = [{ eth_accounts: {} }];

/** Sets up a restarted snap with an account that is granted to one site. */
async function setupSite(): Promise<{ app: TestApp; address: string }> {
  const before = createTestApp();
  const { address } = await createAccount(before);
  await callersOf(before).rpc(DAPP, 'eth_requestAccounts');
  const app = createTestApp(before.edges);
  Object.assign(app.edges.backend, { loads: 0, saves: 0 });
  return { app, address };
}

describe('a site without a grant', () => {
  it.each(['eth_accounts', 'wallet_getPermissions'])(
    'gets an empty answer to %s without access to the encrypted state',
    async (method) => {
      const { app } = await setupSite();
      const { backend } = app.edges;
      const { rpc } = callersOf(app);
      backend.failNextLoad = new Error('The wallet is locked.');
      expect(await rpc(OTHER_SITE, method)).toStrictEqual([]);
      expect([backend.loads, backend.saves]).toStrictEqual([0, 0]);
    },
  );

  it('causes no read of the encrypted state on a new installation or after a revocation', async () => {
    const fresh = createTestApp();
    expect(await callersOf(fresh).rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
    expect(fresh.edges.backend.loads).toBe(0);
    const { app } = await setupSite();
    await callersOf(app).rpc(DAPP, 'wallet_revokePermissions', permission);
    const later = createTestApp(app.edges);
    app.edges.backend.loads = 0;
    expect(await callersOf(later).rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
    expect(app.edges.backend.loads).toBe(0);
  });
});

describe('a site with a grant', () => {
  it('gets no accounts while MetaMask is locked, without an unlock prompt', async () => {
    const { app, address } = await setupSite();
    const { rpc } = callersOf(app);
    const { backend, clock } = app.edges;
    clock.isLocked = true;
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
    expect(await rpc(DAPP, 'wallet_getPermissions')).toStrictEqual([]);
    expect(backend.loads).toBe(0);
    clock.isLocked = false;
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
    // The worker returns what it has already read.
    clock.isLocked = true;
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
  });

  it('keeps one of two accounts when the other is revoked', async () => {
    const { app, address } = await setupSite();
    const second = await createAccount(app, { index: 1 });
    const { rpc } = callersOf(app);
    const [{ id = '' } = {}] = await app.services.keyring.listAccounts();
    app.edges.dialogs.answer = approveWith({ [id]: true, [second.id]: true });
    await rpc(DAPP, 'wallet_requestPermissions', permission);
    await app.services.grants.revoke(DAPP, second.id);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
  });

  it('is not named in the unencrypted state', async () => {
    const { app } = await setupSite();
    const stored = JSON.stringify(app.edges.publicBackend.document);
    expect(stored).not.toContain('dapp.example');
    expect(stored).toContain('grantMarks');
  });

  it.each<[string, (document: Record<string, Json>) => void]>([
    ['comes from a format without marks', (document) => delete document.grantMarks],
    ['is damaged', (document) => (document.session = null)],
  ])(
    'keeps its accounts while another site connects, even if the unencrypted state %s',
    async (_how, spoil) => {
      const { app, address } = await setupSite();
      spoil(app.edges.publicBackend.document as Record<string, Json>);
      const { rpc } = callersOf(createTestApp(app.edges));
      expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
      expect(await rpc(OTHER_SITE, 'eth_requestAccounts')).toStrictEqual([address]);
      for (const site of [DAPP, OTHER_SITE]) {
        expect(await rpc(site, 'eth_accounts')).toStrictEqual([address]);
      }
    },
  );

  it.each([
    ['it', DAPP],
    ['another site', OTHER_SITE],
  ])(
    'that connected while the unencrypted state was refused keeps its accounts once %s connects',
    async (_who, site) => {
      const before = createTestApp();
      const { address } = await createAccount(before);
      const { publicBackend } = before.edges;
      const { document } = publicBackend;
      // A newer release wrote it.
      publicBackend.document = { version: 99 };
      const connected = callersOf(createTestApp(before.edges));
      expect(await connected.rpc(DAPP, 'eth_requestAccounts')).toStrictEqual([address]);
      expect(publicBackend.document).toStrictEqual({ version: 99 });
      publicBackend.document = document;
      const { rpc } = callersOf(createTestApp(before.edges));
      await rpc(site, 'eth_requestAccounts');
      const { rpc: later } = callersOf(createTestApp(before.edges));
      expect(await later(DAPP, 'eth_accounts')).toStrictEqual([address]);
    },
  );

  it('gets no accounts if the unencrypted state could not be written', async () => {
    const app = createTestApp();
    const { address } = await createAccount(app);
    const { rpc } = callersOf(app);
    app.edges.publicBackend.failNextSave = new Error('The disk is full.');
    await refusalOf(rpc(DAPP, 'eth_requestAccounts'));
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
    expect(await rpc(DAPP, 'eth_requestAccounts')).toStrictEqual([address]);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
  });
});

const toPermissions = (value: string[], invoker = DAPP): unknown => [
  {
    invoker,
    parentCapability: 'eth_accounts',
    caveats: [{ type: 'restrictReturnedAccounts', value }],
  },
];

async function setupTwo() {
  const app = createTestApp();
  const eoa = await createAccount(app);
  const smart = await createAccount(app, { type: 'eip155:erc4337' });
  const callers = callersOf(app);
  return {
    ...callers,
    app,
    eoa,
    smart,
    choose: (...accounts: KeyringAccount[]) => {
      const values = Object.fromEntries(accounts.map(({ id }) => [id, true]));
      app.edges.dialogs.answer = approveWith(values);
    },
    /** Lists the accounts that a site sees through both methods, which must agree. */
    accountsOf: async (origin: string = DAPP) => {
      const addresses = (await callers.rpc(origin, 'eth_accounts')) as string[];
      const permissions = await callers.rpc(origin, 'wallet_getPermissions');
      expect(permissions).toStrictEqual(
        addresses.length > 0 ? toPermissions(addresses, origin) : [],
      );
      return addresses;
    },
  };
}

describe('a request for accounts', () => {
  it('shows one dialog with the site and every account, none of them ticked', async () => {
    const { rpc, app, eoa, smart, choose, accountsOf } = await setupTwo();
    const { dialogs } = app.edges;
    expect(await accountsOf()).toStrictEqual([]);
    choose(smart, eoa);
    const addresses = [eoa.address, smart.address];
    expect(await rpc(DAPP, 'eth_requestAccounts')).toStrictEqual(addresses);
    expect(await rpc(DAPP, 'eth_requestAccounts')).toStrictEqual(addresses);
    expect(await accountsOf()).toStrictEqual(addresses);
    for (const other of [OTHER_SITE, 'https://dapp.example:8443', 'constructor', '']) {
      expect(await accountsOf(other)).toStrictEqual([]);
    }
    expect(dialogs.shown).toHaveLength(1);
    const view = writeView(dialogs.shown);
    const short = `${eoa.address.slice(0, 8)}…${eoa.address.slice(-6)}`;
    for (const part of [DAPP, 'Tollkeeper 1', 'Tollkeeper Smart 1', short]) {
      expect(view).toContain(part);
    }
    expect(namesOf(dialogs.shown, 'Checkbox')).toStrictEqual([eoa.id, smart.id]);
    expect(ticksIn(dialogs.shown)).toStrictEqual([false, false]);
  });

  it.each<[string, Json, string]>([
    ['refuses', { approved: false, values: {} }, 'The user refused the request.'],
    ['closes the dialog', null, 'The user refused the request.'],
    ...[{}, { yes: true }, { ID: 'true' }, { ID: 1 }, { ID: { checked: true } }].map(
      (values): [string, Json, string] => [
        `approves ${JSON.stringify(values)}`,
        { approved: true, values },
        'The user chose no account.',
      ],
    ),
  ])('grants nothing if the user %s', async (_how, answer, message) => {
    const { rpc, app, eoa, accountsOf } = await setupTwo();
    const text = JSON.stringify(answer).replace('"ID"', `"${eoa.id}"`);
    app.edges.dialogs.answer = async () => Promise.resolve(JSON.parse(text) as Json);
    const asking = rpc(DAPP, 'eth_requestAccounts');
    expect(await refusalOf(asking)).toStrictEqual({ code: 4001, message });
    expect(await accountsOf()).toStrictEqual([]);
  });

  it('grants no account that is deleted during the dialog or later, even if it is recreated', async () => {
    const { rpc, app, eoa, smart, accountsOf } = await setupTwo();
    const remove = app.services.keyring.deleteAccount;
    app.edges.dialogs.answer = async () => {
      await remove(eoa.id);
      return { approved: true, values: { [eoa.id]: true, [smart.id]: true } };
    };
    expect(await rpc(DAPP, 'eth_requestAccounts')).toStrictEqual([smart.address]);
    await createAccount(app, { index: 0 });
    expect(await accountsOf()).toStrictEqual([smart.address]);
    await remove(smart.id);
    expect(await accountsOf()).toStrictEqual([]);
    await createAccount(app, { type: 'eip155:erc4337' });
    expect(await accountsOf()).toStrictEqual([]);
  });
});

describe('wallet_requestPermissions', () => {
  it('asks again with granted accounts ticked, and keeps the grants if the user refuses', async () => {
    const { rpc, app, eoa, smart, choose, accountsOf } = await setupTwo();
    const { dialogs } = app.edges;
    const ask = async () => rpc(DAPP, 'wallet_requestPermissions', permission);
    choose(eoa);
    expect(await ask()).toStrictEqual(toPermissions([eoa.address]));
    choose(smart);
    expect(await ask()).toStrictEqual(toPermissions([smart.address]));
    expect(ticksIn(dialogs.shown[1])).toStrictEqual([true, false]);
    dialogs.answer = refuse;
    await expectRefusal(ask(), 4001);
    expect(await accountsOf()).toStrictEqual([smart.address]);
  });

  it('keeps the grants if all chosen accounts are deleted during the dialog', async () => {
    const { rpc, app, eoa, smart, accountsOf } = await setupTwo();
    await storeGrant(app, DAPP, eoa);
    app.edges.dialogs.answer = async () => {
      await app.services.keyring.deleteAccount(smart.id);
      return { approved: true, values: { [smart.id]: true } };
    };
    await expectRefusal(rpc(DAPP, 'wallet_requestPermissions', permission), -32001);
    expect(await accountsOf()).toStrictEqual([eoa.address]);
  });
});

describe.each(['wallet_revokePermissions', 'wallet_disconnect'])('%s', (method) => {
  it("deletes only the caller's grants, and writes nothing the second time", async () => {
    const { rpc, app, eoa, smart, accountsOf } = await setupTwo();
    const { backend } = app.edges;
    await storeGrant(app, DAPP, smart, eoa);
    await storeGrant(app, OTHER_SITE, eoa);
    expect(await accountsOf()).toStrictEqual([smart.address, eoa.address]);
    const revoke = async (): Promise<Json> =>
      rpc(DAPP, method, method === 'wallet_disconnect' ? undefined : permission);
    expect(await revoke()).toBeNull();
    expect(backend.document).toHaveProperty('grants', { [OTHER_SITE]: [eoa.id] });
    expect(await accountsOf()).toStrictEqual([]);
    expect(await accountsOf(OTHER_SITE)).toStrictEqual([eoa.address]);
    const { saves } = backend;
    expect(await revoke()).toBeNull();
    expect(backend.saves).toBe(saves);
  });
});

const CHAINS = 'endowment:permitted-chains';

const chains = { caveats: [{ type: 'restrictNetworkSwitching', value: ['0x1'] }] };

const connectingKeys: Record<string, Json>[] = [
  { eth_accounts: {}, [CHAINS]: chains },
  { [CHAINS]: chains },
  { eth_accounts: {}, 'endowment:caip25': {} },
];

describe("permissions with MetaMask's keys", () => {
  it.each(connectingKeys)('connect a site: %j', async (keys) => {
    const { rpc, eoa, smart } = await setupTwo();
    expect(await rpc(DAPP, 'wallet_requestPermissions', [keys])).toStrictEqual(
      toPermissions([eoa.address, smart.address]),
    );
  });

  it.each([...connectingKeys, { eth_accounts: {}, wallet_snap: {} }])(
    'disconnect a site: %j',
    async (keys) => {
      const { rpc, app, eoa, accountsOf } = await setupTwo();
      await storeGrant(app, DAPP, eoa);
      expect(await rpc(DAPP, 'wallet_revokePermissions', [keys])).toBeNull();
      expect(await accountsOf()).toStrictEqual([]);
    },
  );

  it.each<[string, Json, string]>([
    ['wallet_requestPermissions', { eth_accounts: {}, wallet_snap: {} }, 'wallet_snap'],
    ['wallet_requestPermissions', { wallet_snap: {} }, `eth_accounts or ${CHAINS}`],
    ['wallet_revokePermissions', { wallet_snap: {} }, `eth_accounts or ${CHAINS}`],
    ['wallet_revokePermissions', { 'endowment:caip25': {} }, 'eth_accounts or'],
  ])('are rejected by name without changes: %s %j', async (method, keys, name) => {
    const { rpc, app, eoa, accountsOf } = await setupTwo();
    await storeGrant(app, DAPP, eoa);
    await expectRefusal(rpc(DAPP, method, [keys]), -32602, name);
    expect(app.edges.dialogs.shown).toStrictEqual([]);
    expect(await accountsOf()).toStrictEqual([eoa.address]);
  });
});

it.each(['wallet_requestPermissions', 'wallet_revokePermissions'])(
  '%s rejects malformed params',
  async (method) => {
    const { rpc, app } = await setupTwo();
    for (const params of [[], [{}], [{ eth_accounts: 1 }], [null], permission[0]]) {
      const { code, message } = await refusalOf(rpc(DAPP, method, params));
      expect(code).toBe(-32602);
      expect(message).toMatch(new RegExp(`^${method}: params`, 'u'));
    }
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  },
);

it.each([undefined, [], {}, [{}]])(
  'wallet_getPermissions accepts the params %j',
  async (params) => {
    const { rpc, app, eoa } = await setupTwo();
    await storeGrant(app, DAPP, eoa);
    expect(await rpc(DAPP, 'wallet_getPermissions', params)).toStrictEqual(
      toPermissions([eoa.address]),
    );
  },
);

function ticksIn(content: unknown): unknown[] {
  return elementsOf(content)
    .filter(({ type }) => type === 'Checkbox')
    .map(({ props }) => props.checked);
}

const STRANGER = privateKeyToAccount(`0x${'5e'.repeat(32)}`).address.toLowerCase();

const INTENT = { to: `0x${'35'.repeat(20)}`, value: '0x1', data: '0x' };

type SiteRequest = [method: string, params: Json];

const requestsWithoutAccount: SiteRequest[] = [
  ['eth_accounts', []],
  ['eth_requestAccounts', []],
  ['wallet_getPermissions', []],
  ['wallet_getCapabilities', []],
  ['eth_chainId', []],
  ['eth_supportedEntryPoints', []],
  ['eth_prepareUserOperation', [INTENT]],
  ['eth_estimateUserOperationGas', [INTENT]],
  ['eth_sendUserOperation', [INTENT]],
  ['personal_sign', ['0x01']],
  ['keyring_listAccounts', []],
  ['tollkeeper_getChains', []],
];

/** Creates an account while the node has no factory that could check its address. */
async function create(
  app: TestApp,
  options: Record<string, Json> = {},
): Promise<KeyringAccount & { options: { owner?: string } }> {
  const { answers } = app.edges.wallet;
  const { eth_call } = answers;
  answers.eth_call = '0x';
  const account = await createAccount(app, options);
  Object.assign(answers, { eth_call });
  return account;
}

const requestsNaming = (address: string): SiteRequest[] => [
  ['personal_sign', ['0x01', address]],
  ['eth_signTypedData_v1', [[], address]],
  ['eth_signTransaction', [{ from: address, to: STRANGER }]],
  ['eth_sendTransaction', [{ from: address, to: STRANGER }]],
  ['wallet_getCapabilities', [address]],
  ['eth_signUserOperation', [operationOf(address)]],
  ['eth_patchUserOperation', [operationOf(address)]],
  ['eth_estimateUserOperationGas', [operationOf(address)]],
  ['eth_prepareUserOperation', { account: address, params: [INTENT] }],
];

/** Serializes everything that a site sees of a refusal. */
async function refusalTo(ask: () => Promise<unknown>): Promise<string> {
  const { code, message, data } = (await errorOf(ask)) as Error & {
    code: number;
    data: unknown;
  };
  return JSON.stringify({ code, message, data });
}

it('a site with a smart account learns nothing about other accounts', async () => {
  const bench = await createOperationBench();
  const { app, call, address, owner } = bench;
  const others = [
    await create(app),
    await create(app, { type: 'eip155:erc4337', entryPoint: '0.8', index: 0 }),
    await create(app, { privateKey: IMPORTED_KEY }),
  ];
  app.edges.wallet.answers.eth_getCode = '0x';
  const answers: unknown[] = [];
  for (const [method, params] of requestsWithoutAccount) {
    answers.push(await call(method, params).catch((error: unknown) => error));
  }
  const { initCode } = answers[6] as { initCode: string };
  const own = privateKeyToAccount(ownerKeyOfIndex(0, '0.7')).address.toLowerCase();
  expect(owner).toBe(own);
  expect(initCode).toContain(own.slice(2));
  const output = JSON.stringify([answers, bench.sent()]).toLowerCase();
  expect(output).toContain(address);
  for (const account of others) {
    const { owner: othersOwner = account.address } = account.options;
    for (const secret of [account.address, othersOwner, account.id]) {
      expect(output).not.toContain(secret.replace('0x', ''));
    }
  }
});

it("a site gets the same answers for the user's other accounts as for strangers'", async () => {
  const { app, call } = await createOperationBench();
  const smart = { type: 'eip155:erc4337', entryPoint: '0.8' };
  const { address, id, options } = await create(app, smart);
  const eoa = await create(app);
  const probe = async (named: string): Promise<unknown[]> => {
    const refusals = [];
    for (const [method, params] of requestsNaming(named)) {
      const refusal = await refusalTo(() => call(method, params));
      refusals.push(refusal.replaceAll(named, 'it'));
    }
    return refusals;
  };
  const stranger = await probe(STRANGER);
  for (const named of [address, eoa.address, options.owner ?? '']) {
    expect(await probe(named)).toStrictEqual(stranger);
  }
  const byId = { account: id, params: [INTENT] };
  const unknownId = { ...byId, account: '9c190a38-8a7c-4f84-a390-53cd8b5f758b' };
  expect(await refusalTo(() => call('eth_prepareUserOperation', byId))).toBe(
    await refusalTo(() => call('eth_prepareUserOperation', unknownId)),
  );
});

it('a site with an ordinary account learns nothing about the smart account', async () => {
  const { app } = await createOperationBench();
  const { rpc } = callersOf(app);
  const [smart] = await app.services.repository.list();
  const eoa = await create(app);
  const { dialogs } = app.edges;
  dialogs.answer = approveWith({ [eoa.id]: true });
  const answers: unknown[] = [
    await rpc(OTHER_SITE, 'wallet_requestPermissions', permission),
  ];
  dialogs.answer = approve;
  for (const [method, params] of requestsWithoutAccount) {
    answers.push(
      await rpc(OTHER_SITE, method, params).catch((error: unknown) => error),
    );
  }
  const output = JSON.stringify(answers).toLowerCase();
  expect(output).toContain(eoa.address);
  const { id, address, owner } = smart as SmartRecord;
  for (const secret of [id, address, owner]) {
    expect(output).not.toContain(secret.replace('0x', ''));
  }
});

describe('concurrent requests to connect', () => {
  /** Makes two requests, and answers their dialogs once both are waiting. */
  async function askTwice(
    first: [method: string, params?: Json],
    second: [method: string, params?: Json],
    answer: TestApp['edges']['dialogs']['answer'] = approve,
  ) {
    const { rpc, app } = setup();
    const { address } = await createAccount(app);
    const { opened, open } = createGate();
    app.edges.dialogs.answer = async (...shown) => opened.then(() => answer(...shown));
    const asking = [rpc(DAPP, ...first)];
    await settle();
    asking.push(rpc(DAPP, ...second));
    await settle();
    open();
    const answers = await Promise.allSettled(asking);
    return { app, rpc, address, answers, dialogs: app.edges.dialogs.shown.length };
  }

  it.each<[[string, Json?], [string, Json?]]>([
    [['eth_requestAccounts'], ['eth_requestAccounts']],
    [
      ['wallet_requestPermissions', permission],
      ['wallet_requestPermissions', permission],
    ],
    [
      ['wallet_connect', connectParams()],
      ['wallet_connect', connectParams()],
    ],
    [['eth_requestAccounts'], ['wallet_requestPermissions', permission]],
    [
      ['wallet_requestPermissions', permission],
      ['wallet_connect', connectParams()],
    ],
    [['wallet_connect', signInParams()], ['eth_requestAccounts']],
    [
      ['wallet_connect', signInParams()],
      ['wallet_connect', signInParams()],
    ],
  ])('share one dialog and its answer: %j, %j', async (first, second) => {
    const { address, answers, dialogs } = await askTwice(first, second);
    expect(dialogs).toBe(1);
    for (const { status, value } of answers as PromiseFulfilledResult<unknown>[]) {
      expect(status).toBe('fulfilled');
      expect(JSON.stringify(value)).toContain(address);
    }
    const sent = new Set([first, second].map((each) => JSON.stringify(each)));
    const got = new Set(answers.map((each) => JSON.stringify(each)));
    expect(got.size).toBe(sent.size);
  });

  it('are refused together, and a later request may ask again', async () => {
    const request: [string] = ['eth_requestAccounts'];
    const { app, rpc, address, answers } = await askTwice(request, request, refuse);
    for (const { reason } of answers as PromiseRejectedResult[]) {
      expect(reason).toHaveProperty('code', 4001);
    }
    app.edges.dialogs.answer = approve;
    expect(await rpc(DAPP, 'eth_requestAccounts')).toStrictEqual([address]);
  });

  it('have separate dialogs for different sign-ins', async () => {
    const { answers, dialogs } = await askTwice(
      ['wallet_connect', signInParams()],
      ['wallet_connect', signInParams({ nonce: 'another12' })],
    );
    expect(dialogs).toBe(2);
    const [one, two] = (answers as PromiseFulfilledResult<Connected>[]).map(
      ({ value }) => value.accounts[0]?.capabilities.signInWithEthereum?.message,
    );
    expect(one).toContain(signInRequest.nonce);
    expect(two).toContain('another12');
  });

  it('create only one first account', async () => {
    const { rpc, app } = setup();
    app.edges.dialogs.answer = approveOnly;
    const asking = [1, 2].map(async () => rpc(DAPP, 'eth_requestAccounts'));
    const [one, two] = await Promise.all(asking);
    expect(one).toStrictEqual(await listAddresses(app));
    expect(two).toStrictEqual(one);
    expect(one).toHaveLength(1);
    expect(app.edges.dialogs.shown).toHaveLength(1);
  });

  it("do not share another site's dialog", async () => {
    const { rpc, app } = setup();
    await createAccount(app);
    const sites = [DAPP, OTHER_SITE];
    await Promise.all(sites.map(async (site) => rpc(site, 'eth_requestAccounts')));
    expect(app.edges.dialogs.shown).toHaveLength(2);
  });
});
