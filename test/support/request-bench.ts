// MetaMask's signing requests, and a companion that decides on those that wait.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import { submission } from '../../dev/wallet/keyring-requests';
import { callersOf } from './callers';
import { createKeyringBench } from './keyring-bench';
import type { KeyringBench } from './keyring-bench';
import { COMPANION } from './test-app';

const SUBMIT = 'keyring_submitRequest';

/** Both, and an account that is asked to sign. */
export type RequestBench = KeyringBench & {
  account: KeyringAccount;
  /** Ask as MetaMask does, by an id of its own choice. */
  submit: (id: string, asked?: { method?: string; params?: Json }) => Promise<Json>;
  /** Call as the companion does. */
  companion: (method: string, params?: Json) => Promise<Json>;
  ids: () => Promise<string[]>;
};

/** Make the id of a request. */
export const idOf = (n: number): string =>
  `11111111-1111-4111-8111-${String(n).padStart(12, '0')}`;

/** Set up an account whose requests wait, unless another approval mode is named. */
export async function createRequestBench(
  approvalMode = 'asynchronous',
): Promise<RequestBench> {
  const bench = createKeyringBench();
  const account = await bench.create();
  const companion: RequestBench['companion'] = async (method, params) =>
    callersOf(bench.app).keyring(COMPANION, method, params);
  const { rpc } = callersOf(bench.app);
  await rpc(COMPANION, 'tollkeeper_setSettings', [{ approvalMode }]);
  return Object.assign(bench, {
    account,
    companion,
    submit: async (
      id: string,
      {
        method = 'personal_sign',
        params = ['0x12', account.address],
      }: { method?: string; params?: Json } = {},
    ) => {
      bench.metamask.requests.set(id, undefined);
      const asked = submission({ account: account.id, method, params }).params;
      const { keyring } = callersOf(bench.app);
      return keyring('metamask', SUBMIT, { ...(asked as object), id });
    },
    ids: async () =>
      ((await companion('keyring_listRequests')) as { id: string }[]).map(
        ({ id }) => id,
      ),
  });
}
