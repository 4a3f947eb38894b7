// Runs checks and Node programs.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `npm ci` deletes this folder. */
export const CACHE = 'node_modules/.cache/tollkeeper';

/** Time limit of `npm test` on 2 idle cores, without the installation. */
export const QUICK_SECONDS = 240;

/** `skipped` counts tests that need a program that is not installed. */
export type Outcome = { passed: number; failed: number; skipped?: number };

/** With `inherit`, the output is printed instead of returned. */
export async function runNode(
  args: readonly string[],
  stdio: 'pipe' | 'inherit' = 'pipe',
  node: string = process.execPath,
): Promise<{ code: number; output: string }> {
  const child = spawn(node, args, { stdio: ['ignore', stdio, stdio] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const [status] = (await once(child, 'close')) as [number | null];
  return { code: status ?? 1, output };
}

/** Runs a check and prints the result. The check fails if `findFaults` returns faults or throws.
 * `note` adds text to the printed line. */
export async function check(
  name: string,
  findFaults: (note: (text: string) => unknown) => Promise<string[]>,
): Promise<Outcome> {
  const start = Date.now();
  let notes = '';
  const faults = await findFaults((text) => (notes += text)).catch((error: unknown) => [
    String(error),
  ]);
  const isPassed = faults.length === 0;
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  process.stdout.write(
    `${isPassed ? 'PASS' : 'FAIL'} ${name.padEnd(10)} ${seconds} s${notes}\n`,
  );
  if (!isPassed) process.stdout.write(`${faults.join('\n')}\n`);
  return isPassed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Runs a tool. If it fails, returns its output as the only fault. */
export async function runTool(...args: string[]): Promise<string[]> {
  const { code, output } = await runNode(args);
  return code === 0 ? [] : [output];
}

/** Hashes files and folders by path, in a stable order. Ignores missing files and
 * `node_modules`. */
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
