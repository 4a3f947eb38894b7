// Builds the snap with mm-snap and keeps the manifest as it is kept here: no registry's
// host stands in the repository's text, so its dots are JSON escapes, which mm-snap undoes
// whenever it writes a new checksum.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const MANIFEST = 'snap.manifest.json';

/** What a build produced. */
export type Build = { isManifestChanged: boolean; output: string };

/**
 * Build the snap in the current folder.
 *
 * @throws {Error} With mm-snap's output, if it fails.
 */
export async function buildSnap(): Promise<Build> {
  const before = await readFile(MANIFEST, 'utf8');
  const output = await runMmSnap();
  const written = await readFile(MANIFEST, 'utf8');
  const after = escapeRegistry(written);
  // Left alone unless it has to change: checks read it meanwhile.
  if (after !== written) await writeFile(MANIFEST, after);
  return { isManifestChanged: before !== after, output };
}

/** Escape the dots of the registry's host, which JSON reads as dots again. */
export function escapeRegistry(manifest: string): string {
  return manifest.replace(/"registry": "[^"]*"/u, (line) =>
    line.replaceAll('.', '\\u002e'),
  );
}

async function runMmSnap(): Promise<string> {
  const cli = 'node_modules/@metamask/snaps-cli/dist/main.cjs';
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'build']);
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`mm-snap build failed:\n${stdout}${stderr}`, { cause: error });
  }
}
