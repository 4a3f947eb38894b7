// Compiles contracts whose bytecode is not in any package. Compiling takes seconds, so the result
// is cached under a hash of the compiler and its input.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import { type Abi, type Hex, isHex } from 'viem';

export type Compilation = {
  source: string;
  contract: string;
  /** Reads a source file by its name in import statements. */
  readSource: (name: string) => Promise<string>;
};

const importPattern = /^\s*import\s[^;]*?["']([^"']+)["']\s*;/gmu;

const cacheFolder = fileURLToPath(
  new URL('../../node_modules/.cache/tollkeeper/', import.meta.url),
);

type Compiled = {
  abi: Abi;
  evm: { bytecode: { object: string }; deployedBytecode: { object: string } };
};

type Output = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, Compiled>>;
};

/** Resolves a package like an import in the module `from`. Throws if it is not installed. */
export function findPackageFolder(name: string, from: string): string {
  return dirname(createRequire(from).resolve(`${name}/package.json`));
}

/** Returns a contract's creation code, compiled or cached. Throws the compiler's errors. */
export async function fetchCompiled(compilation: Compilation): Promise<Hex> {
  const { source, contract, readSource } = compilation;
  const input = JSON.stringify({
    language: 'Solidity',
    sources: await readSources(source, readSource),
    settings: {
      optimizer: { enabled: true, runs: 1_000 },
      // The contract's address must depend only on the code.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { [source]: { [contract]: ['evm.bytecode.object'] } },
    },
  });
  const solc = findPackageFolder('solc', import.meta.url);
  const compiler = await readFile(join(solc, 'package.json'), 'utf8');
  const key = createHash('sha256').update(compiler).update(input).digest('hex');
  const file = join(cacheFolder, `${contract}-${key}.txt`);
  const cached = await readFile(file, 'utf8').catch(() => undefined);
  if (isHex(cached) && cached.length > 2) return cached;
  const contracts = await runCompiler(input);
  const code = contracts[source]?.[contract]?.evm.bytecode.object;
  if (!code) throw new Error(`${source} has no contract ${contract}.`);
  // Stacks in several processes may start at the same time.
  await mkdir(cacheFolder, { recursive: true });
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, `0x${code}`);
  await rename(unfinished, file);
  return `0x${code}`;
}

export async function readSources(
  source: string,
  readSource: Compilation['readSource'],
): Promise<Record<string, { content: string }>> {
  const sources: Record<string, { content: string }> = {};
  const queue = [source];
  for (const name of queue) {
    if (name in sources) continue;
    const content = await readSource(name);
    sources[name] = { content };
    for (const [, path = ''] of content.matchAll(importPattern)) {
      queue.push(path.startsWith('.') ? posix.join(posix.dirname(name), path) : path);
    }
  }
  return sources;
}

/** Runs the compiler on a separate thread. Returns contracts by source. Throws the compiler's
 * errors. */
export async function runCompiler(input: string): Promise<Output['contracts']> {
  const worker = new Worker(new URL('./solc-worker.mjs', import.meta.url), {
    workerData: input,
    execArgv: [],
  });
  const output = await new Promise<string>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The compiler ended without output.')));
    // oxlint-disable-next-line typescript/no-misused-promises -- finally() awaits it.
  }).finally(() => worker.terminate());
  const { errors = [], contracts } = JSON.parse(output) as Output;
  const failures = errors.filter(({ severity }) => severity === 'error');
  if (failures.length === 0) return contracts;
  throw new Error(failures.map((each) => each.formattedMessage).join('\n'));
}
