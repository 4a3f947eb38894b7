// npm run verify: what was published, compared with what was built. The build itself is what
// the "build" and "bundle" checks make twice.
import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { packPackage } from '../../dev/build/pack';
import { unpack, verify, type Verdict } from '../../dev/release/verify';
import { runNode } from '../../dev/test/check';

const HOME = 'https://host.example/owner/tollkeeper';

let folder: string;
let published: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollkeeper-verify-'));
  published = (await packPackage(folder)).tarball;
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

/** Compares with a package of the existing build. */
async function compare(name: string): Promise<Verdict> {
  const target = await mkdtemp(join(folder, 'packed-'));
  const build = async ({ home }: { home: string | undefined }): Promise<string> =>
    (await packPackage(target, { home })).tarball;
  return verify(name, build, join(folder, 'compared'));
}

/** Packs the published package again, with changes to its files. */
async function tamper(change: (root: string) => Promise<void>): Promise<string> {
  const parent = await mkdtemp(join(folder, 'tampered-'));
  await change(await unpack(published, join(parent, 'package')));
  const tarball = join(parent, 'tampered.tgz');
  await promisify(execFile)('tar', ['-czf', tarball, '-C', parent, 'package']);
  return tarball;
}

it('passes the same package', async () => {
  const { count, differences } = await compare(published);
  expect(differences).toEqual([]);
  expect(count).toBeGreaterThan(40);
});

it('passes a package that names its repository', async () => {
  const target = await mkdtemp(join(folder, 'home-'));
  const { tarball } = await packPackage(target, { home: HOME });
  expect(await compare(tarball)).toMatchObject({ differences: [] });
});

it.each<[string, (root: string) => Promise<void>, string]>([
  [
    'one more byte in the bundle',
    async (root) => appendFile(join(root, 'dist/bundle.js'), ' '),
    'different: dist/bundle.js',
  ],
  [
    'one more file',
    async (root) => writeFile(join(root, 'dist/client/extra.js'), ''),
    'only in the published package: dist/client/extra.js',
  ],
  [
    'a missing file',
    async (root) => rm(join(root, 'locales/manifest/de.json')),
    'missing from the published package: locales/manifest/de.json',
  ],
])('names %s', async (_, change, line) => {
  const { differences } = await compare(await tamper(change));
  expect(differences).toEqual([line]);
});

it('refuses a file that is no package', async () => {
  const text = join(folder, 'text.tgz');
  await writeFile(text, 'no archive');
  await expect(compare(text)).rejects.toThrow(`${text} cannot be unpacked`);
  const other = await tamper(async (root) => rm(join(root, 'package.json')));
  await expect(compare(other)).rejects.toThrow('it has no valid package.json');
});

it.each([
  [[], 'Name a tarball or a version'],
  [['missing.tgz'], 'There is no file missing.tgz.'],
])('fails the command for %j', async (args, message) => {
  const script = ['node_modules/tsx/dist/cli.mjs', 'dev/release/verify-main.ts'];
  const { code, output } = await runNode([...script, ...args]);
  expect(code).toBe(1);
  expect(output).toContain(message);
});
