// npm run recover: lists the accounts of a Secret Recovery Phrase without MetaMask and without the
// snap. Run it on a machine that you trust, preferably offline.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { getChecksumAddress } from '@metamask/utils';

import { canonicalContracts, computeAccountAddress } from '../../src/eth/smart-account';
import { readArgs, readWhole, refuse } from '../args';
import { proxies } from '../stack/proxies';
import { recover, type Derivation } from './derive';

const USAGE = `npm run recover -- [--snap-id npm:tollkeeper-snap] [--first 1] [--count 10] [--private-keys]

Lists accounts by their numbers on Tollkeeper's page, from 1. The phrase is asked for, or read from the standard input.
`;

const { values } = readArgs(USAGE, {
  'snap-id': { type: 'string', default: 'npm:tollkeeper-snap' },
  first: { type: 'string', default: '1' },
  count: { type: 'string', default: '10' },
  'private-keys': { type: 'boolean', default: false },
});
const first = readWhole(values.first, '--first');
const count = readWhole(values.count, '--count');
if (first === 0) refuse('Accounts are numbered from 1.');

try {
  await main();
} catch (error) {
  // The messages of other errors may quote the user's input.
  if (error instanceof RangeError) process.stderr.write(`${error.message}\n\n`);
  process.stderr.write(USAGE);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const phrase = await readPhrase(process.stdin, process.stderr);
  for (let number = first; number < first + count; number += 1) {
    const derivation = { snapId: values['snap-id'], index: number - 1 };
    const lines = describe(phrase, derivation, values['private-keys']);
    process.stdout.write(`${lines.join('\n')}\n`);
  }
}

function describe(phrase: string, derivation: Derivation, showsKeys: boolean) {
  const eoa = recover(phrase, derivation);
  const toKey = (privateKey: string, indent: string): string[] =>
    showsKeys ? [`${indent}private key: ${privateKey}`] : [];
  const smart = canonicalContracts.flatMap((contract) => {
    const { address, privateKey } = recover(phrase, { ...derivation, ...contract });
    const owner = address.toLowerCase() as `0x${string}`;
    const account = computeAccountAddress({ ...contract, owner, salt: 0n }, proxies);
    const kind = contract.implementation === 'safe' ? 'Safe' : 'smart account';
    return [
      `  ${kind}, EntryPoint ${contract.entryPoint}: ${getChecksumAddress(account)}`,
      `    owner: ${address}`,
      ...toKey(privateKey, '    '),
    ];
  });
  return [
    `Account ${derivation.index + 1}: ${eoa.address}`,
    ...toKey(eoa.privateKey, '  '),
    ...smart,
  ];
}

// Never reads the phrase from arguments or the environment, which other programs can read and
// shells record.
async function readPhrase(input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
  if (!input.isTTY) return text(input);
  output.write('Secret Recovery Phrase (not shown): ');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: nowhere, terminal: true });
  try {
    return await reader.question('');
  } finally {
    reader.close();
    output.write('\n');
  }
}
