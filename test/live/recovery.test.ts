// npm run recover, which knows nothing of MetaMask: from the phrase alone it finds the accounts
// that the snap made in a wallet of MetaMask's packages, and their keys.
import { execFile } from 'node:child_process';

import { DEFAULT_SNAP_ID } from '../../dev/wallet/options';
import { describeWallets } from '../support/account-bench';

const mnemonic =
  'legal winner thank year wave sausage worth useful legal winner thank yellow';

describeWallets(
  (bench) => {
    type Run = { code: number; output: string; errors: string };

    async function recover(phrase: string, ...args: string[]): Promise<Run> {
      return new Promise((resolve) => {
        const script = ['--import', 'tsx', 'dev/recover/main.ts', ...args];
        const child = execFile(process.execPath, script, (error, output, errors) => {
          resolve({ code: error ? Number(error.code) : 0, output, errors });
        });
        // Who is refused for their arguments is not read from.
        child.stdin?.on('error', () => undefined).end(phrase);
      });
    }

    it('finds the accounts of a phrase, ordinary and smart, and their keys', async () => {
      const ids = [];
      for (const options of [{}, {}, { type: 'eip155:erc4337', entryPoint: '0.7' }]) {
        ids.push(await bench.create(options));
      }
      const asked = ['--snap-id', DEFAULT_SNAP_ID, '--count', '3'];
      const { code, output } = await recover(mnemonic, ...asked);
      const [first, second, smart] = ids.map(({ address }) => address.toLowerCase());
      const found = output.toLowerCase().split('\n');
      expect(code).toBe(0);
      expect(found).toContain(`0: ${first}`);
      expect(found).toContain(`1: ${second}`);
      expect(output.toLowerCase()).toContain(`entrypoint 0.7: ${smart}`);
      expect(output).not.toContain('private key');

      const { output: withKeys } = await recover(mnemonic, ...asked, '--private-keys');
      for (const { id } of ids) {
        const exported = await bench.companion.keyring('keyring_exportAccount', { id });
        const { privateKey } = exported as { privateKey: string };
        expect(withKeys).toContain(`private key: ${privateKey}\n`);
      }
    });

    it('takes a phrase as people write it, and finds others for another snap', async () => {
      const written = ` ${mnemonic.toUpperCase().replaceAll(' ', '\n ')}\n`;
      const [tidy, untidy, other] = await Promise.all([
        recover(mnemonic, '--first', '7', '--count', '1'),
        recover(written, '--first', '7', '--count', '1'),
        recover(mnemonic, '--first', '7', '--count', '1', '--snap-id', DEFAULT_SNAP_ID),
      ]);
      expect(tidy.output).toMatch(/^7: 0x/u);
      expect(untidy.output).toBe(tidy.output);
      expect(other.output).not.toBe(tidy.output);
    });

    it.each([
      ['a phrase with a wrong word', mnemonic.replace('wave', 'wawe'), []],
      ['a phrase with two words exchanged', mnemonic.replace('wave', 'useful'), []],
      ['no phrase', '', []],
      ['a phrase among the arguments', '', mnemonic.split(' ')],
      ['a number that is none', mnemonic, ['--count', 'many']],
    ])('refuses %s without a word of it', async (_what, phrase, args) => {
      const { code, output, errors } = await recover(phrase, ...args);
      expect(code).toBe(1);
      expect(output).toBe('');
      expect(errors).toContain('npm run recover');
      for (const word of ['sausage', 'winner', 'wawe']) {
        expect(errors).not.toContain(word);
      }
    });
  },
  { mnemonic },
);
