// MetaMask's test dapp as it is published, in a real Chromium. Beside MetaMask, which here is made
// of MetaMask's own packages, the page finds Tollkeeper's built provider by EIP-6963.
import { recoverPersonalSignature } from '@metamask/eth-sig-util';
import { createPublicClient, http } from 'viem';
import type { Hex } from 'viem';

import { configureChain, createAccount, startWorld } from '../../dev/demo/world';
import { startStaticServer } from '../../dev/start/serve';
import { bridgeWallet, startBrowser } from '../../dev/wallet/browser';
import type { Dialog } from '../../dev/wallet/user';
import type { Site } from '../../dev/wallet/wallet';
import { startAnvil, type TestChain } from '../fixtures/wallet/anvil';

/** A request as the snap gets it. */
export type SnapRequest = { method: string; params?: unknown };

export type TestDapp = Awaited<ReturnType<typeof openTestDapp>>;

/** The page adds this network at a fixed port of this machine. */
const OTHER_CHAIN = 0x53a;

/** Starts everything, and selects Tollkeeper on the page. */
export async function openTestDapp() {
  const [world, browser, server, otherChain] = await Promise.all([
    startWorld(),
    startBrowser(),
    startStaticServer({
      port: 0,
      folders: {
        '/': 'node_modules/@metamask/test-dapp/dist',
        '/provider/': 'dist/provider',
      },
    }),
    startAnvil(OTHER_CHAIN),
  ]);
  const { wallet, stack } = world;
  await configureChain(world);
  const eoa = await createAccount(world, { type: 'eip155:eoa' });
  const scopes = [`eip155:${stack.chainId}`];
  const type = 'eip155:erc4337';
  const smart = await createAccount(world, { type, entryPoint: '0.7', scopes });
  for (const { address } of [eoa, smart]) await stack.fund(address, '10');
  const user = { grants: eoa };
  wallet.user.onDialog = async (dialog: Dialog) => {
    for (const { id } of [eoa, smart]) {
      if (id in dialog.values) await dialog.fill(id, id === user.grants.id);
    }
    await dialog.approve();
  };
  wallet.connect(server.url);
  const site = wallet.site(server.url);
  const page = await browser.newPage();
  const requests: SnapRequest[] = [];
  const printed: string[] = [];
  page.on('console', (message) => printed.push(message.text()));
  await bridgeWallet(page, site, async (method, params) => {
    requests.push(
      method === 'wallet_invokeSnap'
        ? (params as { request: SnapRequest }).request
        : { method, params },
    );
    return answerAsMetaMask(site, otherChain, { method, params });
  });
  const options = JSON.stringify({ snapId: wallet.snapId });
  await page.addInitScript(
    `import('/provider/index.js').then(({ announce, createProvider }) =>
      announce(createProvider(${options})));`,
  );
  await page.goto(server.url);
  const named = async (name: string): Promise<void> =>
    page.locator('#activeProviderName', { hasText: name }).waitFor();
  // It begins with MetaMask, which was announced first.
  await named('MetaMask Flask');
  await page.getByRole('button', { name: 'Use Tollkeeper' }).click();
  await named('Tollkeeper');
  const stop = async (): Promise<void> => {
    await browser.close();
    otherChain.stop();
    await Promise.all([server.stop(), world.stop()]);
  };
  return {
    world,
    page,
    site,
    eoa,
    smart,
    otherChain,
    user,
    requests,
    printed,
    stop,
  };
}

// What MetaMask answers beside its node, as far as the page asks for it.
async function answerAsMetaMask(
  site: Site,
  { url }: TestChain,
  { method, params }: SnapRequest,
): Promise<unknown> {
  const [first, second] = Array.isArray(params) ? (params as unknown[]) : [];
  if (method === 'personal_ecRecover') {
    return recoverPersonalSignature({ data: first as Hex, signature: String(second) });
  }
  if (method === 'wallet_watchAsset') return true;
  if (method !== 'wallet_addEthereumChain') return undefined;
  // The page's port may be taken.
  const chain = { ...(first as object), rpcUrls: [url] };
  return (await site.request({ method, params: [chain] as never })) ?? true;
}

/** Presses a button. */
export async function press({ page }: TestDapp, id: string): Promise<void> {
  await page.locator(`#${id}`).click();
}

/** Presses a button, and waits for what the page then shows in a place. */
export async function pressFor(dapp: TestDapp, id: string, place: string) {
  return pressUntil(dapp, id, { place, text: /./u });
}

/** Presses a button, and waits until the page shows such a text in a place. */
export async function pressUntil(
  dapp: TestDapp,
  id: string,
  { place, text }: { place: string; text: RegExp },
): Promise<string> {
  const output = dapp.page.locator(`#${place}`);
  // The last text may look the same.
  await output.evaluate((element) => {
    element.textContent = '';
  });
  await press(dapp, id);
  await output.filter({ hasText: text }).waitFor({ state: 'attached' });
  return output.innerText();
}

/**
 * Presses a button that sends a transaction of the ordinary account, and waits until it is mined.
 *
 * @param chainUrl - Of the network that it must be on.
 */
export async function pressToSend(
  dapp: TestDapp,
  id: string,
  chainUrl = dapp.world.stack.chain.url,
) {
  const node = createPublicClient({ transport: http(chainUrl) });
  const { address } = dapp.eoa;
  const nonce = await node.getTransactionCount({ address });
  await press(dapp, id);
  while ((await node.getTransactionCount({ address })) === nonce) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { transactions } = await node.getBlock({ includeTransactions: true });
  const transaction = transactions.find(({ from }) => from === address);
  if (!transaction) throw new Error('The newest block has no transaction of it.');
  const { hash } = transaction;
  return { transaction, receipt: await node.getTransactionReceipt({ hash }) };
}
