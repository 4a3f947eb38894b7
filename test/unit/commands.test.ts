// The arguments of npm run commands, and what npm run recover prints.
import { spawnSync } from 'node:child_process';

import { getAddress } from 'viem';

import { runNode } from '../../dev/test/check';

const run = async (command: string, ...args: string[]) =>
  runNode(['node_modules/tsx/dist/cli.mjs', command, ...args]);

const PHRASE = 'test test test test test test test test test test test junk';

const RECOVER = 'dev/recover/main.ts';

describe('a command', () => {
  it('prints its usage for --help', async () => {
    expect(await run(RECOVER, '--help')).toStrictEqual({
      code: 0,
      output: expect.stringMatching(/^npm run recover .*--private-keys/u) as string,
    });
  });

  it.each<[string, string[], string]>([
    [RECOVER, ['--counts', '3'], "Unknown option '--counts'."],
    [RECOVER, ['--count'], "Option '--count <value>' argument missing."],
    [RECOVER, ['--count', 'x'], '--count must be a whole number.'],
    [RECOVER, ['--first', '0'], 'Accounts are numbered from 1.'],
    // Arguments may be a recovery phrase, so the error does not repeat them.
    [RECOVER, ['secret', 'words'], 'This command takes only options.'],
    ['dev/test/mutate.ts', ['nosuch'], 'Unknown name "nosuch".'],
  ])(
    'rejects bad arguments with a one-line error: %s %j',
    async (command, args, fault) => {
      expect(await run(command, ...args)).toStrictEqual({
        code: 2,
        output: `${fault} See --help.\n`,
      });
    },
  );
});

it('lists checksummed addresses, numbered as on screen', () => {
  const args = ['node_modules/tsx/dist/cli.mjs', RECOVER, '--count', '1'];
  const { stdout } = spawnSync(process.execPath, args, {
    input: PHRASE,
    encoding: 'utf8',
  });
  const addresses = stdout.match(/0x[\da-f]{40}/giu) ?? [];
  // The first of the vectors in docs/security/keys.md.
  expect(stdout).toMatch(/^Account 1: 0xae222F63/u);
  expect(addresses.length).toBeGreaterThan(3);
  expect(addresses).toStrictEqual(addresses.map((each) => getAddress(each)));
});
