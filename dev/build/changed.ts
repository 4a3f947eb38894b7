// Repeats a build only if its inputs or its output have changed, if it was interrupted,
// or if its output was deleted.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { hashFiles } from '../test/check';

export type Build = {
  /** Files and folders that it reads. The lockfile stands for the packages. */
  inputs: readonly string[];
  /** Files and folders that it writes. */
  written: readonly string[];
  /** Returns whether a manifest has changed. */
  build: () => Promise<boolean>;
};

/** Builds, unless the inputs and the output are the same as after the build that wrote the file
 * `stamp`. */
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
