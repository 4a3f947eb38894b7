// The home page of the built snap in a wallet of MetaMask's packages: drawn at once, drawn
// anew by itself, and alive after the worker was stopped.
import { COMPANION_ORIGIN } from '../../dev/wallet/options';
import type { Screen } from '../../dev/wallet/screen';
import { waitFor } from '../fixtures/stack/requests';
import { setupAccountBench } from '../support/account-bench';
import { textOf } from '../support/view';

const bench = setupAccountBench();
const { create, sign } = bench;

const DAPP = 'https://dapp.example';

const open = async (): Promise<Screen> => bench.wallet.openHomePage();

/** Wait until a page shows a text. */
async function untilShown(page: Screen, text: string): Promise<void> {
  await waitFor(() => Promise.resolve(page.text.includes(text)));
}

afterEach(async () => {
  await bench.companion.rpc('tollkeeper_setSettings', [
    { approvalMode: 'synchronous' },
  ]);
});

it('is drawn at once, without what is encrypted, and anew by itself', async () => {
  const { wallet } = bench;
  await wallet.stopSnap();
  wallet.calls.length = 0;
  const page = await open();
  const asked = wallet.calls.map(({ method, params }) => ({ method, params }));
  expect(asked).not.toContainEqual(
    expect.objectContaining({ method: 'snap_getState', params: { encrypted: true } }),
  );
  expect(page.text).toContain(textOf('gas.title'));
  await untilShown(page, `Anvil (eip155:31337)`);
  await untilShown(page, textOf('gas.baseFee'));
});

it('has buttons that work after the worker was stopped', async () => {
  const { wallet } = bench;
  const account = await create();
  await wallet.site(DAPP);
  wallet.connect(DAPP);
  const page = await open();
  for (const tab of ['activity', 'requests', 'sites', 'gas', 'sites']) {
    await wallet.stopSnap();
    expect(wallet.isRunning()).toBe(false);
    await page.click(`home.frame.tab:${tab}`);
  }
  expect(page.text).toContain(textOf('sites.title'));
  expect(account.address).toMatch(/^0x/u);
});

it('approves a request that waits, behind its own dialog', async () => {
  const { wallet, companion } = bench;
  const { address } = await create();
  await companion.rpc('tollkeeper_setSettings', [{ approvalMode: 'asynchronous' }]);
  const signed = sign(address);
  await waitFor(async () => Object.keys((await bench.stored()).requests).length === 1);
  const [id] = Object.keys((await bench.stored()).requests);
  const page = await open();
  await page.click('home.frame.tab:requests');
  await wallet.stopSnap();
  const before = wallet.user.dialogs.length;
  await page.click(`home.requests.approve:${id}`);
  expect(wallet.user.dialogs.slice(before).map(({ text }) => text)).toStrictEqual([
    expect.stringContaining('Here I am.'),
  ]);
  expect(await signed).toBe(address);
  expect(page.text).toContain(textOf('requests.approved'));
});

it('shows what can be had while the wallet is locked, and waits for nobody', async () => {
  const { wallet } = bench;
  const page = await open();
  await untilShown(page, textOf('gas.baseFee'));
  wallet.lock.lock();
  try {
    await page.click('home.frame.tab:sites');
    expect(page.text).toContain(textOf('home.locked'));
    await page.click('home.frame.tab:gas');
    expect(page.text).toContain(textOf('gas.baseFee'));
  } finally {
    wallet.lock.unlock();
  }
  expect(wallet.site(COMPANION_ORIGIN).origin).toBe(COMPANION_ORIGIN);
});
