import { spawnSync } from 'node:child_process';

import { jest } from '@jest/globals';
import { getAddress } from 'viem';

import { readArgs, readWhole } from '../../dev/args';

const PHRASE = 'test test test test test test test test test test test junk';

class Exit extends Error {}

/** Reads arguments as a command with one option and, if `hasNames`, the name `known`. */
function read(args: string[], hasNames = false) {
  jest.replaceProperty(process, 'argv', ['node', 'command', ...args]);
  let output = '';
  let code: unknown;
  const write = ((text: string) => (output += text)) as never;
  jest.spyOn(process.stdout, 'write').mockImplementation(write);
  jest.spyOn(process.stderr, 'write').mockImplementation(write);
  jest.spyOn(process, 'exit').mockImplementation((given) => {
    code = given;
    throw new Exit();
  });
  try {
    const isName = hasNames ? (name: string) => name === 'known' : undefined;
    const options = { count: { type: 'string', default: '10' } } as const;
    const { values, names } = readArgs('npm run command', options, isName);
    return { count: readWhole(values.count, '--count'), names };
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    return { code, output };
  } finally {
    jest.restoreAllMocks();
  }
}

const recover = (...args: string[]) =>
  spawnSync(
    process.execPath,
    ['node_modules/tsx/dist/cli.mjs', 'dev/recover/main.ts', ...args],
    { input: PHRASE, encoding: 'utf8' },
  );

describe('a command', () => {
  it('reads its options and names', () => {
    expect(read([])).toStrictEqual({ count: 10, names: [] });
    expect(read(['known', '--count', '3'], true)).toStrictEqual({
      count: 3,
      names: ['known'],
    });
  });

  it.each(['--help', '-h'])('prints its usage for %s', (arg) => {
    expect(read([arg])).toStrictEqual({ code: 0, output: 'npm run command\n' });
  });

  it.each<[string[], boolean, string]>([
    [['--counts', '3'], false, "Unknown option '--counts'."],
    [['--count'], false, "Option '--count <value>' argument missing."],
    [['--count', 'x'], false, '--count must be a whole number.'],
    // Arguments may be a recovery phrase, so the error does not repeat them.
    [['secret', 'words'], false, 'This command takes only options.'],
    [['nosuch'], true, 'Unknown name "nosuch".'],
  ])('rejects invalid arguments with a one-line error: %j', (args, hasNames, fault) => {
    expect(read(args, hasNames)).toStrictEqual({
      code: 2,
      output: `${fault} See --help.\n`,
    });
  });
});

describe('npm run recover', () => {
  it('lists checksummed addresses, numbered as on screen', () => {
    const { stdout } = recover('--count', '1');
    const addresses = stdout.match(/0x[\da-f]{40}/giu) ?? [];
    // The first vector in docs/security/keys.md.
    expect(stdout).toMatch(/^Account 1: 0xae222F63/u);
    expect(addresses.length).toBeGreaterThan(3);
    expect(addresses).toStrictEqual(addresses.map((each) => getAddress(each)));
  });

  it('numbers accounts from 1', () => {
    const { status, stderr } = recover('--first', '0');
    expect([status, stderr]).toStrictEqual([
      2,
      'Accounts are numbered from 1. See --help.\n',
    ]);
  });
});
