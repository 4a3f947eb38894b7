// viem, ethers and wagmi, unmodified, on the provider: one test for all of them, with the
// snap in MetaMask's own packages and a real chain.
import {
  createPublicClient,
  createTestClient,
  custom,
  getAddress,
  http,
  recoverMessageAddress,
  recoverTypedDataAddress,
} from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import { foundry } from 'viem/chains';

import { createAccount, type DemoAccount } from '../../dev/demo/world';
import { refuseAll } from '../../dev/wallet/user';
import { announce, createProvider } from '../../src/provider';
import type { Provider } from '../../src/provider';
import { toTollkeeperSmartAccount } from '../../src/viem';
import { connectEthers } from '../fixtures/libraries/ethers';
import type { Document, Library } from '../fixtures/libraries/library';
import { connectViem } from '../fixtures/libraries/viem';
import { createWagmi } from '../fixtures/libraries/wagmi';
import { errorOf } from '../support/error-of';
import { createRecipient, setupSmartWorld } from '../support/smart-world';

const world = setupSmartWorld();

const page = globalThis as unknown as { window?: EventTarget };

const document: Document = {
  domain: { name: 'Toll', chainId: 31337 },
  types: {
    Receipt: [{ name: 'paidTo', type: 'string' }],
  },
  primaryType: 'Receipt',
  message: { paidTo: 'the keeper' },
};

let account: DemoAccount;

// A chain goes on: ethers counts a block's confirmations by the blocks that come after it.
/** Visit a site that is connected with the snap, whose user grants this account. */
function visit(origin: string, { id }: DemoAccount): Provider {
  const { wallet } = world;
  wallet.connect(origin);
  wallet.user.onDialog = async (dialog) => {
    if (id in dialog.values) await dialog.fill(id, true);
    await dialog.approve();
  };
  return createProvider({ ethereum: wallet.site(origin), snapId: wallet.snapId });
}

let mining: NodeJS.Timeout;

beforeAll(async () => {
  account = await createAccount(world, { type: 'eip155:eoa' });
  await world.stack.fund(account.address, '1');
  const chain = createTestClient({
    mode: 'anvil',
    transport: http(world.stack.chain.url),
  });
  // The chain can stop while one is on its way.
  const mine = async (): Promise<void> =>
    chain.mine({ blocks: 1 }).catch(() => undefined);
  mining = setInterval(() => void mine(), 500);
});

afterAll(() => {
  clearInterval(mining);
});

const libraries: [name: string, find: () => Library][] = [
  ['viem', () => connectViem],
  ['ethers', () => connectEthers],
  ['wagmi', () => createWagmi(world.stack.chain.url)],
];

describe.each(libraries)('%s', (name, find) => {
  let connected: Awaited<ReturnType<Library>>;
  let provider: Provider;
  let takeBack: () => void;

  beforeAll(async () => {
    page.window = new EventTarget();
    provider = visit(`https://${name}.example`, account);
    takeBack = announce(provider);
    connected = await find()({ provider });
  });

  afterAll(() => {
    takeBack();
    delete page.window;
  });

  it('connects, and learns account and chain', () => {
    const { address, chainId } = connected;
    expect(getAddress(address)).toBe(getAddress(account.address));
    expect(chainId).toBe(31337);
  });

  it('has a message signed', async () => {
    const message = `The toll of ${name} is paid. ✓`;
    const signature = await connected.dapp.signMessage(message);
    expect(await recoverMessageAddress({ message, signature })).toBe(
      getAddress(account.address),
    );
  });

  it('has typed data signed', async () => {
    const signature = await connected.dapp.signTypedData(document);
    expect(await recoverTypedDataAddress({ ...document, signature })).toBe(
      getAddress(account.address),
    );
  });

  it('sends money, and waits for the receipt', async () => {
    const to = createRecipient();
    const { send, waitForReceipt } = connected.dapp;
    const hash = await send({ to, value: 5n });
    const { isSuccess, block } = await waitForReceipt(hash);
    expect(isSuccess).toBe(true);
    expect((await world.node.getTransactionReceipt({ hash })).blockNumber).toBe(block);
    expect(await world.node.getBalance({ address: to })).toBe(5n);
  });

  it('sends a batch', async () => {
    const payments = [1n, 2n].map((value) => ({ to: createRecipient(), value }));
    expect(await connected.dapp.sendBatch(payments)).toHaveProperty('isSuccess', true);
    for (const { to, value } of payments) {
      expect(await world.node.getBalance({ address: to })).toBe(value);
    }
  });

  it('reads the chain', async () => {
    const { address } = connected;
    const request = { method: 'eth_getBalance', params: [address, 'latest'] };
    const balance = await world.node.getBalance({ address });
    expect(await provider.request(request)).toBe(`0x${balance.toString(16)}`);
  });

  it('knows a refusal', async () => {
    const { user } = world.wallet;
    const { onDialog } = user;
    user.onDialog = refuseAll;
    const error = await errorOf(async () => connected.dapp.signMessage('No.'));
    user.onDialog = onDialog;
    expect(connected.dapp.codeOf(error)).toBe(4001);
  });
});

describe("viem's bundler client", () => {
  it.each(['0.6', '0.7', '0.8'] as const)(
    'sends a user operation: EntryPoint %s',
    async (version) => {
      const smart = await world.createSmart(version, '1');
      const provider = visit(`https://bundler-${version}.example`, smart);
      const transport = custom(provider);
      const client = createBundlerClient({
        account: await toTollkeeperSmartAccount({
          client: createPublicClient({ chain: foundry, transport }),
          provider,
        }),
        client: world.node,
        chain: foundry,
        transport,
        pollingInterval: 100,
      });
      const to = createRecipient();
      const hash = await client.sendUserOperation({ calls: [{ to, value: 7n }] });
      const { success } = await client.waitForUserOperationReceipt({ hash });
      expect(success).toBe(true);
      expect(await world.node.getBalance({ address: to })).toBe(7n);
    },
  );
});
