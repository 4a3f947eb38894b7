// Alto, a bundler that others publish, as a process of its own beside the stack: what ours
// takes for granted, it judges. It is installed on first use, apart from our packages.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { paymasterSigner } from '../stack/accounts';
import { readOutput, startChild } from '../stack/processes';
import { type ChainStack, within } from '../stack/stack';

/** A running bundler for EntryPoint 0.7, 0.8 and 0.9. */
export type Alto = {
  url: string;
  /** Ends its process; resolves when it is gone. Idempotent, never rejects. */
  stop: () => Promise<void>;
};

const TIMEOUT_MS = 60_000;

/**
 * Install Alto if it is not there, and start it on a free port of loopback.
 *
 * @param stack - Whose chain it serves; contracts with which it simulates are put there.
 * @returns The bundler, ready for use.
 * @throws {Error} If it cannot be installed or does not start; no process is left.
 */
export async function startAlto({ chain, contracts }: ChainStack): Promise<Alto> {
  await install();
  const flags = {
    entrypoints: (['0.7', '0.8', '0.9'] as const)
      .map((version) => contracts[version].entryPoint)
      .join(','),
    'rpc-url': chain.url,
    port: 0,
    'executor-private-keys': paymasterSigner.privateKey,
    'utility-private-key': paymasterSigner.privateKey,
    // With true, it cannot read anvil's traces, and answers operations with status 500.
    'safe-mode': false,
    'block-time': 200,
    'max-bundle-interval': 100,
    'log-level': 'warn',
  };
  const child = startChild({
    name: 'Alto',
    script: new URL('../stack/guard.mjs', import.meta.url),
    args: [
      process.execPath,
      `--import=${new URL('./loopback.mjs', import.meta.url).href}`,
      toPath('./node_modules/@pimlico/alto/esm/cli/alto.js'),
      'run',
      ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, `${value}`]),
    ],
  });
  const failed = child.died.then((error) => Promise.reject(error));
  try {
    const port = await within(
      Promise.race([readOutput(child), failed]),
      Date.now() + TIMEOUT_MS,
      () => `Alto is not ready after ${TIMEOUT_MS} ms. Last output:\n${child.tail()}`,
    );
    return { url: `http://127.0.0.1:${port}`, stop: child.stop };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

async function install(): Promise<void> {
  const script = toPath('../install/ensure-installed.mjs');
  await promisify(execFile)(process.execPath, [script], { cwd: toPath('.') });
}

function toPath(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
