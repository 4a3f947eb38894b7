// Creates and deletes accounts from MetaMask and from the companion, with users who accept and
// users who decline. Both sides must agree afterwards.
import { jest } from '@jest/globals';
import type { Json } from '@metamask/utils';
import { privateKeyToAccount } from 'viem/accounts';

import { createSnapSite } from '../../dev/demo/world';
import type { NewestKeyring } from '../../dev/wallet/newest-keyring';
import { COMPANION_ORIGIN } from '../../dev/wallet/options';
import { startWallet } from '../../dev/wallet/wallet';
import { sidesWith, describeEachWallet } from '../support/account-bench';
import { refusalOf } from '../support/refusal';

const IMPORTED = `0x${'1f'.repeat(32)}` as const;

const DECLINED = { code: 4001, message: 'The user declined it in MetaMask.' };

describeEachWallet((bench) => {
  const { create, sides, sign } = bench;

  type Create = (
    options: Record<string, Json>,
  ) => Promise<{ id: string; address: string }>;

  const fromMetaMask: Create = async (options) =>
    bench.wallet.keyring.createAccount(bench.wallet.snapId, options);

  const routes: [string, Create][] = [
    ['MetaMask', fromMetaMask],
    ['the companion', create],
  ];

  function lastOptions(): unknown {
    return bench.wallet.user.questions.at(-1)?.details.options;
  }

  describe('account creation', () => {
    it.each(routes)(
      'adds an account on both sides at the request of %s',
      async (_name, make) => {
        const account = await make({});
        expect(await sides()).toStrictEqual(sidesWith(account));
        expect(await sign(account.address)).toBe(account.address);
        const { questions } = bench.wallet.user;
        expect(
          questions.map(({ type, details }) => [type, details.name]),
        ).toStrictEqual([['creation', 'Tollkeeper 1']]);
      },
    );

    it("passes MetaMask's own options back to it", async () => {
      const warn = jest.spyOn(console, 'warn').mockReturnValue();
      const defaults = {
        displayConfirmation: true,
        displayAccountNameSuggestion: true,
        setSelectedAccount: true,
      };
      const { keyring, snapId } = bench.wallet;
      await keyring.createAccount(snapId, {});
      expect(lastOptions()).toStrictEqual(defaults);
      const other = { displayAccountNameSuggestion: false, setSelectedAccount: false };
      await keyring.createAccount(snapId, {}, other);
      expect(lastOptions()).toStrictEqual({ ...defaults, ...other });
      expect(warn).not.toHaveBeenCalled();
      warn.mockRestore();
    });

    it.each(routes)(
      'leaves no trace if the user declines a request from %s',
      async (_name, make) => {
        bench.wallet.user.confirmAccounts = false;
        for (const options of [{}, { privateKey: IMPORTED }]) {
          expect(await refusalOf(make(options))).toStrictEqual(DECLINED);
        }
        expect(await sides()).toStrictEqual(sidesWith());
        expect(JSON.stringify(await bench.wallet.state())).not.toContain(
          IMPORTED.slice(2),
        );
      },
    );

    it('returns the same account for the same index, and asks only once', async () => {
      const first = await create({ index: 3 });
      expect(await create({ index: 3 })).toStrictEqual(first);
      expect(await fromMetaMask({ index: 3 })).toEqual(first);
      expect(await sides()).toStrictEqual(sidesWith(first));
      expect(bench.wallet.user.questions).toHaveLength(1);
    });

    it.each<[string, Record<string, Json>, string]>([
      ['derived', { index: 1 }, 'Tollkeeper 2'],
      ['imported', { privateKey: IMPORTED }, 'Tollkeeper (imported)'],
    ])('refuses to import the key of a %s account', async (_kind, options, name) => {
      const { id, address } = await create(options);
      const params = { id };
      const exported = await bench.companion.keyring('keyring_exportAccount', params);
      const { privateKey } = exported as { privateKey: string };
      const refusal = await refusalOf(create({ privateKey }));
      expect(refusal).toStrictEqual({
        code: -32602,
        message: `An account with the address ${address} already exists: ${name} (${id}).`,
      });
      expect(await sides()).toStrictEqual(sidesWith({ id }));
    });

    it('rejects a key that another MetaMask keyring holds, and leaves no trace', async () => {
      const { address } = privateKeyToAccount(IMPORTED);
      const { chain, options } = bench;
      const other = await startWallet({
        ...options,
        chain,
        otherAddresses: [address],
      });
      try {
        const companion = createSnapSite(other, COMPANION_ORIGIN);
        const make = async (wanted: Record<string, Json>): Promise<Json> =>
          companion.keyring('keyring_createAccount', { options: wanted });
        const kept = (await make({})) as { address: string };
        expect(await refusalOf(make({ privateKey: IMPORTED }))).toStrictEqual({
          code: -32602,
          message:
            `MetaMask already holds an account with the address ${address.toLowerCase()}, ` +
            'outside of Tollkeeper.',
        });
        expect(await companion.keyring('keyring_listAccounts')).toStrictEqual([kept]);
        expect(JSON.stringify(await other.state())).not.toContain(IMPORTED.slice(2));
        await other.keyring.signPersonalMessage(kept.address, '0x12');
        expect(await make({})).toMatchObject({ options: { index: 1 } });
      } finally {
        await other.stop();
      }
    });

    it('rejects a second account with the same imported key', async () => {
      const smart = { type: 'eip155:erc4337', privateKey: IMPORTED };
      const eoa = await create({ privateKey: IMPORTED });
      expect(await refusalOf(create(smart))).toHaveProperty('code', -32602);
      await bench.wallet.keyring.removeAccount(eoa.address);
      const first = await create(smart);
      for (const options of [{ ...smart, salt: '0x1' }, { privateKey: IMPORTED }]) {
        expect(await refusalOf(create(options))).toHaveProperty('code', -32602);
      }
      expect(await sides()).toStrictEqual(sidesWith(first));
    });
  });

  describe('account deletion', () => {
    it('removes the account that the user removes in MetaMask', async () => {
      const [kept, { address }] = [await create(), await create()];
      await bench.wallet.keyring.removeAccount(address);
      expect(await sides()).toStrictEqual(sidesWith(kept));
      expect(bench.logged).toStrictEqual([]);
    });

    it("removes the account that the companion deletes, and answers MetaMask's nested request", async () => {
      const [kept, { id, address }] = [await create(), await create()];
      bench.wallet.user.questions.length = 0;
      await bench.companion.keyring('keyring_deleteAccount', { id });
      expect(await sides()).toStrictEqual(sidesWith(kept));
      expect(bench.wallet.user.questions).toMatchObject([
        { type: 'removal', details: { address } },
      ]);
      expect(bench.logged).toStrictEqual([]);
    });

    it('changes neither side when the user keeps the account', async () => {
      const account = await create();
      bench.wallet.user.confirmAccounts = false;
      const call = bench.companion.keyring('keyring_deleteAccount', { id: account.id });
      expect(await refusalOf(call)).toStrictEqual(DECLINED);
      expect(await sides()).toStrictEqual(sidesWith(account));
      expect(await sign(account.address)).toBe(account.address);
    });
  });

  if (!bench.options.isNewest) return;

  describe('a keyring for each snap', () => {
    it("adds the account in the snap's answer while the snap announces another one", async () => {
      const keyring = bench.wallet.keyring as NewestKeyring;
      const key = { type: 'private-key:import', encoding: 'hexadecimal' };
      const [[given], announced] = await Promise.all([
        keyring.createAccounts(bench.wallet.snapId, { ...key, privateKey: IMPORTED }),
        create(),
      ]);
      expect(await sides()).toStrictEqual(
        sidesWith(given as { id: string }, announced),
      );
      expect(await sign(String(given?.address))).toBe(given?.address);
      expect(bench.wallet.user.questions).toHaveLength(1);
    });

    it('lets the companion delete an account that the keyring has lost', async () => {
      const { id } = await create();
      await bench.wallet.keyring.deserialize({ accounts: {} });
      await bench.companion.keyring('keyring_deleteAccount', { id });
      expect(await sides()).toStrictEqual(sidesWith());
    });
  });
});
