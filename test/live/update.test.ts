// An update in MetaMask's SnapController, from the release built at a33ea00 to the current one.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

import { assert, enums, record, string, type } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';
import { parseEther } from 'viem';
import type { Hex } from 'viem';

import { connect, createSnapSite } from '../../dev/demo/world';
import { startWallet, type Wallet } from '../../dev/wallet/wallet';
import { pollServers } from '../fixtures/stack/requests';
import { startAnvil, type TestChain } from '../fixtures/wallet/anvil';
import { operationOf } from '../support/operations';
import { createNode } from '../support/smart-world';

/** The old release's files by name: manifest, bundle and English messages. */
const OLD_RELEASE = 'test/fixtures/state/a33ea00.json.br';

const DAPP = 'https://dapp.example';

const SMART = { type: 'eip155:erc4337', scopes: ['eip155:31337'] };

const ON_CHAIN = { chainId: '31337' };

/** Struct of the state that a SnapKeyring without smart accounts can load (v2/SnapKeyring.ts). */
const WithoutSmartAccounts = type({
  accounts: record(
    string(),
    type({ account: type({ type: enums(['eip155:eoa', 'solana:data-account']) }) }),
  ),
});

type Encrypted = {
  version: number;
  accounts: Record<string, { type: string }>;
  settings: Json;
  activity: Record<string, { status: string }>;
};

let folder: string;
let chain: TestChain;
let wallet: Wallet;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollkeeper-update-'));
  const packed = brotliDecompressSync(await readFile(OLD_RELEASE));
  const files = JSON.parse(packed.toString()) as Record<string, string>;
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, 'old', name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await serveRelease(path.join(folder, 'old'));
  chain = await startAnvil();
  wallet = await startWallet({ chain, snapFolder: path.join(folder, 'served') });
  wallet.connect(DAPP);
});

afterAll(async () => {
  await wallet?.stop();
  chain?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function serveRelease(release: string): Promise<void> {
  const served = path.join(folder, 'served');
  await rm(served, { force: true });
  await symlink(path.resolve(release), served);
}

/**
 * Stops the snap and cancels its background events. One that starts the snap during the update
 * makes the update fail, and MetaMask then removes the snap with its data and permissions.
 */
async function cancelEvents(): Promise<void> {
  await wallet.stopSnap();
  const method = 'snap_getBackgroundEvents';
  for (const { id } of (await wallet.perform({ method })) as { id: string }[]) {
    await wallet.perform({ method: 'snap_cancelBackgroundEvent', params: { id } });
  }
}

const encrypted = async () => (await wallet.state()).encrypted as Encrypted;

it('keeps accounts, signatures, grants, settings, networks and pending transactions', async () => {
  const { keyring, snapId } = wallet;
  const dapp = createSnapSite(wallet, DAPP);
  const node = createNode(chain.url);
  await keyring.createAccount(snapId, {});
  await keyring.createAccount(snapId, { privateKey: `0x${'1f'.repeat(32)}` });
  await keyring.createAccount(snapId, { ...SMART, entryPoint: '0.7' });
  await keyring.createAccount(snapId, { ...SMART, implementation: 'safe' });
  const listInMetaMask = (): Json[] =>
    keyring.listAccounts().map(({ id, address, type }) => ({ id, address, type }));
  const addresses = keyring.listAccounts().map(({ address }) => address);
  const [first, second, smart, safe] = addresses;
  const home = await wallet.openHomePage();
  await home.click('home.frame.tab:settings');
  await home.fill('feeLevel', 'high');
  await home.submit('home.settings.save');
  await home.fill('chain', '31337');
  await home.submit('home.settings.add');
  await home.fill('rpcUrl', chain.url);
  await home.submit('home.settings.saveChain');
  await connect({ wallet }, dapp, keyring.listAccounts());
  const address = first as Hex;
  await node.setBalance({ address, value: parseEther('1') });
  await node.setAutomine(false);
  const transfer = { from: address, to: address, value: '0x1' };
  const hash = (await dapp.snap('eth_sendTransaction', [transfer])) as Hex;
  const inspect = async (): Promise<Json> => {
    const listing = { jsonrpc: '2.0', id: crypto.randomUUID() };
    const method = 'keyring_listAccounts';
    return {
      inMetaMask: listInMetaMask(),
      listed: await wallet.metamaskKeyring({ ...listing, method }),
      granted: await dapp.snap('eth_accounts'),
      signatures: [
        await keyring.signPersonalMessage(String(first), '0x12'),
        await keyring.signPersonalMessage(String(second), '0x12'),
        ...(await Promise.all(
          [smart, safe].map(async (each) => {
            const operation = operationOf(String(each)) as never;
            return keyring.signUserOperation(String(each), operation, ON_CHAIN);
          }),
        )),
      ],
    };
  };
  const before = await inspect();
  const stored = await encrypted();
  expect(stored).toMatchObject({
    version: 2,
    settings: { feeLevel: 'high' },
    chains: { 'eip155:31337': { rpcUrl: chain.url } },
    activity: { [hash]: { status: 'pending' } },
  });

  await serveRelease('.');
  await cancelEvents();
  await wallet.install();

  expect(await inspect()).toStrictEqual(before);
  await node.mine({ blocks: 1 });
  await pollServers(wallet);
  const { activity, ...after } = await encrypted();
  expect(activity[hash]).toMatchObject({ status: 'included' });
  const { activity: pending, ...others } = stored;
  expect(after).toStrictEqual({ ...others, version: 8, signedDocuments: [] });
  expect(Object.keys(activity)).toStrictEqual(Object.keys(pending));
  expect(wallet.user.errors).toStrictEqual([]);
});

it('works in a MetaMask without smart accounts after one click', async () => {
  const { keyring } = wallet;
  const dapp = createSnapSite(wallet, DAPP);
  const load = async (): Promise<void> =>
    assert(await keyring.serialize(), WithoutSmartAccounts);
  await expect(load()).rejects.toThrow('eip155:erc4337');
  const listed = keyring.listAccounts();
  const granted = (await dapp.snap('eth_accounts')) as Hex[];
  const { accounts } = await encrypted();
  const sign = async (): Promise<Json[]> =>
    Promise.all(
      granted.slice(-2).map(async (address) => {
        const envelope = { scope: 'eip155:31337', params: [operationOf(address)] };
        return dapp.snap('eth_signUserOperation', envelope);
      }),
    );
  const signatures = await sign();

  const home = await wallet.openHomePage();
  await home.click('home.frame.tab:accounts');
  await home.click('home.accounts.withdrawAll');

  await load();
  const isEoa = (each: { type: string }): boolean => each.type === 'eip155:eoa';
  expect(keyring.listAccounts()).toStrictEqual(listed.filter(isEoa));
  const kept = Object.entries(accounts).map(([id, each]) => [
    id,
    isEoa(each) ? each : { ...each, unlisted: true },
  ]);
  expect((await encrypted()).accounts).toStrictEqual(Object.fromEntries(kept));
  expect(await dapp.snap('eth_accounts')).toStrictEqual(granted);
  expect(await sign()).toStrictEqual(signatures);
  const [first] = keyring.listAccounts();
  await keyring.signPersonalMessage(String(first?.address), '0x12');
  expect(wallet.user.errors).toStrictEqual([]);
});
