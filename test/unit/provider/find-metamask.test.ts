import { findMetaMask } from '../../../src/provider/find-metamask';
import type { Page } from '../../../src/provider/find-metamask';
import { errorOf } from '../../support/error-of';
import { createFakeWallet } from '../../support/fake-wallet';

type Wallet = Page['ethereum'];

const createWallet = (isMetaMask = true): NonNullable<Wallet> => ({
  ...createFakeWallet().ethereum,
  isMetaMask,
});

function setup(wallets: Record<string, unknown>, ethereum?: Wallet): Page {
  const page: Page = Object.assign(new EventTarget(), ethereum && { ethereum });
  page.addEventListener('eip6963:requestProvider', () => {
    for (const [rdns, provider] of Object.entries(wallets)) {
      const detail = { info: { rdns }, provider };
      const event = new Event('eip6963:announceProvider');
      page.dispatchEvent(Object.assign(event, { detail }));
    }
  });
  return page;
}

it.each([
  ['MetaMask', ['io.metamask'], 'io.metamask'],
  ['Flask before MetaMask', ['io.metamask', 'io.metamask.flask'], 'io.metamask.flask'],
  ['MetaMask among others', ['com.other', 'io.metamask'], 'io.metamask'],
])('finds %s by EIP-6963', async (_name, announced, expected) => {
  const wallets = Object.fromEntries(announced.map((rdns) => [rdns, createWallet()]));
  expect(await findMetaMask(setup(wallets, createWallet()))).toBe(wallets[expected]);
});

it('takes window.ethereum where no wallet answers', async () => {
  const ethereum = createWallet();
  expect(await findMetaMask(setup({}, ethereum))).toBe(ethereum);
});

it('waits for a wallet that comes late', async () => {
  const page = setup({});
  const provider = createWallet();
  setTimeout(() => {
    const detail = { info: { rdns: 'io.metamask.flask' }, provider };
    page.dispatchEvent(
      Object.assign(new Event('eip6963:announceProvider'), { detail }),
    );
  }, 50);
  expect(await findMetaMask(page)).toBe(provider);
});

it.each([
  ['there is no page', undefined],
  ['there is no wallet', setup({})],
  ['there is another wallet alone', setup({ 'com.other': createWallet() })],
  ['a wallet only sounds like it', setup({ 'io.metamaskfake': createWallet() })],
  ['window.ethereum is another', setup({}, createWallet(false))],
  ['an announcement is empty', setup({ 'io.metamask': undefined })],
])('fails if %s', async (_name, page) => {
  expect(await errorOf(async () => findMetaMask(page))).toMatchObject({
    name: 'ProviderRpcError',
    code: 4900,
    message: 'MetaMask was not found in this browser.',
  });
});
