// The built snap's home page in a wallet made of MetaMask's packages: it opens immediately,
// refreshes itself, and works while the wallet is locked.
import type { Screen } from '../../dev/wallet/screen';
import { waitFor } from '../fixtures/stack/requests';
import { describeEachWallet } from '../support/account-bench';
import { textOf } from '../support/view';

describeEachWallet((bench) => {
  const open = async (): Promise<Screen> => bench.wallet.openHomePage();

  async function untilShown(page: Screen, text: string): Promise<void> {
    await waitFor(() => page.text.includes(text));
  }

  it('opens without reading encrypted state, and refreshes itself', async () => {
    const { wallet } = bench;
    await wallet.stopSnap();
    wallet.calls.length = 0;
    const page = await open();
    const read = wallet.calls.filter(({ method }) => method === 'snap_getState');
    expect(JSON.stringify(read.map(({ params }) => params))).toBe(
      '[{"encrypted":false}]',
    );
    expect(page.text).toContain(textOf('gas.title'));
    await untilShown(page, 'Anvil');
    expect(page.text).toContain(textOf('gas.baseFee'));
    const schedules = (): string[] =>
      wallet.calls
        .filter(({ method }) => method === 'snap_scheduleBackgroundEvent')
        .map(({ params }) => String((params as { duration: string }).duration));
    await waitFor(() => schedules().length === 2);
    expect(schedules()).toStrictEqual(['PT1S', 'PT10S']);
  });

  it('shows public state while the wallet is locked, without waiting', async () => {
    const { wallet } = bench;
    const page = await open();
    await untilShown(page, textOf('gas.baseFee'));
    // Locking MetaMask loses the changes that it has not written yet.
    await wallet.disk();
    wallet.lock.lock();
    try {
      await page.click('home.frame.tab:permissions');
      expect(page.text).toContain(textOf('home.locked'));
      await page.click('home.frame.tab:gas');
      expect(page.text).toContain(textOf('gas.baseFee'));
    } finally {
      wallet.lock.unlock();
    }
  });
});
