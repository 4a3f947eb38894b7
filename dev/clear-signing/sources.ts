// Reads ERC-7730 descriptors from the copy of the registry in micro-eth-signer, or from a checkout.
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

/** Metadata that the engine reads, or that paths such as `$.metadata.enums` refer to. */
export const METADATA = [
  'owner',
  'contractName',
  'token',
  'constants',
  'enums',
  'maps',
] as const;

/** A descriptor file. Every field is optional, because an included file can supply it. */
export type Source = {
  /** Location of the schema; its file name contains the version. */
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

/** Returns the package's copy of the registry. The package's own descriptors take precedence. */
export function readPackage(): Sources {
  return { ...CLEARSIG_REPO_FULL, ...ERCS, ...OURS };
}

/** Reads a checkout of the registry, and adds the package's own descriptors. */
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
