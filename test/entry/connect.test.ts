// The first visit of a site: its user has no account yet, or connects and signs in at once
// (wallet_connect, ERC-7846).
import type { Json } from '@metamask/utils';
import { getAddress, verifyMessage } from 'viem';
import type { Hex } from 'viem';
import { parseSiweMessage, validateSiweMessage } from 'viem/siwe';

import { callersOf } from '../support/callers';
import type { Callers } from '../support/callers';
import { giveGrant } from '../support/given';
import { createKeyringBench, createRestoreBench } from '../support/keyring-bench';
import { withDialog } from '../support/open-dialog';
import { refusalOf } from '../support/refusal';
import {
  approve,
  createAccount,
  createTestApp,
  DAPP,
  refuse,
} from '../support/test-app';
import type { TestApp } from '../support/test-app';
import { textOf, warningsOf, writeView } from '../support/view';

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

/** Approves without ticking anything: a first account is created, not restored. */
const approveOnly = async () => Promise.resolve({ approved: true, values: {} });

const listOf = async (app: TestApp): Promise<string[]> =>
  (await app.services.repository.list()).map(({ address }) => address);

describe('a site whose user has no account', () => {
  it('leads them to one, which is connected without another dialog', async () => {
    const { rpc, app } = setup();
    app.edges.dialogs.answer = approveOnly;
    const connected = await rpc(DAPP, 'eth_requestAccounts');
    expect(connected).toStrictEqual(await listOf(app));
    expect(connected).toHaveLength(1);
    expect(app.edges.dialogs.shown).toHaveLength(1);
    expect(writeView(app.edges.dialogs.shown[0])).toContain(textOf('connect.first'));
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual(connected);
  });

  it('is refused, and nothing is created, where they refuse', async () => {
    const { rpc, app } = setup();
    app.edges.dialogs.answer = refuse;
    expect((await refusalOf(rpc(DAPP, 'eth_requestAccounts'))).code).toBe(4001);
    expect(await listOf(app)).toStrictEqual([]);
  });

  it('is refused where they decline the account in MetaMask', async () => {
    const { app, metamask } = createKeyringBench();
    const { rpc } = callersOf(app);
    app.edges.dialogs.answer = approveOnly;
    metamask.decide = async () => Promise.resolve(false);
    expect((await refusalOf(rpc(DAPP, 'eth_requestAccounts'))).code).toBe(4001);
    expect(await listOf(app)).toStrictEqual([]);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
  });

  it('has the accounts restored that were used, and then asks which to connect', async () => {
    const { app, used } = createRestoreBench();
    const { address } = await createAccount(createTestApp());
    used.add(address);
    let count = 0;
    app.edges.dialogs.answer = async (content) => {
      count += 1;
      return count === 1
        ? Promise.resolve({ approved: true, values: { restore: true } })
        : approve(content);
    };
    expect(await callersOf(app).rpc(DAPP, 'eth_requestAccounts')).toStrictEqual([
      address,
    ]);
    expect(count).toBe(2);
  });

  it('is notified if there was no account to restore', async () => {
    const { app } = createRestoreBench();
    app.edges.dialogs.answer = async () =>
      Promise.resolve({ approved: true, values: { restore: true } });
    const asking = callersOf(app).rpc(DAPP, 'eth_requestAccounts');
    expect(await refusalOf(asking)).toStrictEqual({
      code: -32001,
      message: 'No used account was found to restore. Connect again to create one.',
    });
  });
});

const connect = (capabilities?: Record<string, Json>): Json => [
  { version: '1', ...(capabilities && { capabilities }) },
];

const request = { nonce: 'k13wuyv6db6cz', chainId: '0x1' };

