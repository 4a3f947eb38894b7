// Checks of builds, documentation and packages. Builds are repeated only after a change.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { checkManifest } from '@metamask/snaps-utils/node';

import {
  buildDevSnap,
  buildInsightSnap,
  buildSnap,
  INSIGHT_SNAP,
  SOURCES,
} from '../build/build';
import { buildElsewhere } from '../build/elsewhere';
import {
  buildLibraries,
  libraries,
  LIBRARY_SOURCES,
  moduleOf,
} from '../build/libraries';
import { installPacked, type Installed } from '../build/pack';
import { describeSize } from '../build/size';
import sizes from '../build/sizes.json' with { type: 'json' };
import { generateFiles } from '../docs/generate';
import { findUnexplained, measurePackages } from '../docs/packages';
import { comparePackages } from '../release/verify-packages';
import { DEV_SNAP } from '../wallet/options';
import { CACHE, check, hashFiles, type Outcome, runTool } from './check';

/** What the builds read; the lockfile covers the packages. */
const INPUTS = [
  ...SOURCES,
  ...LIBRARY_SOURCES,
  'dev/wallet/options.ts',
  'dev/build',
  'dev/clear-signing',
];

export async function checkBuild(): Promise<Outcome> {
  const weighed = ['dist/bundle.js', `${INSIGHT_SNAP}/dist/bundle.js`];
  const written = ['dist/bundle.js', 'dist/files', INSIGHT_SNAP, DEV_SNAP];
  return checkOutput('build', { written, weighed }, async () => {
    const builds = await Promise.all([
      // The development snap starts from the manifest that the other build writes.
      buildSnap().then(async (isChanged) => {
        await buildDevSnap();
        return isChanged;
      }),
      buildInsightSnap(),
    ]);
    return builds.includes(true);
  });
}

/** Builds the libraries, which no quick test needs. */
export async function checkLibraries(): Promise<Outcome> {
  const weighed = libraries.map(moduleOf);
  const written = weighed.map((path) => dirname(path));
  return checkOutput('libraries', { written, weighed }, async () => {
    await buildLibraries();
    return false;
  });
}

/** Builds unless neither the sources nor the output have changed, and prints the size of the files
 * to weigh. `build` returns whether a manifest has changed. */
async function checkOutput(
  name: string,
  { written, weighed }: Record<'written' | 'weighed', readonly string[]>,
  build: () => Promise<boolean>,
): Promise<Outcome> {
  return check(name, async (note) => {
    const stamp = join(CACHE, name);
    const before = await readFile(stamp, 'utf8').catch(() => '');
    const isBuilt = before === (await digest(written));
    const isManifestChanged = !isBuilt && (await build());
    await mkdir(CACHE, { recursive: true });
    if (!isManifestChanged) await writeFile(stamp, await digest(written));
    const sizes: string[] = [];
    for (const path of weighed) sizes.push(`${path} ${await describeSize(path)}`);
    note(`${isBuilt ? ' (unchanged)' : ''}, ${sizes.join('; ')}`);
    // MetaMask verifies the checksum in the manifest.
    return isManifestChanged
      ? ['The build changed a snap.manifest.json: commit it as it is now.']
      : [];
  });
}

async function digest(written: readonly string[]): Promise<string> {
  const { version } = process;
  const { TOLLKEEPER_COMPANION_ORIGIN: origin } = process.env;
  const files = await hashFiles([...INPUTS, ...written]);
  return JSON.stringify({ version, origin, files });
}

/** Checks that a build elsewhere gives the same bundle, of explained packages whose modules are the
 * published ones. Needs a build. */
export async function checkBundle(): Promise<Outcome> {
  return check('bundle', async (note) => {
    const { bundle, modules, shasum } = await buildElsewhere();
    const manifest = JSON.parse(await readFile('snap.manifest.json', 'utf8')) as {
      source: { shasum: string };
    };
    const { compared, differences } = await comparePackages(modules);
    note(`, ${compared} modules are as published`);
    const faults = [...findUnexplained([...modules.keys()]), ...differences];
    if (JSON.stringify(measurePackages(modules)) !== JSON.stringify(sizes)) {
      faults.push('Run npm run verify:packages and commit dev/build/sizes.json.');
    }
    if (bundle !== (await readFile('dist/bundle.js', 'utf8'))) {
      faults.push('A build in another folder gives a different bundle.');
    }
    if (shasum !== manifest.source.shasum) {
      faults.push(`Built in another folder, the checksum is ${shasum}.`);
    }
    return faults;
  });
}

export async function checkDocs(): Promise<Outcome> {
  return check('docs', async () => {
    const stale: string[] = [];
    for (const [path, text] of await generateFiles()) {
      if ((await readFile(path, 'utf8')) !== text) {
        stale.push(`Run npm run docs and commit ${path}.`);
      }
    }
    return stale;
  });
}

/** Checks that the site builds, without warnings of TypeDoc and without dead links. */
export async function checkSite(): Promise<Outcome> {
  return check('site', async () => [
    ...(await runTool(
      'node_modules/typedoc/bin/typedoc',
      '--options',
      'docs/typedoc.json',
    )),
    ...(await runTool('node_modules/vitepress/bin/vitepress.js', 'build', 'docs')),
  ]);
}

/** Checks that what `npm publish` would send is complete, with types. The build must have run. */
export async function checkPackage(): Promise<Outcome> {
  return check('package', async () => {
    // Below node_modules, where the manifest's version of the platform is looked up.
    await mkdir(CACHE, { recursive: true });
    const target = await mkdtemp(resolve(CACHE, 'package-'));
    try {
      const packed = await installPacked(join(target, 'plain'));
      const home = 'https://host.example/owner/tollkeeper';
      const withHome = await installPacked(join(target, 'named'), home);
      const faults = await Promise.all([
        runTool('node_modules/publint/src/cli.js', 'run', packed.tarball, '--strict'),
        // Resolvers without `exports` do not find the libraries.
        runTool(
          'node_modules/@arethetypeswrong/cli/dist/index.js',
          packed.tarball,
          '--profile',
          'node16',
          '--no-emoji',
          '--no-color',
          '--exclude-entrypoints',
          './package.json',
        ),
        findInManifest(packed),
        findInManifest(withHome),
      ]);
      return faults.flat();
    } finally {
      await rm(target, { recursive: true, force: true });
    }
  });
}

// The package must have every file that its manifest names.
async function findInManifest({ folder }: Installed): Promise<string[]> {
  const path = join(folder, 'snap.manifest.json');
  const { reports } = await checkManifest(path, { updateAndWriteManifest: false });
  return reports
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);
}
