// Reads what the npm packages of ERC-4337 hold: compiled contracts and sources. They are
// read from disk and not imported, since only the bytecode of 700 KB of JSON is wanted.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { pattern, string, type } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import type { Hex } from 'viem';

/** A version of the EntryPoint, as the snap names it. */
export type EntryPointVersion = '0.6' | '0.7' | '0.8';

const CodeStruct = pattern(string(), /^0x(?:[\da-f]{2})+$/);
const ArtifactStruct = type({ bytecode: CodeStruct, deployedBytecode: CodeStruct });

/**
 * Find the folder of the contracts package of a version.
 *
 * @param version - Version of the EntryPoint.
 * @returns Absolute path.
 */
export function getPackageFolder(version: EntryPointVersion): string {
  return findPackageFolder(
    `@account-abstraction/contracts-${version}`,
    import.meta.url,
  );
}

/**
 * Find an installed package as a module would see it.
 *
 * @param name - Name of the package.
 * @param from - Path or URL of the module that wants it.
 * @returns Absolute path of its folder.
 * @throws {Error} If it is not installed.
 */
export function findPackageFolder(name: string, from: string): string {
  return dirname(createRequire(from).resolve(`${name}/package.json`));
}

/**
 * Read the creation code of a contract.
 *
 * @param version - Version of the EntryPoint it belongs to.
 * @param contract - Name of the contract.
 * @returns The code without constructor arguments.
 * @throws {Error} If the package has no such artifact.
 */
export async function fetchBytecode(
  version: EntryPointVersion,
  contract: string,
): Promise<Hex> {
  return (await fetchArtifact(version, contract)).bytecode as Hex;
}

/**
 * Read the code that a contract has when it is deployed.
 *
 * @param version - Version of the EntryPoint it belongs to.
 * @param contract - Name of the contract.
 * @returns The code; what a constructor would have put into it is zero.
 * @throws {Error} If the package has no such artifact.
 */
export async function fetchRuntimeCode(
  version: EntryPointVersion,
  contract: string,
): Promise<Hex> {
  return (await fetchArtifact(version, contract)).deployedBytecode as Hex;
}

async function fetchArtifact(
  version: EntryPointVersion,
  contract: string,
): Promise<Infer<typeof ArtifactStruct>> {
  const file = join(getPackageFolder(version), 'artifacts', `${contract}.json`);
  return ArtifactStruct.create(JSON.parse(await readFile(file, 'utf8')));
}
