// Signing requests of MetaMask that wait, and the companion who answers them.
import type { KeyringRequest } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';

import { waitFor } from '../fixtures/stack/requests';
import type { AccountBench } from './account-bench';

/** Lets each test of a file begin with a snap that has requests wait. */
export function setupApprovals(bench: AccountBench) {
  const choose = async (approvalMode: string): Promise<Json> =>
    bench.companion.snap('tollkeeper_setSettings', [{ approvalMode }]);

  beforeEach(async () => {
    await choose('asynchronous');
  });
  afterEach(async () => {
    await choose('synchronous');
    expect((await bench.stored()).requests).toStrictEqual({});
  });

  return {
    /** Lists the requests that wait, as the companion. */
    list: async () => {
      const requests = await bench.companion.keyring('keyring_listRequests');
      return requests as unknown as KeyringRequest[];
    },
    answer: async (how: 'approve' | 'reject', id: string) => {
      const params = how === 'approve' ? { id, data: {} } : { id };
      return bench.companion.keyring(`keyring_${how}Request`, params);
    },
    /** Has MetaMask ask for a signature, and waits until its user was sent to the page. */
    submit: async <Result>(ask: () => Promise<Result>) => {
      const { questions } = bench.wallet.user;
      const before = questions.length;
      const answered = ask();
      answered.catch(() => undefined);
      await waitFor(() => questions.length > before);
      const url = new URL(questions.at(-1)?.details.url as string);
      return { id: url.searchParams.get('request') ?? '', answered };
    },
  };
}
