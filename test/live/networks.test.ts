// Tollkeeper sends on the network that a site has selected in MetaMask, without configuration. viem
// uses the provider on two chains that MetaMask knows and on one that a site adds.
import { createWalletClient, custom, defineChain, parseEther } from 'viem';
import type { Address, Chain, Hex } from 'viem';

import { createSnapSite } from '../../dev/demo/world';
import { COMPANION_ORIGIN } from '../../dev/wallet/options';
import { approveWith } from '../../dev/wallet/user';
import { startWallet } from '../../dev/wallet/wallet';
import type { Wallet } from '../../dev/wallet/wallet';
import { createProvider } from '../../packages/provider/src';
import type { Provider } from '../../packages/provider/src';
import { startAnvil } from '../fixtures/wallet/anvil';
import type { TestChain } from '../fixtures/wallet/anvil';
import { errorOf } from '../support/error-of';
import { createNode } from '../support/smart-world';
import { textOf } from '../support/view';

const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const ids = [31337, 4242, 5353] as const;

let chains: TestChain[];
let wallet: Wallet;
let account: Address;

beforeAll(async () => {
  chains = await Promise.all(ids.map(async (id) => startAnvil(id)));
  const [chain, ...others] = chains as [TestChain, TestChain, TestChain];
  wallet = await startWallet({ chain, otherChains: others.slice(0, 1) });
  const companion = createSnapSite(wallet, COMPANION_ORIGIN);
  const created = await companion.keyring('keyring_createAccount', { options: {} });
  const { id, address } = created as { id: string; address: Address };
  account = address;
  wallet.user.onDialog = approveWith(id);
  await Promise.all(
    chains.map(async ({ url }) => {
      await createNode(url).setBalance({ address, value: parseEther('1') });
    }),
  );
});

afterAll(async () => {
  await wallet?.stop();
  for (const chain of chains ?? []) chain.stop();
});

function visit(origin: string): Provider {
  wallet.connect(origin);
  return createProvider({ ethereum: wallet.site(origin), snapId: wallet.snapId });
}

const urlOf = (id: number): string => chains[ids.indexOf(id as never)]?.url ?? '';

const chainOf = (id: number): Chain =>
  defineChain({
    id,
    name: `Chain ${id}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [urlOf(id)] } },
  });

/** Switches to a chain as a dapp does, sends there, and finds the receipt on that chain's node. */
async function payOn(provider: Provider, id: number): Promise<void> {
  const transport = custom(provider);
  const client = createWalletClient({ chain: chainOf(id), account, transport });
  await client.requestAddresses();
  await client.switchChain({ id });
  const hash: Hex = await client.sendTransaction({ to: RECIPIENT, value: 1n });
  const receipt = await createNode(urlOf(id)).waitForTransactionReceipt({ hash });
  expect(receipt).toMatchObject({ status: 'success', from: account.toLowerCase() });
  const found = await provider.request<{ transactionHash: Hex } | null>({
    method: 'eth_getTransactionReceipt',
    params: [hash],
  });
  expect(found?.transactionHash).toBe(hash);
}

it("warns that MetaMask's own node cannot simulate a transaction", async () => {
  const provider = visit('https://unsure.example');
  // The snap learns from the first transaction which methods the node lacks.
  for (let count = 0; count < 2; count += 1) await payOn(provider, 31337);
  expect(wallet.user.dialogs.at(-1)?.text).toContain(textOf('changes.unknown'));
});

describe('a site that switches its network', () => {
  it('sends on the new network, then on the first one, and is notified of each switch', async () => {
    const provider = visit('https://switches.example');
    const events: unknown[] = [];
    provider.on('chainChanged', (chainId: unknown) => events.push(chainId));
    await payOn(provider, 4242);
    await payOn(provider, 31337);
    expect(events).toStrictEqual(['0x1092', '0x7a69']);
  });

  it('does not affect a site on another network at the same time', async () => {
    const [one, other] = [visit('https://one.example'), visit('https://other.example')];
    await Promise.all([payOn(one, 4242), payOn(other, 31337)]);
  });

  it('gets error 4902 for a network that MetaMask lacks, adds it, and sends there', async () => {
    const provider = visit('https://adds.example');
    const params = [{ chainId: '0x14e9' }];
    const error = await errorOf(async () =>
      provider.request({ method: 'wallet_switchEthereumChain', params }),
    );
    expect(error).toMatchObject({ code: 4902 });
    const client = createWalletClient({ transport: custom(provider) });
    await client.addChain({ chain: chainOf(5353) });
    await payOn(provider, 5353);
  });

  it('sends a batch on the new network', async () => {
    const provider = visit('https://batches.example');
    const client = createWalletClient({
      chain: chainOf(4242),
      account,
      transport: custom(provider),
    });
    await client.requestAddresses();
    await client.switchChain({ id: 4242 });
    const { id } = await client.sendCalls({ calls: [{ to: RECIPIENT, value: 1n }] });
    const { status, chainId } = await client.waitForCallsStatus({ id });
    expect([status, chainId]).toStrictEqual(['success', 4242]);
    const capabilities = await provider.request({
      method: 'wallet_getCapabilities',
      params: [account, ['0x1092', '0x1']],
    });
    expect(capabilities).toStrictEqual({
      '0x1092': {
        atomic: { status: 'unsupported' },
        paymasterService: { supported: false },
        gasLimitOverride: { supported: true },
      },
    });
  });
});
