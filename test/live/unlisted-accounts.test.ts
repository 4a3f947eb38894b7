// Accounts that MetaMask does not support: the built snap in a wallet whose SnapKeyring knows no
// smart accounts, or that has no SnapKeyring for this snap. Dapps can still use them.
import { jest } from '@jest/globals';
import type { KeyringAccount } from '@metamask/keyring-api';
import { providerErrors } from '@metamask/rpc-errors';
import type { Json } from '@metamask/utils';
import { stringToHex } from 'viem';
import type { Hex } from 'viem';

import {
  configureChain,
  connect,
  openWorld,
  type SnapSite,
  type World,
} from '../../dev/demo/world';
import { startDevStack } from '../../dev/stack/stack';
import { deployVerifiers } from '../../dev/stack/verifiers';
import type { SnapCall } from '../../dev/wallet/engine';
import { poll, sendCalls, waitForBatch } from '../fixtures/stack/requests';
import { wallets } from '../support/account-bench';
import { createNode, createRecipient } from '../support/smart-world';

type ManageAccounts = { method: string; params: { account?: Record<string, Json> } };

describe.each(wallets)('%s', (_name, options) => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld(await startDevStack(), options);
    await deployVerifiers(world.stack);
    await configureChain(world);
  });

  beforeEach(() => {
    // MetaMask logs events that become due while a wallet stops.
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
  });

  afterEach(() => {
    expect(world.wallet.user.errors.splice(0)).toStrictEqual([]);
  });

  afterAll(async () => world?.stop());

  /** Makes the SnapKeyring treat smart accounts as an unknown type. */
  async function withoutSmartAccounts({ method, params }: SnapCall): Promise<void> {
    const call = params as ManageAccounts | undefined;
    const account = call?.params?.account;
    if (method !== 'snap_manageAccounts' || account?.type !== 'eip155:erc4337') return;
    const { keyring, snapId } = world.wallet;
    await keyring.handleKeyringSnapMessage(snapId, {
      ...call,
      params: { ...call?.params, account: { ...account, type: 'eip155:removed' } },
    } as never);
  }

  /** Refuses account management as the PermissionController does without the permission. */
  function withoutPermission({ method }: SnapCall): void {
    if (method === 'snap_manageAccounts') throw providerErrors.unauthorized();
  }

  async function list(): Promise<KeyringAccount[]> {
    return (await world.companion.keyring('keyring_listAccounts')) as never;
  }

  async function create(options: Record<string, Json>): Promise<KeyringAccount> {
    const created = world.companion.keyring('keyring_createAccount', { options });
    return (await created) as unknown as KeyringAccount;
  }

  /** Restarts the wallet from its disk, or reinstalls the snap. */
  async function restart(what: 'the wallet' | 'the snap'): Promise<void> {
    const { stack, wallet } = world;
    const { onSnapCall } = wallet;
    if (what === 'the wallet') {
      const disk = await wallet.disk();
      await wallet.stop();
      world = await openWorld(stack, { ...options, disk });
    } else {
      await wallet.removeSnap();
      await wallet.install();
      wallet.connect(world.dapp.origin);
      await configureChain(world);
    }
    world.wallet.onSnapCall = onSnapCall;
  }

  /** Sends 1 wei with a batch of calls, and 1 wei with a user operation. */
  async function sendBoth({ id, address }: KeyringAccount, dapp: SnapSite) {
    const to = createRecipient();
    const call = { to, value: '0x1', data: '0x' };
    const calls = [call];
    const batch = await sendCalls(dapp, { from: address, atomicRequired: true, calls });
    expect(await waitForBatch(dapp, batch)).toMatchObject({ status: 200 });
    const envelope = { account: id, params: [call] };
    const prepared = await dapp.snap('eth_prepareUserOperation', envelope);
    expect(prepared).toHaveProperty('callData');
    const hash = await dapp.snap('eth_sendUserOperation', envelope);
    const receipt = await poll(async () =>
      dapp.snap('eth_getUserOperationReceipt', [hash]),
    );
    expect(receipt).toMatchObject({ userOpHash: hash, success: true });
    expect(await createNode(world.stack.chain.url).getBalance({ address: to })).toBe(
      2n,
    );
  }

  /**
   * Signs a message as a site. viem verifies the signature, for a smart account through its
   * contract.
   */
  async function expectSigned(address: Hex): Promise<void> {
    const message = 'Here I am.';
    const params = [stringToHex(message), address];
    const signature = (await world.dapp.snap('personal_sign', params)) as Hex;
    const isValid = createNode(world.stack.chain.url).verifyMessage({
      address,
      message,
      signature,
    });
    expect(await isValid).toBe(true);
  }

  it('uses a smart account without MetaMask, and adds it to MetaMask later', async () => {
    world.wallet.onSnapCall = withoutSmartAccounts;
    const account = await create({
      type: 'eip155:erc4337',
      scopes: ['eip155:31337'],
    });
    const { id } = account;
    expect(world.wallet.user.dialogs.at(-1)?.text).toContain('only in Tollkeeper');
    expect(world.wallet.user.questions).toStrictEqual([]);
    expect(world.wallet.keyring.listAccounts()).toStrictEqual([]);
    expect(await list()).toStrictEqual([account]);
    await world.stack.fund(account.address as Hex, '1');

    expect(await connect(world, world.dapp, [account])).toStrictEqual([
      account.address,
    ]);
    await sendBoth(account, world.dapp);
    await restart('the wallet');
    expect(await world.dapp.snap('eth_requestAccounts')).toStrictEqual([
      account.address,
    ]);
    await sendBoth(account, world.dapp);

    await restart('the snap');
    const page = await world.wallet.openHomePage();
    await page.click('home.frame.tab:accounts');
    await page.click('home.accounts.step:restore');
    await page.submit('home.accounts.restore');
    await connect(world, world.dapp, [account]);
    await sendBoth(account, world.dapp);
    expect(world.wallet.keyring.listAccounts()).toStrictEqual([]);

    world.wallet.onSnapCall = undefined;
    const home = await world.wallet.openHomePage();
    await home.click('home.frame.tab:accounts');
    await home.click(`home.accounts.announce:${id}`);
    const [listed] = await list();
    expect(listed?.options).not.toHaveProperty('unlisted');
    expect(world.wallet.keyring.listAccounts()).toMatchObject([listed]);
    const prepared = await world.wallet.keyring.prepareUserOperation(
      account.address,
      [{ to: account.address, value: '0x0', data: '0x' }],
      { chainId: '31337' },
    );
    expect(prepared).toHaveProperty('initCode', '0x');
    await world.companion.keyring('keyring_deleteAccount', { id });
    expect([world.wallet.keyring.listAccounts(), await list()]).toStrictEqual([[], []]);
    world.wallet.user.questions.length = 0;
  });

  it('signs and sends if MetaMask does not let the snap manage accounts', async () => {
    world.wallet.onSnapCall = withoutPermission;
    const account = await create({});
    const address = account.address as Hex;
    await connect(world, world.dapp, [account]);
    await expectSigned(address);
    await world.stack.fund(address, '1');
    const hash = await world.dapp.snap('eth_sendTransaction', [
      { from: address, to: world.stack.funded.address, value: '0x1' },
    ]);
    const node = createNode(world.stack.chain.url);
    const { status } = await node.waitForTransactionReceipt({ hash: hash as Hex });
    expect(status).toBe('success');
    const safe = await create({
      type: 'eip155:erc4337',
      implementation: 'safe',
      scopes: ['eip155:31337'],
    });
    await connect(world, world.dapp, [account, safe]);
    await expectSigned(safe.address as Hex);
    await restart('the wallet');
    expect(await list()).toStrictEqual([account, safe]);
    for (const { id } of [account, safe]) {
      await world.companion.keyring('keyring_deleteAccount', { id });
    }
    expect(await list()).toStrictEqual([]);
    expect(world.wallet.user.questions).toStrictEqual([]);
  });
});
