// The builds that tests run on, made again only when something that they read has changed.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { checkManifest } from '@metamask/snaps-utils/node';

import {
  buildDevSnap,
  buildInsightSnap,
  buildSnap,
  INSIGHT_SNAP,
} from '../build/build';
import { buildElsewhere } from '../build/elsewhere';
import {
  buildLibraries,
  libraries,
  LIBRARY_SOURCES,
  moduleOf,
} from '../build/libraries';
import { installPacked, type Installed } from '../build/pack';
import { countShares } from '../build/shares';
import { describeSize } from '../build/size';
import { generateFiles } from '../docs/generate';
import { findUnexplained } from '../docs/tables';
import { DEV_SNAP } from '../wallet/options';
import { CACHE, hashFiles, type Outcome, report, runNode } from './check';

/** What the builds read; the packages are those of the lockfile. */
const SOURCES = [
  ...LIBRARY_SOURCES,
  'src',
  'images',
  'locales',
  'openrpc.json',
  'dev/wallet/options.ts',
  'dev/build',
  'dev/clear-signing',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'snap.config.ts',
  'snap.manifest.json',
];

/** A build: the folders and files that it writes, and those of them whose sizes are printed. */
type BuildCheck = {
  name: string;
  written: readonly string[];
  weighed: readonly string[];
  /** Resolves to whether a manifest has changed. */
  build: () => Promise<boolean>;
};

/** Builds the snaps and the development snap. */
export async function checkBuild(): Promise<Outcome> {
  const insightBundle = `${INSIGHT_SNAP}/dist/bundle.js`;
  return checkOutput({
    name: 'build',
    written: ['dist/bundle.js', 'dist/files', INSIGHT_SNAP, DEV_SNAP],
    weighed: ['dist/bundle.js', insightBundle],
    build: async () => {
      const builds = await Promise.all([
        // It starts from the manifest that the other one writes.
        buildSnap().then(async (keyring) => {
          await buildDevSnap();
          return keyring;
        }),
        buildInsightSnap(),
      ]);
      return builds.some(({ isManifestChanged }) => isManifestChanged);
    },
  });
}

/** Builds the libraries, which no quick test needs. */
export async function checkLibraries(): Promise<Outcome> {
  const modules = libraries.map(moduleOf);
  return checkOutput({
    name: 'libraries',
    written: modules.map((path) => dirname(path)),
    weighed: modules,
    build: async () => {
      await buildLibraries();
      return false;
    },
  });
}

async function checkOutput(check: BuildCheck): Promise<Outcome> {
  const { name, written, weighed, build } = check;
  const start = Date.now();
  const stamp = join(CACHE, name);
  try {
    const before = await readFile(stamp, 'utf8').catch(() => '');
    const isBuilt = before === (await digest(written));
    const isManifestChanged = !isBuilt && (await build());
    await mkdir(CACHE, { recursive: true });
    if (!isManifestChanged) await writeFile(stamp, await digest(written));
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    const sizes: string[] = [];
    for (const path of weighed) sizes.push(`${path} ${await describeSize(path)}`);
    return report({
      name,
      isPassed: !isManifestChanged,
      summary: `${seconds} s${isBuilt ? ' (unchanged)' : ''}, ${sizes.join('; ')}`,
      // The checksum in the manifest is what MetaMask verifies.
      details: 'The build changed a snap.manifest.json: commit it as it is now.',
    });
  } catch (error) {
    return report({ name, isPassed: false, summary: '', details: String(error) });
  }
}

async function digest(written: readonly string[]): Promise<string> {
  const { version } = process;
  const { TOLLKEEPER_COMPANION_ORIGIN: origin } = process.env;
  const files = await hashFiles([...SOURCES, ...written]);
  return JSON.stringify({ version, origin, files });
}

// The bundle as anybody can check it: built again elsewhere it is the same, byte by byte, and
// every package in it is explained.

/** Checks the bundle; the build must have run. */
export async function checkBundle(): Promise<Outcome> {
  return checkThat('bundle', async () => {
    const { bundle, map, shasum } = await buildElsewhere();
    const manifest = JSON.parse(await readFile('snap.manifest.json', 'utf8')) as {
      source: { shasum: string };
    };
    const isSame = bundle === (await readFile('dist/bundle.js', 'utf8'));
    return [
      ...(isSame ? [] : ['Built in another folder, the bundle is another one.']),
      ...(shasum === manifest.source.shasum
        ? []
        : [`Built in another folder, the checksum is ${shasum}.`]),
      ...findUnexplained(countShares(bundle, map)),
    ];
  });
}

/** Checks that the generated documentation is what `npm run docs` writes today. */
export async function checkDocs(): Promise<Outcome> {
  return checkThat('docs', async () => {
    const stale: string[] = [];
    for (const [path, text] of await generateFiles()) {
      if ((await readFile(path, 'utf8')) !== text) {
        stale.push(`Run npm run docs and commit ${path}.`);
      }
    }
    return stale;
  });
}

/** Checks that the site builds: docstrings without warnings of TypeDoc, no dead links. */
export async function checkSite(): Promise<Outcome> {
  return checkThat('site', async () => [
    ...(await findWithTool([
      'node_modules/typedoc/bin/typedoc',
      '--options',
      'docs/typedoc.json',
    ])),
    ...(await findWithTool([
      'node_modules/vitepress/bin/vitepress.js',
      'build',
      'docs',
    ])),
  ]);
}

/**
 * Checks what `npm publish` would send: complete, and importable with its types. The build must
 * have run.
 */
export async function checkPackage(): Promise<Outcome> {
  return checkThat('package', async () => {
    // Below our own packages: the manifest's version of the platform is looked up there.
    await mkdir(CACHE, { recursive: true });
    const target = await mkdtemp(resolve(CACHE, 'package-'));
    try {
      const packed = await installPacked(join(target, 'plain'));
      const home = 'https://host.example/owner/tollkeeper';
      const withHome = await installPacked(join(target, 'named'), home);
      const faults = await Promise.all([
        findWithTool([
          'node_modules/publint/src/cli.js',
          'run',
          packed.tarball,
          '--strict',
        ]),
        // What sees no `exports` cannot see the libraries.
        findWithTool([
          'node_modules/@arethetypeswrong/cli/dist/index.js',
          packed.tarball,
          '--profile',
          'node16',
          '--no-emoji',
          '--no-color',
          '--exclude-entrypoints',
          './package.json',
        ]),
        findInManifest(packed),
        findInManifest(withHome),
      ]);
      return faults.flat();
    } finally {
      await rm(target, { recursive: true, force: true });
    }
  });
}

/** Reports a check that lists what is wrong; one that throws has failed. */
async function checkThat(
  name: string,
  findFaults: () => Promise<string[]>,
): Promise<Outcome> {
  const start = Date.now();
  const faults = await findFaults().catch((error: unknown) => [String(error)]);
  const summary = `${((Date.now() - start) / 1000).toFixed(1)} s`;
  const isPassed = faults.length === 0;
  return report({ name, isPassed, summary, details: faults.join('\n') });
}

async function findWithTool(args: string[]): Promise<string[]> {
  const { code, output } = await runNode(args);
  return code === 0 ? [] : [output];
}

// In the package: every file that the manifest names must be among those that are sent.
async function findInManifest({ folder }: Installed): Promise<string[]> {
  const path = join(folder, 'snap.manifest.json');
  const { reports } = await checkManifest(path, { updateAndWriteManifest: false });
  return reports
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);
}
