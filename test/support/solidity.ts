// Compiling contracts for tests, on a thread of its own, with what they import from packages.
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { Worker } from 'node:worker_threads';

import type { Abi, Hex } from 'viem';

/** A contract that can be deployed. */
export type Compiled = { abi: Abi; bytecode: Hex; runtime: Hex };

type Sources = Record<string, { content: string }>;

type Output = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { abi: Abi; evm: Evm }>>;
};

type Evm = { bytecode: { object: string }; deployedBytecode: { object: string } };

const MAIN = 'main.sol';

/**
 * Compiles the contracts of a source.
 *
 * @throws {Error} What the compiler says.
 */
export async function compile(source: string): Promise<Record<string, Compiled>> {
  const sources: Sources = {};
  await collect(MAIN, source, sources);
  const output = await run({
    language: 'Solidity',
    sources,
    settings: {
      evmVersion: 'cancun',
      outputSelection: {
        [MAIN]: {
          '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'],
        },
      },
    },
  });
  const [failure] = (output.errors ?? []).filter(
    ({ severity }) => severity === 'error',
  );
  if (failure) throw new Error(failure.formattedMessage);
  return Object.fromEntries(
    Object.entries(output.contracts[MAIN] ?? {}).map(([name, { abi, evm }]) => [
      name,
      {
        abi,
        bytecode: `0x${evm.bytecode.object}`,
        runtime: `0x${evm.deployedBytecode.object}`,
      },
    ]),
  );
}

async function collect(path: string, content: string, sources: Sources): Promise<void> {
  sources[path] = { content };
  for (const [, name = ''] of content.matchAll(
    /^\s*import [^;]*?["']([^"']+)["'];/gmu,
  )) {
    const imported = name.startsWith('.')
      ? posix.join(posix.dirname(path), name)
      : name;
    if (imported in sources) continue;
    await collect(
      imported,
      await readFile(`node_modules/${imported}`, 'utf8'),
      sources,
    );
  }
}

async function run(input: object): Promise<Output> {
  const worker = new Worker('./dev/stack/solc-worker.mjs', {
    workerData: JSON.stringify(input),
    execArgv: [],
  });
  try {
    const text = await new Promise<string>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    return JSON.parse(text) as Output;
  } finally {
    await worker.terminate();
  }
}
