// Starts Alto, a third-party bundler, to check the assumptions of our own bundler. Alto is
// installed on first use, separately from our packages.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { paymasterSigner } from '../stack/accounts';
import { orDied, readOutput, startCommand } from '../stack/processes';
import type { JsonRpcServer } from '../stack/server';
import { type DevStack, within } from '../stack/stack';

const TIMEOUT_MS = 60_000;

/** Starts Alto for EntryPoint 0.7 to 0.9 on a free loopback port. Throws if the installation or the
 * start fails, and leaves no process behind. */
export async function startAlto(stack: DevStack): Promise<JsonRpcServer> {
  const { chain, contracts } = stack;
  const script = toPath('../install/ensure-installed.mjs');
  await promisify(execFile)(process.execPath, [script], { cwd: toPath('.') });
  const child = startCommand({
    name: 'Alto',
    command: [
      process.execPath,
      `--import=${new URL('./loopback.mjs', import.meta.url).href}`,
      toPath('./node_modules/@pimlico/alto/esm/cli/alto.js'),
      'run',
    ],
    flags: {
      entrypoints: (['0.7', '0.8', '0.9'] as const)
        .map((version) => contracts[version].entryPoint)
        .join(','),
      'rpc-url': chain.url,
      port: 0,
      'executor-private-keys': paymasterSigner.privateKey,
      'utility-private-key': paymasterSigner.privateKey,
      // Alto's safe mode cannot read anvil's traces and answers operations with status 500.
      'safe-mode': false,
      'block-time': 200,
      'max-bundle-interval': 100,
      'log-level': 'warn',
    },
  });
  try {
    const port = await within(
      orDied(readOutput(child), child),
      Date.now() + TIMEOUT_MS,
      () => `Alto is not ready after ${TIMEOUT_MS} ms. Last output:\n${child.tail()}`,
    );
    return { url: `http://127.0.0.1:${port}`, stop: child.stop };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

function toPath(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
