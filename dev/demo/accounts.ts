// Main job, part 1: accounts that MetaMask's keyring knows, and a dapp that sees one.
import type { Address } from 'viem';

import type { SnapSite, World } from './world';

/** An account as the snap told it. */
export type DemoAccount = { id: string; type: string; address: Address };

/** Create an account on the companion page, and check that MetaMask holds it. */
export async function createAccount(
  { companion, wallet }: World,
  options: Record<string, string | string[]>,
): Promise<DemoAccount> {
  const account = (await companion.keyring('keyring_createAccount', {
    options,
  })) as DemoAccount;
  const held = wallet.keyring.getAccountByAddress(account.address);
  if (held?.id !== account.id) {
    throw new Error('The SnapKeyring does not hold the account.');
  }
  return account;
}

/** Let a dapp ask for accounts; the user chooses by address. */
export async function connect(
  { wallet }: Pick<World, 'wallet'>,
  site: SnapSite,
  accounts: readonly Pick<DemoAccount, 'id'>[],
): Promise<Address[]> {
  const answered = wallet.user.onDialog;
  wallet.user.onDialog = async (dialog) => {
    for (const { id } of accounts) await dialog.fill(id, true);
    await dialog.approve();
  };
  try {
    await site.snap('wallet_requestPermissions', [{ eth_accounts: {} }]);
    return (await site.snap('eth_accounts')) as Address[];
  } finally {
    wallet.user.onDialog = answered;
  }
}
