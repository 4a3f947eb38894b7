// MetaMask's way to the snap: an app with one ordinary account, and requests submitted for it
// as the wallet submits them.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import { privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';

import { submission } from '../../dev/wallet/keyring-requests';
import { callersOf } from './callers';
import type { Callers } from './callers';
import { keyOfIndex } from './entropy';
import { createAccount, createTestApp } from './test-app';
import type { TestApp } from './test-app';

/** The app, its account, and who signs for it elsewhere. */
export type SubmitBench = Callers & {
  app: TestApp;
  eoa: KeyringAccount;
  owner: PrivateKeyAccount;
  /** Submit a request as MetaMask does. */
  submit: (method: string, params: Json, scope?: string) => Promise<Json>;
};

/** Create it. */
export async function setupSubmitBench(): Promise<SubmitBench> {
  const app = createTestApp();
  const callers = callersOf(app);
  const eoa = await createAccount(app);
  const submit: SubmitBench['submit'] = (method, params, scope = '') => {
    const request = submission({ account: eoa.id, method, params, scope });
    return callers.keyring('metamask', 'keyring_submitRequest', request.params);
  };
  return { ...callers, app, eoa, owner: privateKeyToAccount(keyOfIndex(0)), submit };
}
