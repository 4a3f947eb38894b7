// MetaMask's signing requests in asynchronous mode: they wait until the user approves or rejects
// them on the companion page.
import { createDeferredPromise } from '@metamask/utils';
import { stringToHex } from 'viem';

import { createSnapSite } from '../../dev/demo/world';
import { COMPANION_ORIGIN } from '../../dev/wallet/options';
import { waitFor } from '../fixtures/stack/requests';
import { describeEachWallet } from '../support/account-bench';
import { refusalOf } from '../support/refusal';

const DAPP = 'https://dapp.example';

const UNKNOWN = {
  code: -32001,
  message: 'MetaMask does not know this account or request.',
};

describeEachWallet((bench) => {
  const { create, sign } = bench;

  const choose = async (approvalMode: string) =>
    bench.companion.snap('tollkeeper_setSettings', [{ approvalMode }]);

  beforeEach(async () => {
    await choose('asynchronous');
  });
  afterEach(async () => {
    await choose('synchronous');
    expect((await bench.stored()).requests).toStrictEqual({});
  });

  const list = async () => bench.companion.keyring('keyring_listRequests');

  const answer = async (how: 'approve' | 'reject', id: string) => {
    const params = how === 'approve' ? { id, data: {} } : { id };
    return bench.companion.keyring(`keyring_${how}Request`, params);
  };

  /** Makes MetaMask request a signature, and waits for the redirect to the page. */
  const submit = async (address: string) => {
    const { questions } = bench.wallet.user;
    const before = questions.length;
    const answered = sign(address);
    answered.catch(() => undefined);
    await waitFor(() => questions.length > before);
    const url = new URL(questions.at(-1)?.details.url as string);
    return { id: url.searchParams.get('request') ?? '', answered };
  };

  it('keeps a request pending, and redirects the user to it', async () => {
    const { id: account, address } = await create();
    const { id, answered } = await submit(address);
    expect(bench.wallet.user.questions.at(-1)).toStrictEqual({
      type: 'redirect',
      snapId: bench.wallet.snapId,
      details: {
        url: `${COMPANION_ORIGIN}/?request=${id}`,
        message: "Approve or reject this request on Tollkeeper's page.",
      },
    });
    const request = {
      id,
      account,
      origin: 'metamask',
      scope: '',
      request: {
        method: 'personal_sign',
        params: [stringToHex('Here I am.'), address],
      },
    };
    expect(await list()).toStrictEqual([request]);
    expect(await bench.companion.keyring('keyring_getRequest', { id })).toStrictEqual(
      request,
    );
    await answer('approve', id);
    expect(await answered).toBe(address);
    expect(await list()).toStrictEqual([]);
  });

  it('signs only once if it is stopped before it records the signature', async () => {
    const { address } = await create();
    const { id, answered } = await submit(address);
    const { promise: reached, resolve } = createDeferredPromise();
    // The write hangs until the snap is stopped.
    bench.wallet.onSnapCall = async ({ method }) => {
      if (method !== 'snap_setState') return;
      resolve();
      await new Promise(() => undefined);
    };
    const approved = refusalOf(answer('approve', id));
    await reached;
    await bench.wallet.stopSnap();
    bench.wallet.onSnapCall = undefined;
    await approved;
    expect(await answered).toBe(address);
    expect(await refusalOf(answer('approve', id))).toStrictEqual(UNKNOWN);
    expect(await list()).toStrictEqual([]);
  });

  it("shows websites dialogs, but gives them no access to MetaMask's requests", async () => {
    const { wallet } = bench;
    const { address, id: account } = await create();
    wallet.connect(DAPP);
    const dapp = createSnapSite(wallet, DAPP);
    const { id } = await submit(address);
    for (const method of ['keyring_listRequests', 'keyring_approveRequest']) {
      const call = dapp.keyring(method, { id, data: {} });
      expect((await refusalOf(call)).message).toMatch(/is not permitted/u);
    }
    wallet.user.onDialog = async (dialog) => {
      if (dialog.text.includes(account)) await dialog.fill(account, true);
      await dialog.approve();
    };
    await dapp.snap('eth_requestAccounts');
    expect(await dapp.snap('personal_sign', ['0x12', address])).toMatch(/^0x/u);
    await answer('reject', id);
  });
});