describe('wallet_connect', () => {
  it('connects and signs in by one dialog, for the site itself', async () => {
    const { rpc, app } = setup();
    const { address } = await createAccount(app);
    const statement = 'Read my mail.';
    const params = connect({ signInWithEthereum: { ...request, statement } });
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
      nonce: request.nonce,
      statement,
      version: '1',
    });
    expect(validateSiweMessage({ message: signIn, domain: 'dapp.example' })).toBe(true);
    expect(app.edges.dialogs.shown).toHaveLength(1);
    expect(warningsOf(app.edges.dialogs.shown[0])).toStrictEqual([]);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([address]);
  });

  it('creates the first account before', async () => {
    const { rpc, app } = setup();
    app.edges.dialogs.answer = approveOnly;
    const params = connect({ signInWithEthereum: request });
    const { accounts } = (await rpc(DAPP, 'wallet_connect', params)) as Connected;
    expect(accounts).toHaveLength(1);
    expect(app.edges.dialogs.shown).toHaveLength(2);
  });

  it('signs for the account that is chosen, and keeps those that were connected', async () => {
    const { rpc, app } = setup();
    const [one, two] = [
      await createAccount(app, {}),
      await createAccount(app, { index: 1 }),
    ];
    await giveGrant(app, DAPP, one);
    const params = connect({ signInWithEthereum: request });
    const answer = await withDialog(
      app,
      async () => rpc(DAPP, 'wallet_connect', params),
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

  it("warns of another site's sign-in", async () => {
    const { rpc, app } = setup();
    await createAccount(app);
    const foreign = { ...request, domain: 'bank.example', uri: 'https://bank.example' };
    await rpc(DAPP, 'wallet_connect', connect({ signInWithEthereum: foreign }));
    expect(warningsOf(app.edges.dialogs.shown[0])).toHaveLength(1);
  });

  it('connects nothing if the user refuses to sign in', async () => {
    const { rpc, app } = setup();
    await createAccount(app);
    app.edges.dialogs.answer = refuse;
    const asking = rpc(
      DAPP,
      'wallet_connect',
      connect({ signInWithEthereum: request }),
    );
    expect((await refusalOf(asking)).code).toBe(4001);
    expect(await rpc(DAPP, 'eth_accounts')).toStrictEqual([]);
  });

  it.each<[Json, number, string]>([
    [[], -32602, 'wallet_connect: params'],
    [connect({ teleport: {} }), 5700, '"teleport"'],
    [connect({ signInWithEthereum: { chainId: '0x1' } }), -32602, 'nonce'],
    [connect({ signInWithEthereum: { nonce: 'abcdefgh' } }), -32602, 'chainId'],
    [connect({ signInWithEthereum: { ...request, nonce: 'short' } }), -32602, 'nonce'],
    [
      connect({ signInWithEthereum: { ...request, statement: 'Two\nlines' } }),
      ...([-32602, 'EIP-4361'] as const),
    ],
    [
      connect({ signInWithEthereum: { ...request, domain: 'a.example\nURI: x' } }),
      ...([-32602, 'EIP-4361'] as const),
    ],
    [
      connect({ signInWithEthereum: { ...request, expirationTime: 'tomorrow' } }),
      ...([-32602, 'EIP-4361'] as const),
    ],
  ])('refuses %j, and shows nothing', async (params, code, words) => {
    const { rpc, app } = setup();
    await createAccount(app);
    const refusal = await refusalOf(rpc(DAPP, 'wallet_connect', params));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(words);
    expect(app.edges.dialogs.shown).toStrictEqual([]);
  });

  it('leaves out an optional capability that it does not have', async () => {
    const { rpc, app } = setup();
    const { address } = await createAccount(app);
    const params = connect({ teleport: { optional: true } });
    expect(await rpc(DAPP, 'wallet_connect', params)).toStrictEqual({
      accounts: [{ address, capabilities: {} }],
    });
  });

  it('connects a smart account where signing in is optional', async () => {
    const { rpc, app } = setup();
    const options = { type: 'eip155:erc4337', entryPoint: '0.7' };
    const { address } = await createAccount(app, options);
    const capability = { ...request, optional: true };
    const params = connect({ signInWithEthereum: capability });
    expect(await rpc(DAPP, 'wallet_connect', params)).toStrictEqual({
      accounts: [{ address, capabilities: {} }],
    });
  });

  it('keeps disconnected what was disconnected while the dialog was open', async () => {
    const { rpc, app } = setup();
    const [one, two] = [
      await createAccount(app),
      await createAccount(app, { index: 1 }),
    ];
    await giveGrant(app, DAPP, one, two);
    const answer = await withDialog(
      app,
      async () => rpc(DAPP, 'wallet_connect', connect({ signInWithEthereum: request })),
      async () => app.services.grants.revoke(DAPP, two.id),
    );
    const { accounts } = answer as Connected;
    expect(accounts.map(({ address }) => address)).toStrictEqual([one.address]);
  });

  it('says that a smart account cannot sign in', async () => {
    const { rpc, app } = setup();
    await createAccount(app, { type: 'eip155:erc4337', entryPoint: '0.7' });
    const asking = rpc(
      DAPP,
      'wallet_connect',
      connect({ signInWithEthereum: request }),
    );
    const { code, message } = await refusalOf(asking);
    expect([code, message]).toStrictEqual([5700, expect.stringContaining('ERC-1271')]);
  });
});
