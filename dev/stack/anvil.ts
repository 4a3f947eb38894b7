// Starts the chain: anvil from npm, on a port that the system chooses, so that no two
// starts ever race for one. The platform's binary is run directly, since the package's
// own script would be one process more, and install scripts may not have run.
import { dirname, join } from 'node:path';

import { findPackageFolder } from './artifacts';
import { readPort, startChild, type Child } from './child';

/** The node's process, and its port as soon as it listens. */
export type Anvil = { child: Child; port: Promise<number> };

/** The chain id of the development chain. */
export const chainId = 31337;

const architectures: Partial<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Start an empty chain that mines nothing until it is told to.
 *
 * @param port - Port to listen on; 0 for any free one.
 * @returns The node; `port` never rejects, failures are told by `child.died`.
 * @throws {Error} If anvil is not installed for this platform.
 */
export function startAnvil(port = 0): Anvil {
  const flags = {
    host: '127.0.0.1',
    port,
    'chain-id': chainId,
    // A block is final two blocks later, not 64: `finalized` is of use in tests.
    'slots-in-an-epoch': 1,
    color: 'never',
  };
  const child = startChild({
    name: 'The chain (anvil)',
    script: new URL('./guard.mjs', import.meta.url),
    args: [
      findBinary(),
      '--no-mining',
      ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, `${value}`]),
    ],
    explain: (tail) =>
      /address already in use/iu.test(tail)
        ? `Port ${port}, wanted for the chain, is taken.`
        : undefined,
  });
  return { child, port: readPort(child) };
}

function findBinary(): string {
  const architecture = architectures[process.arch] ?? process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  const folder = findPackageFolder('@foundry-rs/anvil', import.meta.url);
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  try {
    return join(findPackageFolder(name, join(folder, 'package.json')), 'bin', file);
  } catch (cause) {
    throw new Error(
      `anvil is not installed for this platform: ${name} is missing beside ${dirname(folder)}.`,
      { cause },
    );
  }
}
