// npm run release:check: builds the packages of the next release, checks them against the
// requirements of MetaMask's registry of snaps, and prints the manual steps.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';

import { readArgs } from '../args';
import { INSIGHT_SNAP } from '../build/build';
import { findHome, packPackage, PACKAGES, readPackage } from '../build/pack';
import { buildRelease } from './build';
import { SCREENSHOTS, toRegistryEntry } from './registry-entry';

const FOLDER = 'dist/release';

const WIDTH = 960;
const HEIGHT = 540;

const NO_HOME = 'https://repository.invalid/owner/name';

readArgs(`npm run release:check

Builds the packages of the next release in dist/release, checks what MetaMask's registry of snaps
requires, and prints the manual steps. It sends nothing.`);

const home = findHome();
const problems: string[] = [];
const checksums = new Map<string, string>();

await buildRelease();
await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
for (const root of PACKAGES) {
  const { tarball } = await packPackage(FOLDER, { home: home ?? NO_HOME, root });
  const checksum = readChecksum(tarball);
  checksums.set(root, checksum);
  process.stdout.write(`${tarball}: checksum ${checksum}\n`);
  const bundle = await readFile(`${root}/dist/bundle.js`, 'utf8');
  if (/\bconsole\b/u.test(bundle)) {
    problems.push(`${root}/dist/bundle.js uses console.`);
  }
}
for (const file of SCREENSHOTS) {
  await checkScreenshot(`${INSIGHT_SNAP}/screenshots/${file}`);
}
const { name, version } = await readPackage(INSIGHT_SNAP);
const checksum = checksums.get(INSIGHT_SNAP) ?? '';
const entry = toRegistryEntry({ name, version, checksum, home: home ?? NO_HOME });
await writeFile(`${FOLDER}/registry-entry.json`, `${JSON.stringify(entry, null, 2)}\n`);
process.stdout.write(`${FOLDER}/registry-entry.json: valid\n`);

for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else {
  process.stdout.write(`\nReady. Remaining manual steps:\n${listSteps().join('\n')}\n`);
}

// The checksum of the packed manifest differs, because it contains the repository's URL.
function readChecksum(tarball: string): string {
  const args = ['-xzOf', tarball, 'package/snap.manifest.json'];
  const manifest = JSON.parse(execFileSync('tar', args, { encoding: 'utf8' })) as {
    source: { shasum: string };
  };
  return manifest.source.shasum;
}

// In a PNG, bytes 16 to 23 are the width and the height.
async function checkScreenshot(path: string): Promise<void> {
  const bytes = await readFile(path).catch(() => undefined);
  const isRight =
    bytes?.readUInt32BE(16) === WIDTH && bytes.readUInt32BE(20) === HEIGHT;
  if (isRight) process.stdout.write(`${path}: ${WIDTH}×${HEIGHT}\n`);
  else problems.push(`${path} must be a PNG of ${WIDTH}×${HEIGHT} pixels.`);
}

function listSteps(): string[] {
  return [
    home === undefined &&
      `Run this with GITHUB_SERVER_URL and GITHUB_REPOSITORY set: the entry names ${NO_HOME} so far.`,
    'Merge the pull request "chore: release", and approve the job that publishes.',
    `Compare the checksum of the published ${name}@${version} with that of the entry: npm run verify -- ${name}@${version}`,
    `Open a pull request at MetaMask/snaps-registry with ${FOLDER}/registry-entry.json in src/registry.json, and the pictures of ${INSIGHT_SNAP}/screenshots in src/images/tollkeeper-insight.`,
    'Answer the questions of the review, and send the audit report if one is asked for.',
  ]
    .filter((step) => step !== false)
    .map((step, index) => `${index + 1}. ${step}`);
}
