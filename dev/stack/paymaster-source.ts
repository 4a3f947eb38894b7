// No package holds a VerifyingPaymaster for EntryPoint 0.8, and the compiled one of 0.7
// refuses that EntryPoint. So the sample of 0.7 is compiled against the core of 0.8;
// this file gathers the compiler's input.
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

import { findPackageFolder, getPackageFolder } from './artifacts';

/** Where the compiler finds the sample, and its output. */
export const paymasterSource =
  '@account-abstraction/contracts/samples/VerifyingPaymaster.sol';

const importPattern = /^\s*import\s[^;]*?"([^"]+)"\s*;/gmu;

/**
 * Gather the sources of the paymaster for EntryPoint 0.8.
 *
 * @returns The input of solc, as JSON.
 * @throws {Error} If a source is missing or the sample is not the one we know.
 */
export async function fetchCompilerInput(): Promise<string> {
  const sources: Record<string, { content: string }> = {};
  const queue = [paymasterSource];
  for (const name of queue) {
    if (name in sources) continue;
    const content = await fetchSource(name);
    sources[name] = { content };
    for (const [, path = ''] of content.matchAll(importPattern)) {
      queue.push(path.startsWith('.') ? posix.join(posix.dirname(name), path) : path);
    }
  }
  return JSON.stringify({
    language: 'Solidity',
    sources,
    settings: {
      optimizer: { enabled: true, runs: 1_000 },
      // Without the hash of the sources, so that the address follows from the code alone.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { [paymasterSource]: { '*': ['evm.bytecode.object'] } },
    },
  });
}

async function fetchSource(name: string): Promise<string> {
  if (name === paymasterSource) return fetchSample();
  const core = getPackageFolder('0.8');
  const [scope = '', packageName = '', ...path] = name.split('/');
  const folder =
    scope === '@account-abstraction'
      ? core
      : findPackageFolder(`${scope}/${packageName}`, join(core, 'package.json'));
  return readFile(join(folder, ...path), 'utf8');
}

async function fetchSample(): Promise<string> {
  const file = join(getPackageFolder('0.7'), 'samples', 'VerifyingPaymaster.sol');
  const sample = await readFile(file, 'utf8');
  // The one thing of 0.7 that 0.8 does not have any more.
  const edited = sample.replace('userOp.getSender()', 'userOp.sender');
  if (edited === sample) throw new Error(`${file} is not the sample that we know.`);
  return edited;
}
