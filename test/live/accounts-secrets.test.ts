// Keys leave the snap only by export: no other answer and no error, screen, log or file contains
// one. `npm run recover` finds the snap's accounts and their keys from the phrase alone, without
// MetaMask.
import { execFile } from 'node:child_process';

import { mnemonicToSeed } from '@metamask/key-tree';
import type { Json } from '@metamask/utils';
import { bytesToHex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';

import { createSnapSite } from '../../dev/demo/world';
import { DEFAULT_SNAP_ID } from '../../dev/wallet/options';
import { refuseAll } from '../../dev/wallet/user';
import { describeEachWallet } from '../support/account-bench';
import { toWholeText } from '../support/error-of';
import { refusalOf } from '../support/refusal';

const DAPP = 'https://dapp.example';

const mnemonic =
  'legal winner thank year wave sausage worth useful legal winner thank yellow';

describeEachWallet(
  (bench) => {
    const { create, sign } = bench;

    /** Every answer and error, except for exported keys. */
    const seen: unknown[] = [];

    async function see(call: Promise<unknown>): Promise<void> {
      seen.push(await call.catch((error: unknown) => toWholeText(error)));
    }

    async function exportKey(id: string): Promise<string> {
      const exported = await bench.companion.keyring('keyring_exportAccount', { id });
      return (exported as { privateKey: string }).privateKey;
    }

    /** Lists the forms in which a key could leak, in lower case. */
    function formsOf(key: string): string[] {
      const hex = key.replace(/^0x/iu, '').toLowerCase();
      const bytes = Buffer.from(hex, 'hex');
      return [hex, [...bytes].join(), bytes.toString('base64').toLowerCase()];
    }

    async function collect(): Promise<string> {
      const { wallet } = bench;
      // One malformed request passes a key as an entropy source ID, which the snap forwards to
      // MetaMask.
      const isVisible = ({ method, params }: { method: string; params?: unknown }) =>
        method !== 'snap_getEntropy' &&
        (method !== 'snap_setState' || !(params as { encrypted: boolean }).encrypted);
      const visible = [
        seen,
        wallet.console(),
        bench.logged.map(toWholeText),
        wallet.user.questions,
        wallet.user.dialogs.map(({ content, text }) => [content, text]),
        wallet.keyring.listAccounts(),
        wallet.calls.filter(isVisible),
        (await wallet.state()).unencrypted,
        await wallet.disk(),
      ];
      return JSON.stringify(visible).toLowerCase();
    }

    /** Passes a key in every wrong field, and then imports it. */
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
      await see(companion.snap('tollkeeper_getChains'));
      await see(companion.snap('tollkeeper_setSettings', [{}]));
    }

    it('keeps keys out of answers, errors, screens, logs and the disk', async () => {
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
      // The encrypted state contains the imported keys until their accounts are removed.
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

    it("exports a key only to MetaMask and the companion, with the user's consent", async () => {
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
      for (const exportFor of [exportKey, () => wallet.metamaskKeyring(request)]) {
        expect(await refusalOf(exportFor(id))).toStrictEqual({
          code: 4001,
          message: 'The user refused the request.',
        });
      }
      expect(wallet.user.dialogs).toHaveLength(dialogs + 2);
    });

    describe('npm run recover', () => {
      type Run = { code: number; output: string; errors: string };

      async function recover(phrase: string, ...args: string[]): Promise<Run> {
        return new Promise((resolve) => {
          const script = ['--import', 'tsx', 'dev/recover/main.ts', ...args];
          const child = execFile(process.execPath, script, (error, output, errors) => {
            resolve({ code: error ? Number(error.code) : 0, output, errors });
          });
          // A run that rejects its arguments does not read the phrase.
          child.stdin?.on('error', () => undefined).end(phrase);
        });
      }

      it("finds a phrase's ordinary and smart accounts, and their keys", async () => {
        const ids = [];
        for (const options of [{}, {}, { type: 'eip155:erc4337', entryPoint: '0.7' }]) {
          ids.push(await bench.create(options));
        }
        const options = ['--snap-id', DEFAULT_SNAP_ID, '--count', '3'];
        const { code, output } = await recover(mnemonic, ...options);
        const [first, second, smart] = ids.map(({ address }) => address.toLowerCase());
        const found = output.toLowerCase().split('\n');
        expect(code).toBe(0);
        expect(found).toContain(`account 1: ${first}`);
        expect(found).toContain(`account 2: ${second}`);
        expect(output.toLowerCase()).toContain(`entrypoint 0.7: ${smart}`);
        expect(output).not.toContain('private key');

        const { output: withKeys } = await recover(
          mnemonic,
          ...options,
          '--private-keys',
        );
        for (const { id } of ids) {
          expect(withKeys).toContain(`private key: ${await exportKey(id)}\n`);
        }
      });

      it('accepts any case and white space, and finds other accounts for another snap', async () => {
        const written = ` ${mnemonic.toUpperCase().replaceAll(' ', '\n ')}\n`;
        const options = ['--first', '7', '--count', '1'];
        const [tidy, untidy, other] = await Promise.all([
          recover(mnemonic, ...options),
          recover(written, ...options),
          recover(mnemonic, ...options, '--snap-id', DEFAULT_SNAP_ID),
        ]);
        expect(tidy.output).toMatch(/^Account 7: 0x/u);
        expect(untidy.output).toBe(tidy.output);
        expect(other.output).not.toBe(tidy.output);
      });

      it.each([
        ['a phrase with an unknown word', mnemonic.replace('wave', 'wawe'), []],
        ['a phrase with a wrong checksum', mnemonic.replace('wave', 'useful'), []],
        ['no phrase', '', []],
        ['a phrase passed as arguments', '', mnemonic.split(' ')],
        ['an invalid number', mnemonic, ['--count', 'many']],
      ])('rejects %s without quoting it', async (_what, phrase, args) => {
        const { code, output, errors } = await recover(phrase, ...args);
        expect(code).toBe(args.length > 0 ? 2 : 1);
        expect(output).toBe('');
        expect(errors).toContain(code === 1 ? 'npm run recover' : '--help');
        for (const word of ['sausage', 'winner', 'wawe']) {
          expect(errors).not.toContain(word);
        }
      });
    });
  },
  { mnemonic },
);
