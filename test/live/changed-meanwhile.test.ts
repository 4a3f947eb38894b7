// The built snap in a wallet of MetaMask's packages: what changes while its dialog is open, and
// what any site may send it meanwhile.
import type { KeyringAccount } from '@metamask/keyring-api';
import { concat, numberToHex, stringToHex } from 'viem';
import type { Hex } from 'viem';

import { createSnapSite, type SnapSite } from '../../dev/demo/world';
import { setupAccountBench } from '../support/account-bench';
import { refusalOf } from '../support/refusal';

const bench = setupAccountBench();

const ORIGIN = 'https://one.example';

/** A site that was granted an account, which it asks to sign. */
async function setup(): Promise<{
  account: KeyringAccount;
  sign: () => Promise<unknown>;
}> {
  const account = await bench.create();
  const site = open(ORIGIN);
  bench.wallet.user.onDialog = async (dialog) => {
    await dialog.fill(account.id, true);
    await dialog.approve();
  };
  await site.snap('eth_requestAccounts');
  const params = [stringToHex('hello'), account.address];
  return { account, sign: async () => site.snap('personal_sign', params) };
}

function open(origin: string): SnapSite {
  bench.wallet.connect(origin);
  return createSnapSite(bench.wallet, origin);
}

/** Have something happen while the next dialog is open, which its user then approves. */
function meanwhile(happen: () => Promise<unknown>): void {
  bench.wallet.user.onDialog = async (dialog) => {
    await happen();
    await dialog.approve();
  };
}

it('signs nothing for a site that lost its grant while its user was asked', async () => {
  const { account, sign } = await setup();
  const grant = { origin: ORIGIN, account: account.id };
  meanwhile(async () => bench.companion.snap('tollkeeper_revokeGrant', [grant]));
  expect(await refusalOf(sign())).toHaveProperty('code', 4100);
  expect(bench.wallet.user.errors).toStrictEqual([]);
});

it('signs nothing for an account that was deleted while its user was asked', async () => {
  const { account, sign } = await setup();
  meanwhile(async () =>
    bench.companion.keyring('keyring_deleteAccount', { id: account.id }),
  );
  expect(await refusalOf(sign())).toHaveProperty('code', 4100);
  expect(bench.wallet.user.errors).toStrictEqual([]);
});

/** Lists in lists, around so many bytes. */
function nest(depth: number, size: number): Hex {
  const heads = Array.from({ length: depth }, (_, level) =>
    concat(['0xfa', numberToHex(size + 4 * (depth - 1 - level), { size: 3 })]),
  );
  return concat([...heads, `0x${'01'.repeat(size)}`]);
}

it('answers others while a site sends it lists in lists', async () => {
  const [attacker, other] = [
    open('https://attacker.example'),
    open('https://two.example'),
  ];
  const raw = nest(2_000, 900_000);
  const attacks = Array.from({ length: 5 }, async () =>
    refusalOf(attacker.snap('eth_sendRawTransaction', [raw])),
  );
  expect(await other.snap('eth_accounts')).toStrictEqual([]);
  for (const refusal of await Promise.all(attacks)) {
    expect(refusal).toHaveProperty('code', -32602);
  }
});
