// The tables that are generated from the code: of methods, errors and the bundle's packages,
// most of them between marks in the README. Prettier aligns their columns.
import { format, resolveConfig } from 'prettier';

import { findRoute, listMethods, type Caller } from '../../src/routes';
import { companionGroups, siteGroups } from './contract';
import { callsErrors, generalErrors, type ErrorRow } from './contract/errors';
import type { Group, Row } from './contract/row';

/** Writes a table in Markdown. */
export function toTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Formats a document as Prettier does with the file at its path. */
export async function formatAs(path: string, text: string): Promise<string> {
  const config = await resolveConfig(path);
  return format(text, {
    ...config,
    parser: path.endsWith('.md') ? 'markdown' : 'json',
  });
}

/**
 * Puts the tables of methods and errors into the README.
 *
 * @throws {Error} If it lacks the marks that a table stands between.
 */
export async function writeReadme(readme: string): Promise<string> {
  const tables = {
    'site-methods': writeSiteTable(),
    'calls-errors': writeErrorTable(callsErrors, 'Why'),
    errors: writeErrorTable(generalErrors, 'Meaning'),
    'keyring-methods': writeKeyringTable(),
    'companion-methods': writeCompanionTable(),
  };
  const text = Object.entries(tables).reduce(
    (before, [name, table]) => putTable(before, name, table),
    readme,
  );
  return formatAs('README.md', text);
}

function putTable(readme: string, name: string, table: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [before, rest] = readme.split(start);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined) {
    throw new Error(`The README lacks the marks of the table "${name}".`);
  }
  return `${before}${start}\n\n${table}\n\n${end}${after}`;
}

// Of the methods that every site may call.
function writeSiteTable(): string {
  return toTable(
    ['Method', 'Params', 'Result', 'Asks the user', 'Errors'],
    rowsOf(siteGroups).map((row) => {
      const { name, params, result, asks } = row;
      return [`\`${name}\``, params.cell, result.cell, asks, listErrors(row)];
    }),
  );
}

// Of the methods that the companion page alone may call.
function writeCompanionTable(): string {
  return toTable(
    ['Method', 'Params', 'Result', 'Errors'],
    rowsOf(companionGroups).map((row) => {
      const { name, params, result } = row;
      return [`\`${name}\``, params.cell, result.cell, listErrors(row)];
    }),
  );
}

/** Writes a table of errors. */
export function writeErrorTable(
  errors: readonly ErrorRow[],
  title: 'Meaning' | 'Why',
): string {
  const rows = errors.map(({ code, meaning }) => [String(code), meaning]);
  return toTable(['Code', title], rows);
}

/** Lists a method's errors in one line. */
export function listErrors({ errors, passesOn }: Row): string {
  const own = errors.map((use) =>
    typeof use === 'number' ? String(use) : `${use.code} (${use.when})`,
  );
  const all = [...own, ...(passesOn === undefined ? [] : [passesOn])];
  return all.length === 0 ? '–' : all.join(', ');
}

function rowsOf(groups: readonly Group[]): Row[] {
  return groups.flatMap(({ rows }) => rows);
}

const callers: readonly (readonly [title: string, caller: Caller])[] = [
  ['MetaMask', 'metamask'],
  ['Companion', 'companion'],
  ['Dapp', 'dapp'],
  ['Other snap', 'snap'],
];

// Who may call which keyring method.
function writeKeyringTable(): string {
  const rows = listMethods('keyring').map((method) => {
    const { by = [], kind } = findRoute(method) ?? {};
    const cells = callers.map(([, caller]) => {
      if (!by.includes(caller)) return '4100';
      return kind === 'refused' ? '4200' : 'yes';
    });
    return [`\`${method}\``, ...cells];
  });
  return toTable(['Method', ...callers.map(([title]) => title)], rows);
}

/** The name of the sources outside of packages. */
export const OWN = 'Tollkeeper';

// What the bundle holds of others, and why. A package that is in the bundle and not here, or
// here and not in the bundle, fails the build's check.
const packages: Record<string, string> = {
  '@ethereumjs/rlp': 'the encoding of transactions',
  '@ethereumjs/tx': 'hashes, signs and writes transactions of every type',
  '@ethereumjs/util': 'addresses and keys, for `@ethereumjs/tx` and us',
  '@metamask/eth-sig-util': 'hashes and signs messages and typed data as MetaMask does',
  '@metamask/keyring-api': "structs of MetaMask's keyring requests and answers",
  '@metamask/keyring-utils': 'structs that `@metamask/keyring-api` is made of',
  '@metamask/snaps-sdk': "SnapError, and what dialogs are drawn with (MetaMask's own)",
  '@metamask/superstruct': 'checks of everything that comes in',
  '@metamask/utils': 'hex, bytes, JSON, CAIP ids',
  '@noble/curves': 'secp256k1',
  '@noble/hashes': 'Keccak-256, SHA-256, scrypt, PBKDF2',
  'async-mutex': 'one writer at a time of a stored document',
  uuid: 'ids of accounts from their addresses',
};

// What is no package.
const others: Record<string, string> = {
  [OWN]: '`src`, with what stands in for parts of packages',
  webpack: 'what joins the modules',
};

/** A size in the table may be off by a tenth of it, or by this much: code changes daily. */
const TOLERANCE_KB = 2;

/** Puts the table of the bundle's packages into the README. */
export function replaceBundleTable(
  readme: string,
  shares: ReadonlyMap<string, number>,
): string {
  const rows = [...shares].map(([name, bytes]) => [
    `\`${name}\``,
    packages[name] ?? others[name] ?? '?',
    `${toKilobytes(bytes)} kB`,
  ]);
  return putTable(readme, 'bundle', toTable(['What', 'Why', 'Size'], rows));
}

/**
 * Finds what of the bundle is not explained, or has another size in the README.
 *
 * @param shares - The bundle's bytes by package.
 * @returns A sentence for each fault.
 */
export function findBundleFaults(
  shares: ReadonlyMap<string, number>,
  readme: string,
): string[] {
  const found = [...shares.keys()].filter((name) => !Object.hasOwn(others, name));
  const unknown = found.filter((name) => !Object.hasOwn(packages, name));
  const gone = Object.keys(packages).filter((name) => !shares.has(name));
  const table = readBundleTable(readme);
  const wrong = [...shares].filter(([name, bytes]) => {
    const size = toKilobytes(bytes);
    const difference = Math.abs((table.get(name) ?? Infinity) - size);
    return difference > Math.max(TOLERANCE_KB, size / 10);
  });
  const surplus = [...table.keys()].filter((name) => !shares.has(name));
  return [
    ...unknown.map((name) => `${name} is in the bundle, and nothing says why.`),
    ...gone.map((name) => `${name} is explained, but not in the bundle.`),
    ...wrong.map(([name]) => `The README has no size of ${name}, or another one.`),
    ...surplus.map((name) => `The README lists ${name}, which is not in the bundle.`),
  ];
}

function readBundleTable(readme: string): Map<string, number> {
  const [, rest] = readme.split('<!-- bundle:start -->');
  const table = rest?.split('<!-- bundle:end -->')[0] ?? '';
  const rows = table.matchAll(/^\| `([^`]+)` .*\| ([\d.]+) kB +\|$/gmu);
  return new Map([...rows].map(([, name = '', size]) => [name, Number(size)]));
}

function toKilobytes(bytes: number): number {
  return Math.round(bytes / 100) / 10;
}
