// The first run on MetaMask's own packages: the installation does not wait for its greeting,
// the greeting's buttons work, and a second installation brings no second one.
import type { Wallet } from '../../dev/wallet/wallet';
import { startWallet } from '../../dev/wallet/wallet';
import { textOf } from '../support/view';

let wallet: Wallet;

const seen: string[] = [];

const step = (number: string): string => textOf('welcome.step', { number, count: '3' });

// Nothing here asks a chain.
beforeAll(async () => {
  wallet = await startWallet({
    chain: { url: 'http://127.0.0.1:9' },
    user: {
      onGreeting: async (dialog) => {
        for (const name of ['page:1:1', 'page:2:2', 'page:1:3']) {
          seen.push(dialog.text);
          await dialog.click(name);
        }
        seen.push(dialog.text);
        await dialog.click('page:2:4');
        await dialog.approve();
      },
    },
  });
});

afterAll(async () => {
  await wallet?.stop();
});

it('welcomes in three steps, there and back, and is closed by its last button', () => {
  expect(wallet.user.errors).toStrictEqual([]);
  const expected = ['1', '2', '3', '2'].map((number) => [step(number), true]);
  const found = expected.map(([text], index) => [
    text,
    seen[index]?.includes(String(text)),
  ]);
  expect(found).toStrictEqual(expected);
  expect(wallet.user.greetings.map(({ isOpen }) => isOpen)).toStrictEqual([false]);
});

it('is not among the questions that the person was asked', () => {
  expect(wallet.user.dialogs).toStrictEqual([]);
});

it('comes once, although a site installs the snap again', async () => {
  await wallet.install();
  expect(wallet.user.greetings).toHaveLength(1);
});

it('notes in the clear which version has greeted', async () => {
  const { unencrypted } = await wallet.state();
  expect(unencrypted).toMatchObject({ greeted: expect.any(String) as string });
});
