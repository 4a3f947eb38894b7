// An app with one ordinary account, and requests that MetaMask submits for it.
import type { Json } from '@metamask/utils';
import { privateKeyToAccount } from 'viem/accounts';

import { callersOf } from './callers';
import { keyOfIndex } from './entropy';
import { createAccount, createTestApp } from './test-app';

/** Creates the app, its account, and viem's signer for the same key. */
export async function setupSubmitBench() {
  const app = createTestApp();
  const callers = callersOf(app);
  const eoa = await createAccount(app);
  /** Submits a request as MetaMask does. */
  const submit = async (method: string, params: Json, scope = ''): Promise<Json> =>
    callers.submit({ account: eoa.id, method, params, scope });
  return { ...callers, app, eoa, owner: privateKeyToAccount(keyOfIndex(0)), submit };
}
