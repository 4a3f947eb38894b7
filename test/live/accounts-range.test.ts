// Many accounts of one request: MetaMask asks its user about each, who may decline one or
// have the rest cancelled.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import { hangOnce } from '../../dev/wallet/faults';
import type { Hang } from '../../dev/wallet/faults';
import { agreed, setupAccountBench } from '../support/account-bench';
import { refusalOf } from '../support/refusal';

type Result = { accounts: KeyringAccount[]; [field: string]: unknown };

const bench = setupAccountBench({ limits: { maxRequestTime: 2_000 } });
const { create, sides, sign } = bench;

async function createRange(range: Json): Promise<Result> {
  const { companion } = bench;
  return (await companion.snap('tollkeeper_createAccounts', [range])) as Result;
}

async function ask(method: string): Promise<Json> {
  return bench.companion.snap(method);
}

/** Let the user think about the account of a name, and accept it in the end. */
function thinkAbout(name: string): Hang {
  const hang = hangOnce(name);
  bench.wallet.user.confirmAccounts = async ({ details }) => {
    await hang.hook({ method: details.name as string });
    return true;
  };
  return hang;
}

function named(account: KeyringAccount, name: string): Json {
  return { name, address: account.address };
}

it('creates the accounts of a range, but for those that the user declines', async () => {
  const { user } = bench.wallet;
  user.confirmAccounts = ({ details }) => details.name !== 'Tollkeeper 4';
  const { accounts, ...rest } = await createRange({ from: 2, count: 3 });
  expect(user.questions.map(({ details }) => details.name)).toStrictEqual([
    'Tollkeeper 3',
    'Tollkeeper 4',
    'Tollkeeper 5',
  ]);
  expect(accounts.map(({ options }) => options.index)).toStrictEqual([2, 4]);
  expect(await sides()).toStrictEqual(agreed(...accounts));
  user.confirmAccounts = true;
  const declined = [named(await create({ index: 3 }), 'Tollkeeper 4')];
  expect(rest).toStrictEqual({ declined, failed: [], skipped: [] });
  for (const { address } of accounts) expect(await sign(address)).toBe(address);
});

it('tells how far it is while the user is asked, and runs once at a time', async () => {
  const { reached, release } = thinkAbout('Tollkeeper 2');
  const running = createRange({ count: 3 });
  await reached;
  expect(await ask('tollkeeper_getProgress')).toStrictEqual({
    phase: 'announcing',
    done: 1,
    total: 3,
  });
  const busy = {
    code: -32005,
    message:
      'Accounts are being created or restored already; see tollkeeper_getProgress.',
  };
  expect(await refusalOf(createRange({ count: 1 }))).toStrictEqual(busy);
  expect(await refusalOf(ask('tollkeeper_restoreAccounts'))).toStrictEqual(busy);
  release();
  const { accounts } = await running;
  expect(await sides()).toStrictEqual(agreed(...accounts));
  expect(await ask('tollkeeper_getProgress')).toBeNull();
});

it('asks about no further account once it was cancelled', async () => {
  const { reached, release } = thinkAbout('Tollkeeper 2');
  const running = createRange({ count: 4 });
  await reached;
  expect(await ask('tollkeeper_cancelProgress')).toBe(true);
  release();
  const { accounts, ...rest } = await running;
  expect(accounts.map(({ options }) => options.index)).toStrictEqual([0, 1]);
  expect(bench.wallet.user.questions).toHaveLength(2);
  expect(await sides()).toStrictEqual(agreed(...accounts));
  const skipped = [
    named(await create({ index: 2 }), 'Tollkeeper 3'),
    named(await create({ index: 3 }), 'Tollkeeper 4'),
  ];
  expect(rest).toStrictEqual({ declined: [], failed: [], skipped });
  expect(await ask('tollkeeper_cancelProgress')).toBe(false);
});

it('can be begun again after the snap was stopped at it', async () => {
  const { reached, release } = thinkAbout('Tollkeeper 2');
  const running = refusalOf(createRange({ count: 3 }));
  await reached;
  await bench.wallet.stopSnap();
  expect((await running).message).toMatch(/was stopped|terminated/u);
  expect(await ask('tollkeeper_getProgress')).toBeNull();
  release();
  const { accounts } = await createRange({ count: 3 });
  expect(accounts.map(({ options }) => options.index)).toStrictEqual([0, 1, 2]);
  expect(await sides()).toStrictEqual(agreed(...accounts));
});

it('waits for a user who thinks longer than a request may run', async () => {
  const { reached, release } = thinkAbout('Tollkeeper 1');
  const running = createRange({ count: 2 });
  await reached;
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  release();
  expect((await running).accounts).toHaveLength(2);
});
