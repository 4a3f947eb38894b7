// The snap is stopped while an account is being changed: between what MetaMask is told and
// what is saved of it, and while MetaMask's user still decides. Both sides agree afterwards.
import { isDeepStrictEqual } from 'node:util';

import type { Json } from '@metamask/utils';

import { hangOnce } from '../../dev/wallet/faults';
import type { AccountQuestion } from '../../dev/wallet/user';
import { waitFor } from '../fixtures/stack/requests';
import { agreed, describeWallets } from '../support/account-bench';
import { holdNth } from '../support/nth-call';
import { refusalOf } from '../support/refusal';

const IMPORTED = `0x${'2e'.repeat(32)}`;

const kinds: [string, Record<string, Json>][] = [
  ['derived', {}],
  ['imported', { privateKey: IMPORTED }],
];

describeWallets((bench) => {
  const { create, sides, sign } = bench;

  /** Stop the snap at its n-th write, and wait until the call that wrote has failed. */
  async function stopAtWrite(nth: number, call: () => Promise<unknown>): Promise<void> {
    const { wallet } = bench;
    const { hook, reached } = holdNth({ method: 'snap_setState', nth });
    wallet.onSnapCall = hook;
    const end = call().then(
      () => 'answered',
      () => 'failed',
    );
    await reached;
    await wallet.stopSnap();
    wallet.onSnapCall = undefined;
    await end;
  }

  /** Stop the snap while MetaMask's user decides on what a call leads to. */
  async function stopAtQuestion(
    type: AccountQuestion['type'],
    call: () => Promise<unknown>,
  ): Promise<(accepted: boolean) => Promise<void>> {
    const { wallet } = bench;
    const { hook, reached, release } = hangOnce(type);
    let isAccepted = false;
    wallet.user.confirmAccounts = async (question) => {
      await hook({ method: question.type });
      return isAccepted;
    };
    const failed = refusalOf(call());
    await reached;
    await wallet.stopSnap();
    expect((await failed).message).toMatch(/was stopped|terminated/u);
    return async (accepted) => {
      isAccepted = accepted;
      release();
      // MetaMask goes on by itself.
      await new Promise((resolve) => setTimeout(resolve, 20));
      wallet.user.confirmAccounts = true;
    };
  }

  function held(): { id: string; address: string }[] {
    return bench.wallet.keyring.listAccounts();
  }

  async function remove(id: string): Promise<unknown> {
    return bench.companion.keyring('keyring_deleteAccount', { id });
  }

  describe('stopped before it saved', () => {
    it.each(kinds)(
      'keeps an account that MetaMask took: %s',
      async (_kind, options) => {
        await stopAtWrite(2, () => create(options));
        const [account = { id: '', address: '' }] = held();
        expect(await sides()).toStrictEqual(agreed(account));
        expect(await sign(account.address)).toBe(account.address);
        expect(await bench.stored()).toHaveProperty(['accounts', account.id]);
      },
    );

    it.each(kinds)(
      'knows nothing of one not announced yet: %s',
      async (_kind, options) => {
        await stopAtWrite(1, () => create(options));
        expect(await sides()).toStrictEqual(agreed());
      },
    );

    it('drops an account that MetaMask dropped for the companion', async () => {
      const [kept, { id }] = [await create(), await create()];
      await stopAtWrite(2, () => remove(id));
      expect(await sides()).toStrictEqual(agreed(kept));
    });

    it('drops an account that its user removed in MetaMask', async () => {
      const [kept, { address }] = [await create(), await create()];
      await stopAtWrite(2, () => bench.wallet.keyring.removeAccount(address));
      expect(await sides()).toStrictEqual(agreed(kept));
    });

    it('has the chains of a smart account that MetaMask has', async () => {
      const account = await create({ type: 'eip155:erc4337', scopes: ['eip155:1'] });
      const wanted = { ...account, scopes: ['eip155:1', 'eip155:31337'] };
      const params = { account: wanted } as unknown as Json;
      await stopAtWrite(2, () =>
        bench.companion.keyring('keyring_updateAccount', params),
      );
      expect(await sides()).toStrictEqual(agreed(account));
      const { id } = account;
      const listed = await bench.companion.keyring('keyring_getAccount', { id });
      expect(listed).toStrictEqual(wanted);
      expect(held()).toMatchObject([{ id, scopes: wanted.scopes }]);
    });
  });

  describe('stopped while the user decides on a new account', () => {
    it.each(kinds)('has the account if it is accepted: %s', async (_kind, options) => {
      const decide = await stopAtQuestion('creation', () => create(options));
      await decide(true);
      const [account = { id: '', address: '' }] = held();
      expect(await sign(account.address)).toBe(account.address);
      expect(await sides()).toStrictEqual(agreed(account));
    });

    it.each(kinds)(
      'hides it until then, and signs for it: %s',
      async (_kind, options) => {
        const decide = await stopAtQuestion('creation', () => create(options));
        expect(await bench.companion.keyring('keyring_listAccounts')).toStrictEqual([]);
        await decide(true);
        const [account = { id: '', address: '' }] = held();
        expect(await sign(account.address)).toBe(account.address);
        expect(await sides()).toStrictEqual(agreed(account));
      },
    );

    it.each(kinds)('forgets it if it is declined: %s', async (_kind, options) => {
      const decide = await stopAtQuestion('creation', () => create(options));
      await decide(false);
      expect(await sides()).toMatchObject({ metamask: [], snap: [], stored: [] });
      // The note of it goes when the client starts anew: nobody can accept it then.
      await bench.restart();
      expect(await sides()).toStrictEqual(agreed());
      expect(JSON.stringify(await bench.stored())).not.toContain(IMPORTED.slice(2));
    });

    it('creates it again after it was declined', async () => {
      const decide = await stopAtQuestion('creation', () => create());
      await decide(false);
      expect(await sides()).toMatchObject({ metamask: [], snap: [] });
      const account = await create();
      expect(await sides()).toStrictEqual(agreed(account));
      expect(await sign(account.address)).toBe(account.address);
    });

    it('keeps it when it is asked for again before it is answered', async () => {
      const options = { privateKey: IMPORTED };
      const decide = await stopAtQuestion('creation', () => create(options));
      expect(await refusalOf(create(options))).toStrictEqual({
        code: -32002,
        message:
          'MetaMask is asking its user about an account; answer that and try again.',
      });
      expect(await bench.companion.keyring('keyring_listAccounts')).toStrictEqual([]);
      await decide(true);
      const [account = { id: '', address: '' }] = held();
      expect(await sign(account.address)).toBe(account.address);
      expect(await sides()).toStrictEqual(agreed(account));
    });

    it('drops it if the client starts anew before it is answered', async () => {
      await stopAtQuestion('creation', () => create({ privateKey: IMPORTED }));
      await bench.restart();
      expect(await sides()).toStrictEqual(agreed());
      expect(JSON.stringify(await bench.stored())).not.toContain(IMPORTED.slice(2));
    });
  });

  describe('stopped while the user decides on a removal', () => {
    it.each([true, false])('agrees with MetaMask (removed: %s)', async (accepted) => {
      const [kept, other] = [await create(), await create({ privateKey: IMPORTED })];
      const decide = await stopAtQuestion('removal', () => remove(other.id));
      expect(await sides()).toStrictEqual(agreed(kept, other));
      await decide(accepted);
      const expected = accepted ? agreed(kept) : agreed(kept, other);
      // MetaMask asks for the removal by itself.
      await waitFor(async () => isDeepStrictEqual(await sides(), expected));
      if (!accepted) expect(await sign(other.address)).toBe(other.address);
    });
  });
});
