// An app with one EOA, and requests that MetaMask submits for the account.
import type { Json } from '@metamask/utils';
import { privateKeyToAccount } from 'viem/accounts';

import { callersOf } from './callers';
import { keyOfIndex } from './entropy';
import { createAccount, createTestApp } from './test-app';

export async function setupSubmitBench() {
  const app = createTestApp();
  const callers = callersOf(app);
  const eoa = await createAccount(app);
  const submit = async (method: string, params: Json, scope = ''): Promise<Json> =>
    callers.submit({ account: eoa.id, method, params, scope });
  return { ...callers, app, eoa, owner: privateKeyToAccount(keyOfIndex(0)), submit };
}
