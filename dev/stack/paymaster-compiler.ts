// Compiles the VerifyingPaymaster for EntryPoint 0.8 once and keeps the result beside the
// installed packages, under a hash of all that it depends on: compiling takes seconds,
// and the stack is started often.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import { array, optional, pattern, string, type } from '@metamask/superstruct';
import { isHex, type Hex } from 'viem';

import { findPackageFolder } from './artifacts';
import { fetchCompilerInput, paymasterSource } from './paymaster-source';

const cacheFolder = fileURLToPath(
  new URL('../../node_modules/.cache/tollkeeper/', import.meta.url),
);

const ErrorsStruct = type({
  errors: optional(array(type({ severity: string(), formattedMessage: string() }))),
});
const OutputStruct = type({
  contracts: type({
    [paymasterSource]: type({
      VerifyingPaymaster: type({
        evm: type({
          bytecode: type({ object: pattern(string(), /^(?:[\da-f]{2})+$/) }),
        }),
      }),
    }),
  }),
});

/**
 * Fetch the creation code of the VerifyingPaymaster for EntryPoint 0.8 from the cache,
 * compiling it when it is not there.
 *
 * @returns The code without constructor arguments.
 * @throws {Error} If it does not compile; the message holds the compiler's errors.
 */
export async function fetchPaymasterBytecode(): Promise<Hex> {
  const [input, compiler] = await Promise.all([
    fetchCompilerInput(),
    readFile(join(findPackageFolder('solc', import.meta.url), 'package.json'), 'utf8'),
  ]);
  const key = createHash('sha256').update(compiler).update(input).digest('hex');
  const file = join(cacheFolder, `verifying-paymaster-${key}.txt`);
  const cached = await readFile(file, 'utf8').catch(() => undefined);
  if (isHex(cached) && cached.length > 2) return cached;
  const bytecode = parseOutput(await compile(input));
  await write(file, bytecode);
  return bytecode;
}

async function compile(input: string): Promise<unknown> {
  const worker = new Worker(new URL('./solc-worker.mjs', import.meta.url), {
    workerData: input,
    execArgv: [],
  });
  const output = await new Promise<string>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The compiler ended without output.')));
  }).finally(() => worker.terminate());
  return JSON.parse(output) as unknown;
}

function parseOutput(output: unknown): Hex {
  const errors = ErrorsStruct.create(output).errors?.filter(
    ({ severity }) => severity === 'error',
  );
  if (errors?.length) {
    const details = errors.map(({ formattedMessage }) => formattedMessage).join('\n');
    throw new Error(`The paymaster for EntryPoint 0.8 does not compile:\n${details}`);
  }
  const contract = OutputStruct.create(output).contracts[paymasterSource];
  return `0x${contract.VerifyingPaymaster.evm.bytecode.object}`;
}

/** Writes in one step: several stacks may start at once, in several processes. */
async function write(file: string, content: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, content);
  await rename(unfinished, file);
}
