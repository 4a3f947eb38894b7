// Dialogs of the built snap in a wallet of MetaMask's packages: each is answered for itself,
// a closed one is refused, and nobody can bury the user in them.
import { stringToHex } from 'viem';

import { createSnapSite } from '../../dev/demo/world';
import { type Dialog, leaveOpen } from '../../dev/wallet/user';
import { waitFor } from '../fixtures/stack/requests';
import { setupAccountBench } from '../support/account-bench';
import { refusalOf } from '../support/refusal';

const bench = setupAccountBench();

const REFUSED = { code: 4001, message: 'The user refused the request.' };

const TOO_MANY = {
  code: -32005,
  message: 'Too many confirmations are open; answer or close them first.',
};

/** Most dialogs of a site that are open at a time. */
const LIMIT = 5;

type Queue = {
  /** Ask for a signature; does not wait for it. */
  ask: (text: string) => { answered: Promise<unknown> };
  /** Wait until it has shown so many dialogs, and get those. */
  open: (count: number) => Promise<Dialog[]>;
};

/** A site that was granted an account, before a user who leaves dialogs open. */
async function setup(origin: string): Promise<Queue> {
  const { wallet } = bench;
  const { address, id } = await bench.create();
  wallet.connect(origin);
  const site = createSnapSite(wallet, origin);
  wallet.user.onDialog = async (dialog) => {
    await dialog.fill(id, true);
    await dialog.approve();
  };
  await site.snap('eth_requestAccounts');
  wallet.user.onDialog = leaveOpen;
  const before = wallet.user.dialogs.length;
  const own = (): Dialog[] =>
    wallet.user.dialogs.slice(before).filter(({ text }) => text.includes(origin));
  return {
    ask: (text) => {
      const answered = site.snap('personal_sign', [stringToHex(text), address]);
      answered.catch(() => undefined);
      return { answered };
    },
    open: async (count) => {
      await waitFor(() => own().length >= count);
      return own();
    },
  };
}

const textOf = (dialogs: readonly Dialog[], text: string): Dialog => {
  const found = dialogs.find((dialog) => dialog.text.includes(text));
  if (!found) throw new Error(`No dialog says ${text}.`);
  return found;
};

it('has each dialog answered for itself, in any order; closed is refused', async () => {
  const { ask, open } = await setup('https://one.example');
  const asked = ['first', 'second', 'third'].map((text) => ask(`the ${text}`));
  const dialogs = await open(3);
  const [first, second, third] = asked.map(({ answered }) => answered);
  await textOf(dialogs, 'the third').close();
  expect(await refusalOf(Promise.resolve(third))).toStrictEqual(REFUSED);
  await textOf(dialogs, 'the first').approve();
  expect(await first).toMatch(/^0x[0-9a-f]{130}$/u);
  expect(textOf(dialogs, 'the second').isOpen).toBe(true);
  await textOf(dialogs, 'the second').refuse();
  expect(await refusalOf(Promise.resolve(second))).toStrictEqual(REFUSED);
});

it('opens no more than five for a site, says so, and has room again', async () => {
  const { ask, open } = await setup('https://many.example');
  const other = await setup('https://other.example');
  const asked = Array.from({ length: LIMIT }, (_none, number) => ask(`no. ${number}`));
  const dialogs = await open(LIMIT);
  expect(await refusalOf(ask('one too many').answered)).toStrictEqual(TOO_MANY);
  expect(dialogs.filter(({ isOpen }) => isOpen)).toHaveLength(LIMIT);
  // Another site's user is asked even so.
  const others = other.ask('of another site');
  const shown = textOf(await other.open(1), 'of another site');
  await shown.approve();
  expect(await others.answered).toMatch(/^0x/u);
  // They open in any order.
  await textOf(dialogs, 'no. 0').refuse();
  expect(await refusalOf(Promise.resolve(asked[0]?.answered))).toStrictEqual(REFUSED);
  const again = ask('room again');
  await textOf(await open(LIMIT + 1), 'room again').approve();
  expect(await again.answered).toMatch(/^0x/u);
  for (const dialog of dialogs) if (dialog.isOpen) await dialog.refuse();
  await Promise.allSettled(asked.map(({ answered }) => answered));
});

it('opens none for a site that was refused three times, not even after a stop', async () => {
  const { ask, open } = await setup('https://again.example');
  const other = await setup('https://calm.example');
  for (let time = 1; time <= 3; time += 1) {
    const { answered } = ask(`attempt ${time}`);
    await textOf(await open(time), `attempt ${time}`).refuse();
    expect(await refusalOf(answered)).toStrictEqual(REFUSED);
  }
  await bench.wallet.stopSnap();
  const { answered } = ask('attempt 4');
  const { code, message } = await refusalOf(answered);
  expect(code).toBe(-32005);
  expect(message).toMatch(/refused in a row; it may open the next one in \d\d s\.$/u);
  expect(await open(0)).toHaveLength(3);
  const others = other.ask('of a calm site');
  await textOf(await other.open(1), 'of a calm site').approve();
  expect(await others.answered).toMatch(/^0x/u);
});

it('signs nothing of dialogs whose worker was stopped, and has room for new ones', async () => {
  const { ask, open } = await setup('https://stopped.example');
  const asked = Array.from({ length: LIMIT }, (_none, number) => ask(`no. ${number}`));
  const dialogs = await open(LIMIT);
  await bench.wallet.stopSnap();
  const settled = await Promise.allSettled(asked.map(({ answered }) => answered));
  expect(settled.map(({ status }) => status)).toStrictEqual(
    asked.map(() => 'rejected'),
  );
  const again = ask('after the stop');
  const shown = textOf(await open(LIMIT + 1), 'after the stop');
  await shown.approve();
  expect(await again.answered).toMatch(/^0x/u);
  // Those left over are closed with their requests, or by their user.
  for (const dialog of dialogs) if (dialog.isOpen) await dialog.close();
});
