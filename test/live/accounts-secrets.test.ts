// Only an export shows keys: they are neither in answers and errors nor on the
// screen, in logs, or on the disk.
import { mnemonicToSeed } from '@metamask/key-tree';
import type { Json } from '@metamask/utils';
import { bytesToHex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';

import { createSnapSite } from '../../dev/demo/world';
import { refuseAll } from '../../dev/wallet/user';
import { describeWallets } from '../support/account-bench';
import { toWholeText } from '../support/error-of';
import { refusalOf } from '../support/refusal';

const DAPP = 'https://dapp.example';

const mnemonic =
  'legal winner thank year wave sausage worth useful legal winner thank yellow';

describeWallets(
  (bench) => {
    const { create, sign } = bench;

    /** What anybody saw, but for keys that were asked for. */
    const seen: unknown[] = [];

    async function see(call: Promise<unknown>): Promise<void> {
      // Only what leaves the wallet is written: the stack of the test holds nothing of it.
      seen.push(await call.catch((error: unknown) => toWholeText(error)));
    }

    async function exportKey(id: string): Promise<string> {
      const exported = await bench.companion.keyring('keyring_exportAccount', { id });
      return (exported as { privateKey: string }).privateKey;
    }

    /** A key in the forms in which it could show up, in lower case. */
    function formsOf(key: string): string[] {
      const hex = key.replace(/^0x/iu, '').toLowerCase();
      const bytes = Buffer.from(hex, 'hex');
      return [hex, [...bytes].join(), bytes.toString('base64').toLowerCase()];
    }

    async function collect(): Promise<string> {
      const { wallet } = bench;
      // The name of an entropy source goes to MetaMask as it was given, which here is a key.
      const isOpen = ({ method, params }: { method: string; params?: unknown }) =>
        method !== 'snap_getEntropy' &&
        (method !== 'snap_setState' || !(params as { encrypted: boolean }).encrypted);
      const places = [
        seen,
        wallet.console(),
        bench.logged.map(toWholeText),
        wallet.user.questions,
        wallet.user.dialogs.map(({ content, text }) => [content, text]),
        wallet.keyring.listAccounts(),
        wallet.calls.filter(isOpen),
        (await wallet.state()).unencrypted,
        await wallet.disk(),
      ];
      return JSON.stringify(places).toLowerCase();
    }

    /** Uses an imported key, and tries it in every wrong place. */
    async function useKey(key: string): Promise<void> {
      const { companion, wallet } = bench;
      const malformed: Record<string, Json>[] = [
        { privateKey: `${key}00` },
        { privateKey: key.slice(0, -2) },
        { privateKey: ` ${key}` },
        { privateKey: [key] },
        { privateKey: { key } },
        { privateKey: key, index: 0 },
        { privateKey: key, scopes: [key] },
        { privateKey: key, type: key },
        { secret: key },
        { entropySource: key },
      ];
      for (const options of malformed) await see(create(options));
      wallet.user.confirmAccounts = false;
      await see(create({ privateKey: key }));
      wallet.user.confirmAccounts = true;
      for (const method of ['snap_setState', 'snap_manageAccounts']) {
        wallet.onSnapCall = (call) => {
          if (call.method !== method) return;
          wallet.onSnapCall = undefined;
          throw new Error(`${method} was made to fail.`);
        };
        await see(create({ privateKey: key }));
        await see(companion.keyring('keyring_listAccounts'));
      }
      wallet.onSnapCall = undefined;
      await see(create({ privateKey: key }));
      await see(create({ privateKey: key }));
      const range = { count: 1, privateKey: key };
      await see(companion.snap('tollkeeper_createAccounts', [range]));
      await see(companion.snap('tollkeeper_restoreAccounts', [{ gap: 1 }]));
    }

    async function useAccount({ id, address }: { id: string; address: string }) {
      const { companion, wallet } = bench;
      const dapp = createSnapSite(wallet, DAPP);
      await see(companion.keyring('keyring_getAccount', { id }));
      await see(sign(address));
      wallet.user.onDialog = async (dialog) => {
        if (dialog.text.includes(address.slice(0, 8))) await dialog.fill(id, true);
        await dialog.approve();
      };
      await see(dapp.snap('wallet_requestPermissions', [{ eth_accounts: {} }]));
      wallet.user.onDialog = async (dialog) => dialog.approve();
      await see(dapp.snap('personal_sign', ['hello', address]));
      for (const method of ['getStatus', 'getGrants', 'getSettings', 'getProgress']) {
        await see(companion.snap(`tollkeeper_${method}`));
      }
    }

    it('shows no key to anybody', async () => {
      const { wallet } = bench;
      wallet.connect(DAPP);
      const [lower, upper] = [generatePrivateKey(), generatePrivateKey()];
      const bare = upper.slice(2).toUpperCase();
      await useKey(lower);
      await useKey(bare);
      const derived = await create();
      await useAccount(derived);
      for (const account of wallet.keyring.listAccounts()) await useAccount(account);
      const keys = [await exportKey(derived.id), lower, bare];
      const seed = bytesToHex(await mnemonicToSeed(mnemonic));

      const text = await collect();
      for (const form of [...keys, seed].flatMap(formsOf)) {
        expect(text).not.toContain(form);
      }
      expect(text).not.toContain('year wave sausage');
      expect(text).toContain(derived.address);
      expect(seen.length).toBeGreaterThan(50);
      // Found where they have to be, and nowhere once the accounts are gone.
      const secret = async () => JSON.stringify(await bench.stored()).toLowerCase();
      for (const key of [lower, bare]) {
        expect(await secret()).toContain(formsOf(key)[0]);
      }
      for (const { address } of wallet.keyring.listAccounts()) {
        await wallet.keyring.removeAccount(address);
      }
      for (const key of [lower, bare]) {
        expect(await secret()).not.toContain(formsOf(key)[0]);
      }
    });

    it('gives a key to MetaMask and the companion alone, if its user says yes', async () => {
      const { wallet } = bench;
      const { id } = await create();
      const dapp = createSnapSite(wallet, DAPP);
      wallet.connect(DAPP);
      const dialogs = wallet.user.dialogs.length;
      const byKeyring = await refusalOf(dapp.keyring('keyring_exportAccount', { id }));
      expect(byKeyring.message).toMatch(/is not permitted/u);
      expect(await refusalOf(dapp.snap('keyring_exportAccount', { id }))).toStrictEqual(
        {
          code: 4200,
          message: 'The method "keyring_exportAccount" is unknown.',
        },
      );
      expect(wallet.user.dialogs).toHaveLength(dialogs);
      wallet.user.onDialog = refuseAll;
      const request = { method: 'keyring_exportAccount', params: { id } };
      for (const ask of [exportKey, () => wallet.metamaskKeyring(request)]) {
        expect(await refusalOf(ask(id))).toStrictEqual({
          code: 4001,
          message: 'The user refused the request.',
        });
      }
      expect(wallet.user.dialogs).toHaveLength(dialogs + 2);
    });
  },
  { mnemonic },
);
