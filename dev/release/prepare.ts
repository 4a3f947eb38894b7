// Builds the packages of the current version into dist/release, with checksums and release notes.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { findHome, packPackage, PACKAGES, readPackage } from '../build/pack';
import { buildRelease } from './build';

const FOLDER = 'dist/release';

const { version } = await readPackage('.');
const notes = await readNotes(version);
await buildRelease();
await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
for (const root of PACKAGES) {
  const { tarball, files } = await packPackage(FOLDER, { home: findHome(), root });
  const checksum = createHash('sha512')
    .update(await readFile(tarball))
    .digest('hex');
  await writeFile(`${tarball}.sha512`, `${checksum}  ${basename(tarball)}\n`);
  process.stdout.write(`${tarball}: ${files.length} files, SHA-512 ${checksum}\n`);
}
await writeFile(`${FOLDER}/notes.md`, notes);

async function readNotes(release: string): Promise<string> {
  const sections = (await readFile('CHANGELOG.md', 'utf8')).split(/^## /mu);
  const section = sections.find((text) => text.startsWith(`${release}\n`));
  if (section === undefined) {
    throw new Error(`CHANGELOG.md has no section "## ${release}".`);
  }
  return `${section.slice(release.length).trim()}\n`;
}
