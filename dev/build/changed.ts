// Runs a build only if its inputs or outputs have changed since the last complete run.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { hashFiles } from '../test/check';

export type Build = {
  /** Files and folders that the build reads. The lockfile stands for the installed packages. */
  inputs: readonly string[];
  written: readonly string[];
  /** Runs the build. Returns whether a manifest has changed. */
  build: () => Promise<boolean>;
};

/** Runs a build unless it is up to date. A build that changes a manifest writes no stamp, so the
 * next call repeats it. */
export async function buildIfChanged(
  stamp: string,
  { inputs, written, build }: Build,
): Promise<{ isBuilt: boolean; isManifestChanged: boolean }> {
  const before = await readFile(stamp, 'utf8').catch(() => '');
  const isBuilt = before === (await digest([...inputs, ...written]));
  const isManifestChanged = !isBuilt && (await build());
  await mkdir(dirname(stamp), { recursive: true });
  if (!isManifestChanged) await writeFile(stamp, await digest([...inputs, ...written]));
  return { isBuilt, isManifestChanged };
}

async function digest(paths: readonly string[]): Promise<string> {
  const { version } = process;
  const { TOLLKEEPER_COMPANION_ORIGIN: origin } = process.env;
  const files = await hashFiles(paths);
  return JSON.stringify({ version, origin, files });
}
