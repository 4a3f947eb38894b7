// Accounts come back: after the snap was removed and installed again, and when MetaMask has
// lost them.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { Json } from '@metamask/utils';
import { toHex } from 'viem';

import { callChain } from '../../dev/wallet/engine';
import { agreed, describeWallets } from '../support/account-bench';
import { refusalOf } from '../support/refusal';

const IMPORTED = `0x${'4c'.repeat(32)}`;

const IMPORTED_OWNER = `0x${'4d'.repeat(32)}`;

const SMART = { type: 'eip155:erc4337', scopes: ['eip155:31337'] };

const NOTHING = {
  accounts: [],
  declined: [],
  failed: [],
  skipped: [],
  unchanged: [],
  unchecked: [],
  recovered: [],
  unreachable: [],
  isComplete: true,
};

describeWallets((bench) => {
  const { create, sides, sign } = bench;

  async function restore(options: Json): Promise<Json> {
    return bench.companion.snap('tollkeeper_restoreAccounts', [options]);
  }

  const funded = new Set<string>();

  async function setBalance(address: string, wei: bigint): Promise<void> {
    const params = [address, toHex(wei)];
    await callChain(bench.chain, { method: 'anvil_setBalance', params });
  }

  async function fund({ address }: { address: string }): Promise<void> {
    funded.add(address);
    await setBalance(address, 1n);
  }

  afterEach(async () => {
    for (const address of funded) await setBalance(address, 0n);
    funded.clear();
  });

  /** Remove the snap alone: MetaMask keeps its accounts. */
  async function removeOnlySnap(): Promise<void> {
    const { wallet } = bench;
    // A write that comes after the removal would crash the controller.
    await wallet.disk();
    await wallet.controller.removeSnap(wallet.snapId);
  }

  function sorted(accounts: Iterable<KeyringAccount>): KeyringAccount[] {
    return [...accounts].sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  describe('after the snap was removed with its accounts', () => {
    it('brings those back that were used, and what comes before them', async () => {
      const before = await create({ index: 0 });
      const eoa = await create({ index: 1 });
      const unused = await create({ index: 2 });
      const smart = [
        await create({ ...SMART, index: 0, entryPoint: '0.6' }),
        await create({ ...SMART, index: 2, entryPoint: '0.7' }),
        await create({ ...SMART, index: 1, entryPoint: '0.8' }),
      ];
      const used = [eoa, ...smart];
      for (const account of used) await fund(account);
      await bench.wallet.removeSnap();
      await bench.wallet.install();
      expect(await sides()).toStrictEqual(agreed());

      const questions = bench.wallet.user.questions.length;
      const restored = (await restore({ gap: 3 })) as { accounts: KeyringAccount[] };
      expect({ ...restored, accounts: sorted(restored.accounts) }).toStrictEqual({
        ...NOTHING,
        accounts: sorted([before, ...used]),
      });
      expect(await sides()).toStrictEqual(agreed(before, ...used));
      expect(bench.wallet.user.questions).toHaveLength(questions + 5);
      expect(await sign(eoa.address)).toBe(eoa.address);
      expect(await create({ index: 2 })).toStrictEqual(unused);
    });

    it('looks as far as it is told', async () => {
      const far = await create({ index: 4 });
      await fund(far);
      await bench.wallet.removeSnap();
      await bench.wallet.install();
      expect(await restore({ gap: 4 })).toStrictEqual(NOTHING);
      const found = (await restore({ gap: 5 })) as { accounts: KeyringAccount[] };
      expect(found.accounts).toHaveLength(5);
      expect(found.accounts).toContainEqual(far);
    });
  });

  describe('after the snap alone was removed', () => {
    it('has the accounts that MetaMask kept, and asks nobody', async () => {
      const accounts = [
        await create({ index: 0 }),
        await create({ index: 1 }),
        await create({ ...SMART, index: 1, entryPoint: '0.7' }),
      ];
      await removeOnlySnap();
      await bench.wallet.install();
      bench.wallet.user.questions.length = 0;
      const [{ address } = { address: '' }] = accounts;
      expect((await refusalOf(sign(address))).message).toMatch(
        /restore its accounts on its home page/u,
      );

      const restored = (await restore({ gap: 2 })) as { recovered: KeyringAccount[] };
      expect(restored).toStrictEqual({ ...NOTHING, recovered: restored.recovered });
      expect(sorted(restored.recovered)).toStrictEqual(sorted(accounts));
      expect(await sides()).toStrictEqual(agreed(...accounts));
      expect(bench.wallet.user.questions).toStrictEqual([]);
      expect(await sign(address)).toBe(address);
    });

    it('takes the key of an imported account again, and asks nobody', async () => {
      const account = await create({ privateKey: IMPORTED });
      await removeOnlySnap();
      await bench.wallet.install();
      bench.wallet.user.questions.length = 0;
      expect(await create({ privateKey: IMPORTED })).toStrictEqual(account);
      expect(await sides()).toStrictEqual(agreed(account));
      expect(bench.wallet.user.questions).toStrictEqual([]);
      expect(await sign(account.address)).toBe(account.address);
    });
  });

  describe('when MetaMask has lost accounts', () => {
    it('announces them again, imported ones too', async () => {
      const accounts = [
        await create({ index: 3 }),
        await create({ privateKey: IMPORTED }),
        await create({ ...SMART, privateKey: IMPORTED_OWNER, salt: '0x5' }),
      ];
      await bench.restart((disk) =>
        Object.assign(disk, { accounts: { accounts: {} } }),
      );
      expect(await sides()).toMatchObject({ metamask: [], unsettled: [] });

      const restored = (await restore({ gap: 1 })) as { accounts: KeyringAccount[] };
      expect({ ...restored, accounts: sorted(restored.accounts) }).toStrictEqual({
        ...NOTHING,
        accounts: sorted(accounts),
      });
      expect(await sides()).toStrictEqual(agreed(...accounts));
      const [, { address } = { address: '' }] = accounts;
      expect(await sign(address)).toBe(address);
    });

    it('keeps one that the user declines, and asks again the next time', async () => {
      const { id, address } = await create({ privateKey: IMPORTED });
      await bench.restart((disk) =>
        Object.assign(disk, { accounts: { accounts: {} } }),
      );
      bench.wallet.user.confirmAccounts = false;
      const declined = [{ name: 'Tollkeeper (imported)', address }];
      expect(await restore({ gap: 1 })).toStrictEqual({ ...NOTHING, declined });
      expect(await sides()).toStrictEqual({ ...agreed({ id }), metamask: [] });
      bench.wallet.user.confirmAccounts = true;
      expect(await restore({ gap: 1 })).toMatchObject({ accounts: [{ id }] });
      expect(await sign(address)).toBe(address);
    });

    it('says what both sides have', async () => {
      const accounts = [
        await create({ index: 0 }),
        await create({ privateKey: IMPORTED }),
      ];
      const unchanged = sorted(accounts);
      const restored = (await restore({ gap: 1 })) as { unchanged: KeyringAccount[] };
      expect({ ...restored, unchanged: sorted(restored.unchanged) }).toStrictEqual({
        ...NOTHING,
        unchanged,
      });
    });
  });
});
