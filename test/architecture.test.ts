// Names what was forgotten: lint rules that must bite, and what belongs together but
// stands in different files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ESLint } from 'eslint';
import type { Linter } from 'eslint';
import tseslint from 'typescript-eslint';

// @ts-expect-error It is JavaScript, without types.
import config from '../eslint.config.js';
import { permissions } from '../src/handlers/permissions';
import { keyringMethods } from '../src/keyring/dispatch';
import { methods } from '../src/methods';

const read = (path: string): string => readFileSync(path, 'utf8');

const sources = listFiles('src').filter((path) => /\.tsx?$/u.test(path));
const allSource = sources.map(read).join('\n');

type Manifest = {
  source: { files: string[]; locales: string[] };
  initialPermissions: Record<string, object>;
};

const manifest = JSON.parse(read('snap.manifest.json')) as Manifest;
const readme = read('README.md');

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}

describe('lint', () => {
  // These rules need no types, and what finds those takes half a minute.
  const { disableTypeChecked } = tseslint.configs;
  const overrideConfig = [
    ...(config as unknown[]),
    disableTypeChecked,
  ] as Linter.Config[];
  // Given, not found: ESLint would load the file with an import that Jest cannot do.
  const eslint = new ESLint({ overrideConfigFile: true, overrideConfig });

  async function lint(path: string, text: string): Promise<(string | null)[]> {
    const [result] = await eslint.lintText(text, { filePath: path });
    return (result?.messages ?? []).map(({ ruleId }) => ruleId);
  }

  it.each([
    ['a leftward import', 'src/eth/gwei.ts', "export * from '../client/http';"],
    ['an import of a neighbour', 'src/fees/levels.ts', "export * from '../ui/format';"],
    ['an import of dev', 'src/eth/gwei.ts', "export * from '../../dev/demo/print';"],
    ['config outside the app', 'src/handlers/grants.ts', "export * from '../config';"],
  ])('refuses %s', async (_name, path, text) => {
    expect(await lint(path, text)).toContain('import-x/no-restricted-paths');
  });

  it('refuses a circle of imports', async () => {
    const text = "export { toCaip2 } from './chain';";
    expect(await lint('src/eth/hex.ts', text)).toContain('import-x/no-cycle');
  });

  it.each([
    ['no-restricted-globals', 'src/eth/gwei.ts', 'export const x = snap;'],
    ['no-restricted-globals', 'src/client/http.ts', 'export const x = ethereum;'],
    ['no-restricted-globals', 'src/fees/levels.ts', 'export const x = setTimeout;'],
    ['no-restricted-globals', 'src/fees/levels.ts', 'export const x = process;'],
    ['no-console', 'src/app.ts', "console.log('x');"],
  ])('applies %s in %s', async (rule, path, text) => {
    expect(await lint(path, text)).toContain(rule);
  });

  it('lets the code as it is pass the same rules', async () => {
    expect(await lint('src/eth/gwei.ts', read('src/eth/gwei.ts'))).toEqual([]);
  });
});

describe('source files', () => {
  it('say at their beginning what they are for', () => {
    expect(sources.filter((path) => !/^\/\/ \S/u.test(read(path)))).toEqual([]);
  });
});

describe('signing methods', () => {
  it.each(methods.map(({ name }) => name))('has all its parts: %s', (name) => {
    expect(sources).toContain(join('src/methods', `${name}.ts`));
    expect(permissions.rpc).toHaveProperty(name);
    expect(readme).toContain(`| \`${name}\``);
  });
});

describe('permissions', () => {
  it('has a README row for every method of dapps', () => {
    const missing = Object.keys(permissions.rpc).filter(
      (name) => !readme.includes(`| \`${name}\``),
    );
    expect(missing).toEqual([]);
  });

  it('has a row for every keyring method that is answered, and for no other', () => {
    expect(Object.keys(permissions.keyring).sort()).toEqual([...keyringMethods].sort());
  });
});

describe('the manifest', () => {
  // What has to be in the code for a permission to be needed.
  const uses: Record<string, RegExp> = {
    'endowment:cronjob': /\bonCronjob\b/u,
    'endowment:ethereum-provider': /\bethereum\.request\(/u,
    'endowment:keyring': /\bonKeyringRequest\b/u,
    'endowment:lifecycle-hooks': /\bonStart\b/u,
    'endowment:network-access': /\bfetch\b/u,
    'endowment:page-home': /\bonHomePage\b/u,
    'endowment:rpc': /\bonRpcRequest\b/u,
    'endowment:signature-insight': /\bonSignature\b/u,
    'endowment:transaction-insight': /\bonTransaction\b/u,
    snap_dialog: /'snap_dialog'/u,
    snap_getEntropy: /'snap_getEntropy'/u,
    snap_getPreferences: /'snap_getPreferences'/u,
    snap_manageAccounts: /'snap_manageAccounts'/u,
    snap_manageState: /'snap_[gs]etState'/u,
    snap_notify: /'snap_notify'/u,
  };

  // Open to every snap.
  const free = [
    'snap_createInterface',
    'snap_getClientStatus',
    'snap_getFile',
    'snap_getInterfaceContext',
    'snap_getInterfaceState',
    'snap_resolveInterface',
    'snap_updateInterface',
  ];

  // Guarded by a permission of another name: snap_manageState, endowment:network-access,
  // endowment:cronjob.
  const byOthers = [
    'snap_getState',
    'snap_setState',
    'snap_openWebSocket',
    'snap_sendWebSocketMessage',
    'snap_closeWebSocket',
    'snap_getWebSockets',
    'snap_scheduleBackgroundEvent',
    'snap_getBackgroundEvents',
    'snap_cancelBackgroundEvent',
  ];

  it('asks for the permissions that are used, and for no other', () => {
    const used = Object.keys(uses).filter((name) => uses[name]?.test(allSource));
    expect(Object.keys(manifest.initialPermissions).sort()).toEqual(used.sort());
  });

  it('covers every platform method that is called', () => {
    const called = [...allSource.matchAll(/method: '(snap_\w+)'/gu)].map(
      ([, name]) => name,
    );
    const covered = [...free, ...Object.keys(uses), ...byOthers];
    expect(called.filter((name) => !covered.includes(name ?? ''))).toEqual([]);
  });

  it('lets no page use the keyring', () => {
    expect(manifest.initialPermissions['endowment:keyring']).toEqual({});
    expect(allSource).not.toContain('localhost:8000');
  });

  it('ships the contract and every text file, and has every text used', () => {
    expect(manifest.source.files).toEqual([...listFiles('locales/ui'), 'openrpc.json']);
    expect(manifest.source.locales).toEqual(listFiles('locales/manifest'));
    const texts = Object.keys(
      JSON.parse(read('locales/ui/en.json')) as Record<string, string>,
    );
    const unused = texts.filter(
      (key) => !new RegExp(`['"]${key}['"]`, 'u').test(allSource),
    );
    expect(unused).toEqual([]);
  });

  it('keeps the name of every registry out of the text', () => {
    const host = ['npmjs', 'org'].join('.');
    const files = [
      'snap.manifest.json',
      'package.json',
      'package-lock.json',
      'README.md',
    ];
    expect(files.filter((file) => read(file).includes(host))).toEqual([]);
  });
});
