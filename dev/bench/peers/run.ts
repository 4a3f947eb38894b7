// The figures of one version of Node: this one, or another that is named by path. Each is
// taken in a process of its own, so that all are alike.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Peers } from './figures';
import type { Run } from './print';

const SCRIPT = fileURLToPath(new URL('child-main.ts', import.meta.url));

const TIMEOUT_MS = 15 * 60_000;

/**
 * Take the figures with a Node.
 *
 * @throws {Error} With what was printed, if it fails.
 */
export async function runWith(node: string, peers: Peers): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const output = join(folder, 'run.json');
    const args = ['--import', 'tsx', SCRIPT, JSON.stringify(peers), output];
    await promisify(execFile)(node, args, { timeout: TIMEOUT_MS });
    return JSON.parse(await readFile(output, 'utf8')) as Run;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
