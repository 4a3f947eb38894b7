// Running a tool as one check: quiet while it passes, its whole output when it fails.
import { spawn, type StdioOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where checks keep what they need not do again; `npm ci` empties it. */
export const CACHE = 'node_modules/.cache/tollkeeper';

/** What npm test takes at most on 2 quiet cores, after the installation. */
export const QUICK_SECONDS = 240;

/** `skipped` are tests that lack what this machine need not have. */
export type Outcome = { passed: number; failed: number; skipped?: number };

export type Ended = { code: number; output: string; seconds: number };

/** Run a Node program; with `inherit` its output goes where ours goes. */
export async function runNode(
  args: readonly string[],
  stdio: 'pipe' | 'inherit' = 'pipe',
): Promise<Ended> {
  const start = Date.now();
  const channels: StdioOptions = ['ignore', stdio, stdio];
  const child = spawn(process.execPath, args, { stdio: channels });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
  return { code, output, seconds: (Date.now() - start) / 1000 };
}

/** What is printed of a check; details only if it failed. */
type CheckResult = {
  name: string;
  isPassed: boolean;
  summary: string;
  details: string;
};

export async function check(name: string, args: readonly string[]): Promise<Outcome> {
  const { code, output, seconds } = await runNode(args);
  const summary = `${seconds.toFixed(1)} s`;
  return report({ name, isPassed: code === 0, summary, details: output });
}

/** Print a check's result and count it. */
export function report({ name, isPassed, summary, details }: CheckResult): Outcome {
  process.stdout.write(`${isPassed ? 'PASS' : 'FAIL'} ${name.padEnd(10)} ${summary}\n`);
  if (!isPassed) process.stdout.write(`${details}\n`);
  return isPassed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

// Files by their contents.

/**
 * Hashes files, and those of folders but for `node_modules`.
 *
 * @returns A hash by path, in the order of the paths; files that are missing are left out.
 */
export async function hashFiles(
  paths: readonly string[],
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  const add = async (path: string): Promise<void> => {
    const entries = await readdir(path).catch(() => undefined);
    for (const entry of entries?.sort() ?? []) {
      if (entry !== 'node_modules') await add(join(path, entry));
    }
    const content = entries ? undefined : await readFile(path).catch(() => undefined);
    if (content) hashes[path] = createHash('sha256').update(content).digest('hex');
  };
  for (const path of paths) await add(path);
  return hashes;
}
