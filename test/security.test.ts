// What SECURITY.md and the README say of safety is so: every test that they name is there, the
// permissions are those of the manifest, and the derivation gives the vector.
import { existsSync, readFileSync } from 'node:fs';

import { pathOf, recover } from '../dev/recover/derive';
import { entryPoints, entryPointVersions } from '../src/eth/entry-point';
import type { EntryPointVersion } from '../src/eth/entry-point';
import type { Hex } from '../src/eth/hex';
import { computeAccountAddress } from '../src/eth/smart-account';

const read = (path: string): string => readFileSync(path, 'utf8');

const security = read('SECURITY.md');

describe('the threat model', () => {
  const named = [...security.matchAll(/\[([^\]]+)\]\((test\/[^)]+\.test\.ts)\)/gu)].map(
    ([, title = '', path = '']) => [title, path] as const,
  );

  it('names a test for what each actor tries', () => {
    const [, table = ''] = security.split('## Threats');
    const rows = (table.split('\n## ')[0] ?? '').match(/^\| .+ \|$/gmu) ?? [];
    // But for the head and the line below it.
    const unproved = rows.slice(2).filter((row) => !/\]\(test\//u.test(row));
    expect(rows.length).toBeGreaterThan(20);
    expect(unproved).toEqual([]);
    const actors = ['dapp', 'companion page', 'other snap', 'network', 'gas API'];
    for (const actor of [
      ...actors,
      'bundler',
      'paymaster',
      'someone at the unlocked',
    ]) {
      expect(rows.some((row) => row.startsWith(`| ${actor}`))).toBe(true);
    }
  });

  it.each(named)('names a test that there is: %s', (title, path) => {
    expect(existsSync(path)).toBe(true);
    const text = read(path);
    const isTitle = [`it('${title}'`, `it("${title}"`].some((form) =>
      text.includes(form),
    );
    expect(isTitle).toBe(true);
  });
});

describe('the permissions', () => {
  it('are explained one by one, and no other', () => {
    const { initialPermissions } = JSON.parse(read('snap.manifest.json')) as {
      initialPermissions: Record<string, unknown>;
    };
    const [, section = ''] = read('README.md').split('### Permissions');
    const table = section.split('\n## ')[0] ?? '';
    const rows = [...table.matchAll(/^\| `([\w:-]+)`[^|]*\| +(\S[^|]*)\|$/gmu)];
    expect(rows.map(([, name]) => name).sort()).toEqual(
      Object.keys(initialPermissions).sort(),
    );
  });
});

describe('the derivation', () => {
  const [, section = ''] = security.split('Test vectors, ');
  const [phrase = '', snapId = '', index = ''] = [
    ...(section.split('\n')[0] ?? '').matchAll(/`([^`]+)`/gu),
  ].map(([, value = '']) => value);
  const rows = [
    ...section.matchAll(
      /^\| (ordinary|smart, EntryPoint ([\d.]+)) +\| `([^`]+)` +\| `([^`]+)` +\| `([^`]+)` +\| `([^`]+)` +\|$/gmu,
    ),
  ];

  it('has a vector of each kind of account', () => {
    expect(rows.map(([, , version]) => version)).toStrictEqual([
      undefined,
      ...entryPointVersions,
    ]);
  });

  it.each(rows)('gives the vector that is written down: %s', (...row) => {
    const [, , version, path, privateKey, address = '', account] = row;
    const entryPoint = version as EntryPointVersion | undefined;
    const derivation = {
      snapId,
      index: Number(index),
      ...(entryPoint === undefined ? {} : { entryPoint }),
    };
    expect(pathOf(derivation)).toBe(path);
    expect(recover(phrase, derivation)).toStrictEqual({ privateKey, address });
    if (entryPoint === undefined) return expect(account).toBe(address);
    const owner = address.toLowerCase() as Hex;
    const { factory } = entryPoints[entryPoint];
    expect(computeAccountAddress({ entryPoint, factory, owner, salt: 0n })).toBe(
      account,
    );
  });
});
