// Signing requests of MetaMask that wait until they are approved or rejected on the
// companion page, if the user chose so.
import { stringToHex } from 'viem';

import { createSnapSite } from '../../dev/demo/world';
import { failOnce, hangOnce } from '../../dev/wallet/faults';
import { COMPANION_ORIGIN } from '../../dev/wallet/options';
import { waitFor } from '../fixtures/stack/requests';
import { describeWallets } from '../support/account-bench';
import { setupApprovals } from '../support/approvals';
import { holdNth } from '../support/nth-call';
import { refusalOf } from '../support/refusal';

const DAPP = 'https://dapp.example';

const UNKNOWN = {
  code: -32001,
  message: 'MetaMask knows no such account or request.',
};

const OPERATION = {
  nonce: '0x0',
  initCode: '0x',
  callData: '0x',
  callGasLimit: '0x1',
  verificationGasLimit: '0x1',
  preVerificationGas: '0x1',
  maxFeePerGas: '0x1',
  maxPriorityFeePerGas: '0x1',
  paymasterAndData: '0x',
  signature: '0x',
};

describeWallets((bench) => {
  const { create, sign, stored } = bench;

  const { answer, list, submit } = setupApprovals(bench);

  async function submitOne(): ReturnType<typeof submit<string>> {
    const { address } = await create();
    return submit(async () => sign(address));
  }

  it('has a request wait, and sends the user to it', async () => {
    const { id: account, address } = await create();
    const { id, answered } = await submit(async () => sign(address));
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

  it('tells MetaMask of a rejection', async () => {
    const { id, answered } = await submitOne();
    await answer('reject', id);
    await expect(answered).rejects.toThrow('Request rejected by user or snap.');
    expect(await list()).toStrictEqual([]);
  });

  it('keeps requests while the snap is stopped, in order', async () => {
    const { address } = await create();
    const [first, second] = [
      await submit(async () => sign(address)),
      await submit(async () => sign(address)),
    ];
    await bench.wallet.stopSnap();
    expect((await list()).map(({ id }) => id)).toStrictEqual([first.id, second.id]);
    await answer('reject', first.id);
    await bench.wallet.stopSnap();
    await answer('approve', second.id);
    expect(await second.answered).toBe(address);
  });

  it('drops them when the client starts anew', async () => {
    const { id } = await submitOne();
    await bench.restart();
    expect(await list()).toStrictEqual([]);
    // They are struck out while the client still starts.
    await waitFor(async () => Object.keys((await stored()).requests).length === 0);
    expect(await refusalOf(answer('approve', id))).toStrictEqual({
      code: -32001,
      message: `No request with the id ${id} waits for approval.`,
    });
  });

  it('drops them even for one who asks before the new session is noted', async () => {
    await submitOne();
    const { hook, reached, release } = hangOnce('snap_setState');
    bench.wallet.onSnapCall = hook;
    await bench.restart();
    await reached;
    const listing = list();
    await new Promise((resolve) => setTimeout(resolve, 100));
    release();
    expect(await listing).toStrictEqual([]);
  });

  it.each(['approve', 'reject'] as const)(
    'drops one that MetaMask has forgotten: %s',
    async (how) => {
      const { id, answered } = await submitOne();
      const { keyring, snapId } = bench.wallet;
      const method = 'notify:requestRejected' as never;
      await keyring.handleKeyringSnapMessage(snapId, { method, params: { id } });
      await expect(answered).rejects.toThrow();
      expect(await refusalOf(answer(how, id))).toStrictEqual(UNKNOWN);
      expect(await list()).toStrictEqual([]);
    },
  );

  it('signs once when it was stopped before it could note that it had', async () => {
    const { address } = await create();
    const { id, answered } = await submit(async () => sign(address));
    const { hook, reached } = holdNth({ method: 'snap_setState', nth: 1 });
    bench.wallet.onSnapCall = hook;
    const approved = refusalOf(answer('approve', id));
    await reached;
    await bench.wallet.stopSnap();
    bench.wallet.onSnapCall = undefined;
    await approved;
    expect(await answered).toBe(address);
    expect(await refusalOf(answer('approve', id))).toStrictEqual(UNKNOWN);
    expect(await list()).toStrictEqual([]);
  });

  it('can be approved again when MetaMask was not reached', async () => {
    const { address } = await create();
    const { id, answered } = await submit(async () => sign(address));
    bench.wallet.onSnapCall = failOnce('snap_manageAccounts');
    expect(await refusalOf(answer('approve', id))).toStrictEqual({
      code: -32002,
      message: 'MetaMask did not take the change.',
    });
    await answer('approve', id);
    expect(await answered).toBe(address);
  });

  it('answers at once what signs nothing, of user operations', async () => {
    const { keyring } = bench.wallet;
    const { address } = await create({ type: 'eip155:erc4337', entryPoint: '0.6' });
    const context = { chainId: '31337' };
    const zero = '0x0000000000000000000000000000000000000000';
    const call = { to: zero, value: '0x0', data: '0x' };
    const operation = { ...OPERATION, sender: address };
    const preparing = keyring.prepareUserOperation(address, [call], context);
    expect(await refusalOf(preparing)).toMatchObject({
      code: -32002,
      message: expect.stringMatching(/^No bundler is configured/u) as string,
    });
    const patched = await keyring.patchUserOperation(address, operation, context);
    expect(patched).toEqual({ paymasterAndData: '0x' });
    expect(await list()).toStrictEqual([]);

    const { id, answered } = await submit(async () =>
      keyring.signUserOperation(address, operation, context),
    );
    await answer('approve', id);
    expect(await answered).toMatch(/^0x[0-9a-f]{130}$/u);
  });

  it('leaves websites to their dialogs, and answers them no request of MetaMask', async () => {
    const { wallet } = bench;
    const { address, id: account } = await create();
    wallet.connect(DAPP);
    const dapp = createSnapSite(wallet, DAPP);
    const { id } = await submit(async () => sign(address));
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
