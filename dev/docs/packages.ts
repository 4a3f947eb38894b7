// Writes tables of bundled, omitted and replaced modules.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import bundled from '../build/packages.json' with { type: 'json' };
import { toTable } from './tables';

// The check "bundle" fails if a bundled package is missing here.
const packages: Record<string, string> = {
  '@ethereumjs/common': 'the rules of a chain, for `@ethereumjs/tx`',
  '@ethereumjs/rlp': 'the encoding of transactions',
  '@ethereumjs/tx': 'hashes, signs and writes transactions of every type',
  '@ethereumjs/util': 'addresses, keys and authorizations',
  '@metamask/abi-utils': 'the ABI encoding of calls and of typed data',
  '@metamask/eth-sig-util': 'hashes typed data as MetaMask does',
  '@metamask/eth-sig-util/node_modules/@ethereumjs/util': 'bytes, for `eth-sig-util`',
  '@metamask/keyring-api': "structs of MetaMask's keyring requests and answers",
  '@metamask/keyring-utils': 'structs on which `keyring-api` is based',
  '@metamask/snaps-sdk': 'SnapError, and the components of dialogs',
  '@metamask/superstruct': 'validation of all input',
  '@metamask/utils': 'hex, bytes, JSON, CAIP ids',
  '@metamask/utils/node_modules/@noble/hashes': 'checksums of addresses, for `utils`',
  '@noble/curves': 'secp256k1',
  '@noble/hashes': 'Keccak-256, SHA-256, scrypt, PBKDF2',
  '@scure/base': 'Base64, for `@metamask/utils`',
  'async-mutex': 'locks, so that each stored document has one writer at a time',
  'base64-js': 'Base64, for `buffer`',
  buffer: "Node's Buffer, for `eth-sig-util`",
  'ethereum-cryptography': 'Keccak-256, for `eth-sig-util`',
  'ethereum-cryptography/node_modules/@noble/hashes':
    'Keccak-256, for `ethereum-cryptography`',
  eventemitter3: 'events, for `@ethereumjs/common`',
  fflate: 'reads the compressed files beside the bundle',
  ieee754: 'floating-point numbers, for `buffer`',
  'lodash-es': 'a cache of checksums, for `@metamask/utils`',
  'micro-eth-signer': 'describes calls and typed data with ERC-7730 descriptors',
  'micro-packed': 'reads and writes bytes, for `micro-eth-signer`',
  'micro-packed/node_modules/@scure/base': 'hex and Base64, for `micro-packed`',
  punycode: 'decoding of internationalized domain names',
  uuid: 'account ids, derived from addresses',
};

export function writePackageTable(): string {
  const lock = readLock();
  const rows = Object.entries(packages).map(([folder, why]) => {
    const path = `node_modules/${folder}`;
    const audits = listAudits(path).join('; ') || 'none published';
    const name = folder.replace(/^.*node_modules\//u, '');
    return [`\`${name}\` ${lock[path]?.version ?? ''}`, why, audits];
  });
  return toTable(['Package', 'What it does', 'Audits'], rows);
}

export function writeLeftOutTable(): string {
  const leftOut = Object.entries(bundled.leftOut).map(([path, what]) => [
    `\`${path}\``,
    'an empty module',
    what,
  ]);
  const instead = bundled.instead.map(({ of, by, why }) => [
    `\`${of}\``,
    `\`${by.replace('node_modules/', '')}\``,
    why,
  ]);
  return toTable(
    ['Module', 'In its place', 'What it does, or why'],
    [...leftOut, ...instead],
  );
}

/** Returns a message for each difference between the list and the bundled modules. */
export function findUnexplained(sources: readonly string[]): string[] {
  // Modules outside node_modules belong to this project or the bundler.
  const names = sources.flatMap((source) => findFolder(source) ?? []);
  return [
    ...[...new Set(names)]
      .filter((name) => !Object.hasOwn(packages, name))
      .map((name) => `${name} is in a bundle: add it to dev/docs/packages.ts.`),
    ...Object.keys(packages)
      .filter((name) => !names.includes(name))
      .map(
        (name) => `${name} is not in any bundle: remove it from dev/docs/packages.ts.`,
      ),
  ];
}

function findFolder(source: string): string | undefined {
  return /node_modules\/((?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+)\//u.exec(source)?.[1];
}

function readLock(): Record<string, { version: string }> {
  const text = readFileSync('package-lock.json', 'utf8');
  return (JSON.parse(text) as { packages: Record<string, { version: string }> })
    .packages;
}

function listAudits(path: string): string[] {
  const file = ['README.md', 'readme.md']
    .map((name) => join(path, name))
    .find(existsSync);
  const text = file === undefined ? '' : readFileSync(file, 'utf8');
  const ofVersions =
    /^- at version (?<version>[\d.]+), in (?<date>[^,]+), (?:independently, )?by \[(?<who>[^\]]+)\]/gmu;
  const others =
    /\baudited by \[?(?<who>[A-Z]\w+)(?:\]\([^)]*\))?\s(?:on|in)\s(?<date>[A-Z][^.(]*?\d{4})/giu;
  return [...text.matchAll(ofVersions), ...text.matchAll(others)].map(({ groups }) => {
    const { who = '', date = '', version } = groups ?? {};
    const when = date.replaceAll(/\s+/gu, ' ');
    const name = who.replace(/^cure53$/u, 'Cure53');
    return version === undefined
      ? `${name} (${when})`
      : `${name} (${when}, ${version})`;
  });
}
