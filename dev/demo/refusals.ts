// Main job, part 5: a user who says no, and a request that makes no sense.
import type { Json } from '@metamask/utils';

import { approveAll, refuseAll } from '../wallet/user';
import { SiteError } from '../wallet/wallet';
import type { DemoAccount } from './accounts';
import type { World } from './world';

/** An error as a dapp sees it. */
export type SeenError = { code: number; message: string };

/** Let the user refuse a message. */
export async function refuseMessage(
  { dapp, wallet }: World,
  { address }: DemoAccount,
): Promise<SeenError> {
  wallet.user.onDialog = refuseAll;
  try {
    return await seeError(dapp.snap('personal_sign', ['Give me all.', address]));
  } finally {
    wallet.user.onDialog = approveAll;
  }
}

/** Send a transaction with a recipient that is no address. */
export async function sendNonsense(
  { dapp }: World,
  { address }: DemoAccount,
): Promise<SeenError> {
  const transaction = { from: address, to: '0x1234', value: '0x0', data: '0x' };
  return seeError(dapp.snap('eth_signTransaction', [transaction]));
}

async function seeError(call: Promise<Json>): Promise<SeenError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof SiteError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('The request was answered, but it should have failed.');
}
