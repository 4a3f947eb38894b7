// Files by their contents.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Hashes files, and those of folders but for `node_modules`.
 *
 * @returns A hash by path, in the order of the paths; files that are missing are left out.
 */
export async function hashFiles(
  paths: readonly string[],
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  const add = async (path: string): Promise<void> => {
    const entries = await readdir(path).catch(() => undefined);
    for (const entry of entries?.sort() ?? []) {
      if (entry !== 'node_modules') await add(join(path, entry));
    }
    const content = entries ? undefined : await readFile(path).catch(() => undefined);
    if (content) hashes[path] = createHash('sha256').update(content).digest('hex');
  };
  for (const path of paths) await add(path);
  return hashes;
}
