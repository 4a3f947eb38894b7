// Writes the compressed files that ship with a bundle.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { deflateSync } from 'fflate';

import { PROXIES_FILE } from '../../src/accounts/repository';
import { SHIPPED, toShippedPath } from '../../src/platform/shared-edges';
import {
  bindSources,
  FOLDER as CLEAR_SIGNING,
  packFiles,
} from '../clear-signing/build';
import type { Sources } from '../clear-signing/sources';

const TEXTS = 'locales/ui';

const ENGLISH = `${TEXTS}/en.json`;

/** Files for the keyring snap only: the result of `rpc.discover`, and the code of accounts. */
export const KEYRING_FILES = ['openrpc.json', PROXIES_FILE];

/** Writes the shipped files next to a manifest in the folder `root`, and removes obsolete ones.
 * Returns the paths for `source.files` of the manifest. */
export async function writeShipped(
  root: string,
  sources: Sources,
  others: readonly string[],
): Promise<string[]> {
  const texts = await readdir(TEXTS);
  const paths = [...texts.map((name) => `${TEXTS}/${name}`), ...others];
  const copied = await Promise.all(
    paths.map(async (path) => [path, await readCompact(path)] as const),
  );
  const descriptors = [...packFiles(bindSources(sources).bound)].map(
    ([name, text]) => [`${CLEAR_SIGNING}/${name}`, text] as const,
  );
  const files = new Map(
    [...copied, ...descriptors].map(([path, text]) => [
      toShippedPath(path),
      compress(text),
    ]),
  );
  await removeOthers(root, files);
  for (const [path, bytes] of files) await writeChanged(join(root, path), bytes);
  return [...files.keys()].sort();
}

/** Compresses a text. Unlike zlib, fflate gives the same bytes on every machine. */
export function compress(text: string): Uint8Array {
  return deflateSync(new TextEncoder().encode(text), { level: 9 });
}

async function readCompact(path: string): Promise<string> {
  const document = await readObject(path);
  if (dirname(path) !== TEXTS || path === ENGLISH) return JSON.stringify(document);
  // To save space, other languages store only the texts, in the order of the English keys.
  const keys = Object.keys(await readObject(ENGLISH));
  return JSON.stringify(keys.map((key) => document[key]));
}

async function readObject(path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
}

async function removeOthers(root: string, files: ReadonlyMap<string, unknown>) {
  await mkdir(join(root, SHIPPED), { recursive: true });
  const found = await readdir(join(root, SHIPPED), {
    recursive: true,
    withFileTypes: true,
  });
  for (const entry of found.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if (!files.has(relative(root, path))) await rm(path);
  }
}

// Tests may be reading the file, so it is written only if it changes.
async function writeChanged(path: string, bytes: Uint8Array): Promise<void> {
  const before = await readFile(path).catch(() => undefined);
  if (before?.equals(bytes)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}
