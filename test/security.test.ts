// What SECURITY.md and the README say of safety is so: every test that they name is there, the
// permissions are those of the manifest, and the derivation gives the vector.
import { existsSync, readFileSync } from 'node:fs';

import { pathOf, recover } from '../dev/recover/derive';

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
  it('gives the vector that is written down', () => {
    const [, section = ''] = security.split('A test vector:');
    const rows = [...section.matchAll(/^\| (\w[\w ]*?) +\| `([^`]+)` +\|$/gmu)];
    const vector = new Map(rows.map(([, what = '', value = '']) => [what, value]));
    const valueOf = (what: string): string => vector.get(what) ?? '';
    const [phrase, snapId] = [valueOf('phrase'), valueOf('snap id')];
    const index = Number(valueOf('index'));
    expect(pathOf(snapId, index)).toBe(valueOf('path'));
    expect(recover({ phrase, snapId, index })).toStrictEqual({
      index,
      privateKey: valueOf('key'),
      address: valueOf('address'),
    });
  });
});
