// Compiles test contracts, which may import from packages, on a separate thread.
import { readFile } from 'node:fs/promises';

import type { Abi, Hex } from 'viem';

import { readSources, runCompiler } from '../../dev/stack/compile';

export type Compiled = { abi: Abi; bytecode: Hex; runtime: Hex };

const MAIN = 'main.sol';

/**
 * Compiles a source's contracts.
 *
 * @throws {Error} With the compiler's errors.
 */
export async function compile(source: string): Promise<Record<string, Compiled>> {
  const outputs = ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'];
  const input = {
    language: 'Solidity',
    sources: await readSources(MAIN, async (name) =>
      name === MAIN ? source : readFile(`node_modules/${name}`, 'utf8'),
    ),
    settings: {
      evmVersion: 'cancun',
      outputSelection: { [MAIN]: { '*': outputs } },
    },
  };
  const contracts = await runCompiler(JSON.stringify(input));
  return Object.fromEntries(
    Object.entries(contracts[MAIN] ?? {}).map(([name, { abi, evm }]) => [
      name,
      {
        abi,
        bytecode: `0x${evm.bytecode.object}`,
        runtime: `0x${evm.deployedBytecode.object}`,
      },
    ]),
  );
}
