// The provider with MetaMask's packages: installation, a site in two tabs, and a locked wallet.
import { readFile } from 'node:fs/promises';

import { jest } from '@jest/globals';
import { encodeFunctionData, parseAbi } from 'viem';

import type { DemoAccount } from '../../dev/demo/world';
import { approveWith } from '../../dev/wallet/user';
import { createProvider } from '../../packages/provider/src';
import type { Provider } from '../../packages/provider/src';
import { poll } from '../fixtures/stack/requests';
import { errorOf } from '../support/error-of';
import { settle } from '../support/gate';
import { setupWalletWorld } from '../support/smart-world';

const world = setupWalletWorld();

let account: DemoAccount;

beforeAll(async () => {
  account = await world.createAccount({ type: 'eip155:eoa' });
});

let visited = 0;

function visit(origin = `https://visitor-${(visited += 1)}.example`): Provider {
  const { wallet } = world;
  const { snapId, user } = wallet;
  user.onDialog = async (dialog) => {
    await dialog.fill(account.id, true);
    await dialog.approve();
  };
  return createProvider({ ethereum: wallet.site(origin), snapId });
}

const requestAccounts = async (provider: Provider): Promise<unknown> =>
  provider.request({ method: 'eth_requestAccounts' });

describe('a site without the snap', () => {
  it('gets its status and an empty account list without a prompt', async () => {
    const provider = visit();
    expect(await provider.status()).toStrictEqual({ state: 'not-installed' });
    expect(await provider.request({ method: 'eth_accounts' })).toStrictEqual([]);
  });

  it("gets the user's refusal", async () => {
    world.wallet.user.allowInstall = false;
    const provider = visit();
    const error = await errorOf(async () => requestAccounts(provider));
    world.wallet.user.allowInstall = true;
    expect(error).toMatchObject({ name: 'ProviderRpcError', code: 4001 });
    expect(await provider.status()).toStrictEqual({ state: 'not-installed' });
  });
});

it("notices another tab's revocation on the next call", async () => {
  const origin = 'https://two-tabs.example';
  world.wallet.connect(origin);
  const [first, second] = [visit(origin), visit(origin)];
  const changes: unknown[] = [];
  second.on('accountsChanged', (accounts: unknown) => changes.push(accounts));
  await requestAccounts(first);
  expect(await requestAccounts(second)).toStrictEqual([account.address]);
  const revoke = { method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] };
  await first.request(revoke);
  const params = ['0x1234', account.address];
  const refused = await errorOf(async () =>
    second.request({ method: 'personal_sign', params }),
  );
  expect(refused).toHaveProperty('code', 4100);
  while (changes.length < 2) await settle();
  expect(changes).toStrictEqual([[account.address], []]);
});

it('holds eth_requestAccounts until the wallet is unlocked, and answers eth_chainId', async () => {
  const origin = 'https://locked.example';
  world.wallet.connect(origin);
  const { lock } = world.wallet;
  // Locking MetaMask loses the changes that it has not written yet.
  await world.wallet.disk();
  lock.lock();
  const provider = visit(origin);
  const connecting = requestAccounts(provider);
  const first = await Promise.race([
    connecting,
    provider.request({ method: 'eth_chainId' }),
  ]);
  expect(first).toBe('0x7a69');
  lock.unlock();
  expect(await connecting).toStrictEqual([account.address]);
});

it('sends two batches at once, which a reloaded page finds', async () => {
  const sender = await world.createAccount({ type: 'eip155:eoa' }, '1');
  const origin = `https://${sender.id}.example`;
  world.wallet.connect(origin);
  const provider = visit(origin);
  world.wallet.user.onDialog = approveWith(sender.id);
  await requestAccounts(provider);
  const to = world.stack.contracts['0.7'].entryPoint;
  // Even a deposit of 0 emits a log.
  const data = encodeFunctionData({
    abi: parseAbi(['function depositTo(address account) payable']),
    args: [sender.address],
  });
  const batch = {
    version: '2.0.0',
    from: sender.address,
    chainId: '0x7a69',
    atomicRequired: false,
    calls: [{ to, data }],
  };
  const send = async (): Promise<unknown> =>
    provider.request({ method: 'wallet_sendCalls', params: [batch] });
  const sent = (await Promise.all([send(), send()])) as { id: string }[];
  const params = sent.map(({ id }) => [id]);
  expect(new Set(params.flat()).size).toBe(2);
  const ethereum = world.wallet.site(origin);
  const reopened = createProvider({ ethereum, snapId: world.wallet.snapId });
  const settled = params.map(async ([id]) =>
    poll(async () => {
      const status = await reopened.request({
        method: 'wallet_getCallsStatus',
        params: [id],
      });
      return (status as { status: number }).status === 100 ? null : status;
    }),
  );
  const hex = expect.stringMatching(/^0x[1-9a-f][\da-f]*$/u) as string;
  const hash = expect.stringMatching(/^0x[\da-f]{64}$/u) as string;
  const log = { address: to.toLowerCase(), data: expect.any(String) as string };
  for (const status of await Promise.all(settled)) {
    expect(status).toMatchObject({
      version: '2.0.0',
      chainId: '0x7a69',
      status: 200,
      atomic: false,
      receipts: [
        {
          status: '0x1',
          blockHash: hash,
          blockNumber: hex,
          gasUsed: hex,
          transactionHash: hash,
          logs: expect.arrayContaining([
            expect.objectContaining({ ...log, topics: [hash, hash] }),
          ]) as unknown[],
        },
      ],
    });
  }
});

// These tests come last, because requesting a missing version removes the local snap.
describe('an installation', () => {
  it('happens when a site requests accounts', async () => {
    const provider = visit();
    expect(await requestAccounts(provider)).toStrictEqual([account.address]);
    const { version } = JSON.parse(await readFile('snap.manifest.json', 'utf8')) as {
      version: string;
    };
    expect(await provider.status()).toStrictEqual({ state: 'ready', version });
    expect(await provider.install()).toBe(version);
  });

  it('fails if the wallet lacks the version that the site needs', async () => {
    const origin = 'https://ahead.example';
    const { wallet } = world;
    wallet.connect(origin);
    const ethereum = wallet.site(origin);
    const options = { ethereum, snapId: wallet.snapId, version: '^9.0.0' };
    const provider = createProvider(options);
    expect(await provider.status()).toMatchObject({ state: 'outdated' });
    // The wallet logs the failed request with console.error.
    jest.spyOn(console, 'error').mockReturnValue();
    const error = await errorOf(async () => requestAccounts(provider));
    expect(error).toHaveProperty('name', 'ProviderRpcError');
    expect(error.message).toContain('9.0.0');
  });
});
