// What a site has: the accounts that it was granted.
import type { Hex } from 'viem';

import type { Account, Case } from '../bench';
import { hold } from '../flow';

/** Whom a site has paid. */
export const RECIPIENT = `0x${'be'.repeat(20)}` as const;

/** Get the first account that the site was granted. */
export async function firstAccount({ dapp, get, companion }: Case): Promise<Account> {
  const [address] = (await get(dapp.snap('eth_accounts'))) as Hex[];
  const all = (await get(companion.keyring('keyring_listAccounts'))) as Account[];
  const found = all.find((each) => each.address === address);
  hold(found !== undefined, 'the site has an account');
  return found;
}
