// Checks builds, documentation and packages.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { checkManifest } from '@metamask/snaps-utils/node';

import { INSIGHT_SNAP } from '../build/build';
import { buildChanged, type outputs } from '../build/built';
import { buildElsewhere } from '../build/elsewhere';
import { libraries, moduleOf } from '../build/libraries';
import { installPacked, type Installed } from '../build/pack';
import { describeSize } from '../build/size';
import { generateFiles } from '../docs/generate';
import { findUnexplained } from '../docs/packages';
import { comparePackages } from '../release/verify-packages';
import { CACHE, check, type Outcome, runTool } from './check';

export async function checkBuild(): Promise<Outcome> {
  return checkOutput('build', ['dist/bundle.js', `${INSIGHT_SNAP}/dist/bundle.js`]);
}

/** The quick tests do not need the libraries. */
export async function checkLibraries(): Promise<Outcome> {
  return checkOutput('libraries', libraries.map(moduleOf));
}

async function checkOutput(
  name: keyof typeof outputs,
  weighed: readonly string[],
): Promise<Outcome> {
  return check(name, async (note) => {
    const { isBuilt, isManifestChanged } = await buildChanged(name);
    const sizes: string[] = [];
    for (const path of weighed) sizes.push(`${path} ${await describeSize(path)}`);
    note(`${isBuilt ? ' (unchanged)' : ''}, ${sizes.join('; ')}`);
    // MetaMask verifies the manifest's checksum, so the committed one must be right.
    return isManifestChanged
      ? ['The build changed a snap.manifest.json: commit it as it is now.']
      : [];
  });
}

/** Checks that a build in another folder gives the same bundle, that all bundled packages are
 * documented, and that bundled modules equal the published ones. Requires a build. */
export async function checkBundle(): Promise<Outcome> {
  return check('bundle', async (note) => {
    const { bundle, modules, shasum } = await buildElsewhere();
    const manifest = JSON.parse(await readFile('snap.manifest.json', 'utf8')) as {
      source: { shasum: string };
    };
    const { compared, differences } = await comparePackages(modules);
    note(`, ${compared} modules are as published`);
    const faults = [...findUnexplained([...modules.keys()]), ...differences];
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

/** Checks the packages as they would be published. Requires a build. */
export async function checkPackage(): Promise<Outcome> {
  return check('package', async () => {
    // MetaMask's checks find the version of the platform in the node_modules above this folder.
    await mkdir(CACHE, { recursive: true });
    const target = await mkdtemp(resolve(CACHE, 'package-'));
    try {
      const packed = await installPacked(join(target, 'plain'));
      const home = 'https://host.example/owner/tollkeeper';
      const withHome = await installPacked(join(target, 'named'), home);
      const faults = await Promise.all([
        runTool('node_modules/publint/src/cli.js', 'run', packed.tarball, '--strict'),
        // Resolvers that ignore `exports` cannot find the libraries.
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

async function findInManifest({ folder }: Installed): Promise<string[]> {
  const path = join(folder, 'snap.manifest.json');
  const { reports } = await checkManifest(path, { updateAndWriteManifest: false });
  return reports
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);
}
