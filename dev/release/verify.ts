// Compares a published package with a fresh build of this checkout, file by file.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { readPackage, runPack } from '../build/pack';

export type Verdict = {
  count: number;
  differences: string[];
};

/** `home` is the repository's URL in the published package. */
type BuildTarball = (published: {
  name: string;
  home: string | undefined;
}) => Promise<string>;

/** Unpacks both packages below `folder`, and compares them. `published` is a tarball, or a spec for
 * `npm pack` such as `tollkeeper-snap@1.2.3`. */
export async function verify(
  published: string,
  build: BuildTarball,
  folder: string,
): Promise<Verdict> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const tarball = await findTarball(published, folder);
  const theirs = await unpack(tarball, join(folder, 'published'));
  const { name, repository } = await readPackage(theirs).catch(() => {
    throw new Error(
      `${published} is not an npm package: it has no valid package.json.`,
    );
  });
  const home = repository?.url.replace(/^git\+|\.git$/gu, '');
  const ours = await unpack(await build({ name, home }), join(folder, 'built'));
  return compare(theirs, ours);
}

async function findTarball(published: string, folder: string): Promise<string> {
  if (/\.tgz$|^[./]/u.test(published)) {
    if (!existsSync(published)) throw new Error(`There is no file ${published}.`);
    return published;
  }
  const { filename } = await runPack([published, '--pack-destination', folder]).catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`npm cannot fetch ${published}:\n${stderr || stdout}`);
    },
  );
  return join(folder, filename);
}

export async function unpack(tarball: string, folder: string): Promise<string> {
  await mkdir(folder);
  const args = ['-xzf', resolve(tarball), '--strip-components=1'];
  await promisify(execFile)('tar', args, { cwd: folder }).catch(
    ({ stderr }: { stderr: string }) => {
      throw new Error(`${tarball} cannot be unpacked:\n${stderr}`);
    },
  );
  return folder;
}

async function compare(published: string, built: string): Promise<Verdict> {
  const [theirs, ours] = await Promise.all([readFiles(published), readFiles(built)]);
  const paths = [...new Set([...theirs.keys(), ...ours.keys()])].sort();
  const differences = paths.flatMap((path) => {
    const [left, right] = [theirs.get(path), ours.get(path)];
    if (left === undefined) return [`missing from the published package: ${path}`];
    if (right === undefined) return [`only in the published package: ${path}`];
    return left.equals(right) ? [] : [`different: ${path}`];
  });
  return { count: theirs.size, differences };
}

async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const contents = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const relative = path.slice(folder.length + 1).replaceAll('\\', '/');
      return [relative, await readFile(path)] as const;
    }),
  );
  return new Map(contents);
}
