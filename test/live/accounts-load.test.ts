// Many requests at once: no account is lost or doubled, and signing goes on meanwhile.
import type { Json } from '@metamask/utils';

import { agreed, setupAccountBench } from '../support/account-bench';

const KEY = `0x${'3d'.repeat(32)}`;

const bench = setupAccountBench();
const { create, sides, sign } = bench;

type Account = { id: string; address: string };

function range(count: number): number[] {
  return [...Array(count).keys()];
}

async function remove({ id }: Account): Promise<Json> {
  return bench.companion.keyring('keyring_deleteAccount', { id });
}

/** A worker reads the encrypted document once: how many workers have begun since. */
function countWorkers(): number {
  const isRead = ({ method, params }: { method: string; params?: unknown }): boolean =>
    method === 'snap_getState' && (params as { encrypted: boolean }).encrypted;
  return bench.wallet.calls.filter(isRead).length;
}

it('makes 50 accounts of 50 requests at once', async () => {
  const { keyring, snapId } = bench.wallet;
  const created: Account[] = await Promise.all(
    range(50).map(async (each) =>
      each % 2 === 0 ? create() : keyring.createAccount(snapId, {}),
    ),
  );
  expect(new Set(created.map(({ address }) => address)).size).toBe(50);
  expect(await sides()).toStrictEqual(agreed(...created));
  const indices = keyring.listAccounts().map(({ options }) => Number(options.index));
  expect(indices.sort((one, other) => one - other)).toStrictEqual(range(50));
  expect(bench.wallet.user.questions).toHaveLength(50);
});

it('makes one account of 10 requests for the same one', async () => {
  const created = await Promise.all(range(10).map(async () => create({ index: 7 })));
  expect(new Set(created.map(({ id }) => id)).size).toBe(1);
  expect(await sides()).toStrictEqual(agreed(...created.slice(0, 1)));
  expect(bench.wallet.user.questions).toHaveLength(1);
});

it('signs 100 messages rightly while accounts come and go', async () => {
  const { wallet } = bench;
  const signers = [await create(), await create(), await create({ privateKey: KEY })];
  await wallet.stopSnap();
  wallet.calls.length = 0;
  const signing = range(100).map(async (each) => {
    const { address } = signers[each % 3] as Account;
    return { address, signer: await sign(address, `Message ${each}`) };
  });
  const changing = range(10).map(async (each) => {
    const account = await create();
    if (each % 3 === 0) await remove(account);
    else if (each % 3 === 1) await wallet.keyring.removeAccount(account.address);
    return each % 3 === 2 ? [account] : [];
  });
  const [signed, kept] = await Promise.all([
    Promise.all(signing),
    Promise.all(changing),
  ]);
  expect(signed.filter(({ address, signer }) => address !== signer)).toStrictEqual([]);
  expect(signed).toHaveLength(100);
  expect(await sides()).toStrictEqual(agreed(...signers, ...kept.flat()));
  expect(countWorkers()).toBe(1);
  expect(bench.logged).toStrictEqual([]);
});
