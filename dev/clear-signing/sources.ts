// Reads ERC-7730 descriptors from a checkout of the registry, or from the copy in micro-eth-signer.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { CLEARSIG_REPO_FULL } from 'micro-eth-signer/clearsig/repo-full.js';
import { ERCS, OURS } from 'micro-eth-signer/clearsig/repo.js';

export type Params = { nativeCurrencyAddress?: unknown; [name: string]: unknown };

export type Field = {
  path?: string;
  value?: unknown;
  params?: Params;
  visible?: unknown;
  fields?: Field[];
};

export type Format = {
  intent?: unknown;
  interpolatedIntent?: string;
  fields?: Field[];
};

/** Metadata that the engine reads directly or through paths such as `$.metadata.enums`. */
export const METADATA = [
  'owner',
  'contractName',
  'token',
  'constants',
  'enums',
  'maps',
] as const;

/** Every field is optional, because an included file can provide it. */
export type Source = {
  /** Location of the schema. Its file name contains the version of ERC-7730. */
  $schema?: string;
  includes?: string | string[];
  context?: {
    contract?: object;
    eip712?: { domain?: object; domainSeparator?: string };
  };
  metadata?: { owner?: string } & Partial<Record<(typeof METADATA)[number], unknown>>;
  display?: { definitions?: object; formats?: Record<string, Format> };
};

export type Sources = Record<string, Source>;

/** Returns the copy of the registry in micro-eth-signer. The package's own descriptors take
 * precedence. */
export function readPackage(): Sources {
  return { ...CLEARSIG_REPO_FULL, ...ERCS, ...OURS };
}

/** Reads a checkout of the registry, and adds micro-eth-signer's own descriptors. */
export async function readRegistry(folder: string): Promise<Sources> {
  const sources: Sources = {};
  for (const root of ['ercs', 'registry']) {
    for (const path of await listDescriptors(join(folder, root))) {
      const name = relative(folder, path).replaceAll('\\', '/');
      sources[name] = JSON.parse(await readFile(path, 'utf8')) as Source;
    }
  }
  return { ...sources, ...OURS };
}

async function listDescriptors(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/[/\\](?:tests|testsv2|sigs)[/\\]/u.test(path))
    .sort();
}
