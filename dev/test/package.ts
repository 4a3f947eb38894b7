// The package as it would be published: complete, and importable with its types.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { checkManifest } from '@metamask/snaps-utils/node';

import { installPacked } from '../build/pack';
import type { Packed } from '../build/pack';
import { CACHE, report, runNode } from './check';
import type { Outcome } from './check';

/** Check what `npm publish` would send; the build must have run. */
export async function checkPackage(): Promise<Outcome> {
  const start = Date.now();
  const details = await findFaults();
  const summary = `${((Date.now() - start) / 1000).toFixed(1)} s`;
  return report({ name: 'package', isPassed: details === '', summary, details });
}

async function findFaults(): Promise<string> {
  // Below our own packages: the manifest's version of the platform is looked up there.
  await mkdir(CACHE, { recursive: true });
  const target = await mkdtemp(resolve(CACHE, 'package-'));
  try {
    const packed = await installPacked(target);
    const faults = await Promise.all([
      findWithTool('node_modules/publint/src/cli.js', [
        'run',
        packed.tarball,
        '--strict',
      ]),
      // Only ES modules are published; what sees no `exports` cannot see the client.
      findWithTool('node_modules/@arethetypeswrong/cli/dist/index.js', [
        ...[packed.tarball, '--profile', 'esm-only', '--no-emoji', '--no-color'],
        ...['--exclude-entrypoints', './package.json'],
      ]),
      findInManifest(packed),
    ]);
    return faults.filter((text) => text !== '').join('\n');
  } catch (error) {
    return String(error);
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

async function findWithTool(script: string, args: string[]): Promise<string> {
  const { code, output } = await runNode([script, ...args]);
  return code === 0 ? '' : output;
}

// In the package: every file that the manifest names must be among those that are sent.
async function findInManifest({ folder }: Packed): Promise<string> {
  const path = join(folder, 'snap.manifest.json');
  try {
    const { reports } = await checkManifest(path, { updateAndWriteManifest: false });
    return reports
      .filter(({ severity }) => severity === 'error')
      .map(({ message }) => message)
      .join('\n');
  } catch (error) {
    return String(error);
  }
}
