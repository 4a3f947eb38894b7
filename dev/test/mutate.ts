// npm run mutate -- [FILE…] [--count 20] [--seed 1]: what the quick tests notice. Breaks each
// module on purpose, one small mutation after another, and lists those that no test catches.
// Mutants depend on the source text, the count and the seed alone. Ctrl-C restores the source.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { addProbes, applyEdits, describeMutant, drawMutants } from './mutants';

const MODULES = [
  'src/accounts/options.ts',
  'src/activity/nonces.ts',
  'src/activity/tracker.ts',
  'src/client/rpc/http-transport.ts',
  'src/eth/account-calls.ts',
  'src/eth/transaction-request.ts',
  'src/fees/level-sources.ts',
  'src/fees/operation-guard-rails.ts',
  'src/handlers/rate-limit.ts',
  'src/methods/fee-editor.ts',
];
const PROJECTS = ['unit', 'property', 'entry'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const modules = positionals.length > 0 ? positionals : MODULES;
const sources = new Map(modules.map((path) => [path, readFileSync(path, 'utf8')]));
const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-mutate-'));
const hitsFile = join(folder, 'hits');
let running: ChildProcess | undefined;

process.on('exit', () => {
  for (const [path, source] of sources) writeFileSync(path, source);
  stopRunning();
  rmSync(folder, { recursive: true });
});
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(1));
}

const write = (line: string): void => void process.stdout.write(`${line}\n`);
write(`seed ${values.seed}, ${values.count} mutants a module`);
const testsOf = await findTests();
const scores: string[] = [];
for (const [path, source] of sources) {
  const mutants = drawMutants(source, Number(values.seed), Number(values.count));
  let killed = 0;
  const killers = new Set<string>();
  for (const mutant of mutants) {
    writeFileSync(path, applyEdits(source, [mutant]));
    const killer = await findKiller(testsOf(path, mutant.scope), path, killers);
    if (killer !== undefined) killed += 1;
    const what = `${path}:${describeMutant(source, mutant)}`;
    write(killer === undefined ? `SURVIVED ${what}` : `killed   ${what} (${killer})`);
  }
  writeFileSync(path, source);
  scores.push(`${killed}/${mutants.length} ${path}`);
  write(scores.at(-1) ?? '');
}
write(`\n${scores.join('\n')}`);

/**
 * Runs all tests of the modules once, each function telling which test file calls it.
 *
 * @returns The test files that a mutant in a scope can change; tests that fail without any
 * mutant are not among them.
 */
async function findTests(): Promise<(path: string, scope: number) => string[]> {
  for (const [path, source] of sources) {
    writeFileSync(path, addProbes(source, path, hitsFile));
  }
  writeFileSync(hitsFile, '');
  const args = ['--findRelatedTests', ...modules];
  const { isPassed, failed } = await runTests(args, 3_600);
  if (!isPassed && failed.size === 0) throw new Error('Jest ran no tests.');
  for (const [path, source] of sources) writeFileSync(path, source);
  for (const path of failed) write(`left out, fails without a mutant: ${path}`);
  const hits = readFileSync(hitsFile, 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  return (path, scope) => {
    const tests = hits
      .filter(([at, hit]) => at === path && (scope === 0 || Number(hit) === scope))
      .map(([, , test = '']) => relative('.', test));
    return [...new Set(tests)].filter((test) => !failed.has(test)).sort();
  };
}

/** Runs the tests that import the module, or have found a mutant of it, before the others. */
async function findKiller(
  tests: string[],
  path: string,
  killers: Set<string>,
): Promise<string | undefined> {
  const imported = `/${basename(path, '.ts')}'`;
  const isNear = (test: string): boolean =>
    killers.has(test) || readFileSync(test, 'utf8').includes(imported);
  const near = tests.filter(isNear);
  const far = tests.filter((test) => !near.includes(test));
  for (const group of [near, far].filter(({ length }) => length > 0)) {
    const args = ['--bail', '--runTestsByPath', ...group];
    const { isPassed, failed } = await runTests(args, 120 + 5 * group.length);
    for (const test of failed) killers.add(test);
    if (!isPassed) return [...failed][0] ?? 'time limit';
  }
  return undefined;
}

/** Runs Jest; what takes longer than the limit has failed. */
async function runTests(
  args: readonly string[],
  limitSeconds: number,
): Promise<{ isPassed: boolean; failed: Set<string> }> {
  const options = ['--ci', '--maxWorkers=2', '--testTimeout=60000'];
  const child = spawn(
    process.execPath,
    [
      'node_modules/jest/bin/jest.js',
      ...[...options, '--selectProjects', ...PROJECTS, ...args],
    ],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      // A group of its own: its workers end with it.
      detached: true,
    },
  );
  running = child;
  child.once('exit', () => (running = undefined));
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const timer = setTimeout(stopRunning, limitSeconds * 1_000);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  const failed = [...output.matchAll(/^FAIL .*?(test\/\S+)/gmu)];
  return { isPassed: code === 0, failed: new Set(failed.map(([, test = '']) => test)) };
}

function stopRunning(): void {
  if (running?.pid !== undefined) process.kill(-running.pid, 'SIGKILL');
}
