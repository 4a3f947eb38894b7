// npm run verify -- tollkeeper-snap-0.1.0.tgz, or npm run verify -- tollkeeper-snap@0.1.0
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { readArgs, refuse } from '../args';
import { packPackage, PACKAGES, readPackage } from '../build/pack';
import { buildRelease } from './build';
import { verify } from './verify';

/** Both unpacked packages stay in this folder for inspection. */
const FOLDER = 'dist/verify';

const [published, ...others] = readArgs(
  `npm run verify -- TARBALL, or npm run verify -- tollkeeper-snap@0.1.0

Builds this checkout and compares it with a published package, given as a file or version.`,
  {},
  (name) => name.includes('@') || existsSync(name),
).names;
if (published === undefined || others.length > 0) {
  refuse('Give a tarball or a version.');
}
try {
  const { count, differences } = await verify(published, build, FOLDER);
  const lines =
    differences.length === 0
      ? [`This checkout builds the same package (${count} files).`]
      : [...differences, `Compare ${FOLDER}/published with ${FOLDER}/built.`];
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = differences.length === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function build({
  name,
  home,
}: {
  name: string;
  home: string | undefined;
}): Promise<string> {
  process.stdout.write(`Repository named in the package: ${home ?? 'none'}\n`);
  await buildRelease();
  const target = join(FOLDER, 'packed');
  await mkdir(target);
  return (await packPackage(target, { home, root: await findRoot(name) })).tarball;
}

async function findRoot(name: string): Promise<string> {
  for (const root of PACKAGES) if ((await readPackage(root)).name === name) return root;
  throw new Error(`This checkout has no package ${name}.`);
}
