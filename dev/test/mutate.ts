// npm run mutate -- [FILE…] [--count 20] [--seed 1]: what the quick tests notice. Breaks each
// module on purpose, one small mutation after another, and lists those that no test catches.
// Mutants depend on the source text, the count and the seed alone. Ctrl-C restores the source.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

import fc from 'fast-check';
import ts from 'typescript';

const MODULES = [
  'src/accounts/create.ts',
  'src/activity/nonces.ts',
  'src/activity/tracker.ts',
  'packages/client/src/rpc/http-transport.ts',
  'src/eth/account-calls.ts',
  'src/eth/transaction.ts',
  'src/fees/level-sources.ts',
  'src/operation/warnings.ts',
  'src/sites/rate-limit.ts',
  'src/transaction/fee-editor.ts',
];
const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};

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
let running: ChildProcess | undefined;

process.on('exit', () => {
  for (const [path, source] of sources) writeFileSync(path, source);
  stopRunning();
});
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(1));
}

const write = (line: string): void => void process.stdout.write(`${line}\n`);
write(`seed ${values.seed}, ${values.count} mutants a module`);
const related = await runTests(['--findRelatedTests', ...modules], 3_600);
if (!related.isPassed) {
  throw new Error(`Tests fail without a mutant: ${[...related.failed].join(', ')}`);
}
const scores: string[] = [];
for (const [path, source] of sources) {
  const mutants = drawMutants(source, Number(values.seed), Number(values.count));
  let killed = 0;
  const killers = new Set<string>();
  for (const mutant of mutants) {
    writeFileSync(path, mutate(source, mutant));
    const killer = await findKiller(path, killers);
    if (killer !== undefined) killed += 1;
    const what = `${path}:${describeMutant(source, mutant)}`;
    write(killer === undefined ? `SURVIVED ${what}` : `killed   ${what} (${killer})`);
  }
  writeFileSync(path, source);
  scores.push(`${killed}/${mutants.length} ${path}`);
  write(scores.at(-1) ?? '');
}
write(`\n${scores.join('\n')}`);

/** Runs the tests that import the module, or have found a mutant of it, before the others. */
async function findKiller(
  path: string,
  killers: Set<string>,
): Promise<string | undefined> {
  const imported = `/${basename(path, '.ts')}'`;
  const near = [...related.passed].filter(
    (test) => killers.has(test) || readFileSync(test, 'utf8').includes(imported),
  );
  const groups = [
    ...(near.length > 0 ? [['--runTestsByPath', ...near]] : []),
    ['--findRelatedTests', path],
  ];
  const limit = 120 + 5 * related.passed.size;
  for (const group of groups) {
    const { isPassed, failed } = await runTests(['--bail', ...group], limit);
    for (const test of failed) killers.add(test);
    if (!isPassed) return [...failed][0] ?? 'time limit';
  }
  return undefined;
}

/** Runs Jest; what takes longer than the limit has failed. */
async function runTests(
  args: readonly string[],
  limitSeconds: number,
): Promise<{ isPassed: boolean; passed: Set<string>; failed: Set<string> }> {
  const options = ['--ci', '--maxWorkers=2', '--testTimeout=60000'];
  const child = spawn(
    process.execPath,
    [
      'node_modules/jest/bin/jest.js',
      ...options,
      '--selectProjects',
      ...PROJECTS,
      ...args,
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
  const list = (pattern: RegExp): Set<string> =>
    new Set([...output.matchAll(pattern)].map(([, test = '']) => test));
  return {
    isPassed: code === 0,
    passed: list(/^PASS .*?(test\/\S+)/gmu),
    failed: list(/^FAIL .*?(test\/\S+)/gmu),
  };
}

function stopRunning(): void {
  if (running?.pid !== undefined) process.kill(-running.pid, 'SIGKILL');
}

// Mutants of a module: its source text with one small mistake.

/** One mistake: a replacement in the source text. */
type Mutant = { kind: string; start: number; end: number; text: string };

/** Draws mutants that parse and whose JavaScript differs, evenly of each kind. */
function drawMutants(source: string, seed: number, count: number): Mutant[] {
  const mutants = listMutants(source);
  const shuffle = fc.shuffledSubarray(mutants, { minLength: mutants.length });
  const [shuffled = []] = fc.sample(shuffle, { seed, numRuns: 1 });
  const counts = new Map<string, number>();
  const ranked = shuffled.map((mutant) => {
    const rank = counts.get(mutant.kind) ?? 0;
    counts.set(mutant.kind, rank + 1);
    return { mutant, rank };
  });
  const seen = new Set([compile(source), undefined]);
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .map(({ mutant }) => mutant)
    .filter((mutant) => {
      const code = compile(mutate(source, mutant));
      const isNew = !seen.has(code);
      seen.add(code);
      return isNew;
    })
    .slice(0, count);
}

function mutate(source: string, { start, end, text }: Mutant): string {
  return source.slice(0, start) + text + source.slice(end);
}

/** Names the line and what changes. */
function describeMutant(source: string, { start, end, text }: Mutant): string {
  const line = source.slice(0, start).split('\n').length;
  const before = source.slice(start, end).replace(/\s+/gu, ' ');
  return `${line}  ${before} → ${text.replace(/\s+/gu, ' ') || 'nothing'}`;
}

function listMutants(source: string): Mutant[] {
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    for (const [kind, at, text] of listChanges(node)) {
      mutants.push({ kind, start: at.getStart(), end: at.end, text });
    }
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile('m.ts', source, ts.ScriptTarget.ESNext, true));
  return mutants;
}

/** Lists what can be changed about a node itself: a kind, what is replaced, and by what. */
function listChanges(node: ts.Node): [string, ts.Node, string][] {
  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken, right } = node;
    const operator = operatorToken.getText();
    const turned = COMPARISONS[operator];
    if (turned) return [['comparison', operatorToken, turned]];
    if (operator === '??') return [['branch', node, left.getText()]];
    if (operator !== '&&' && operator !== '||') return [];
    return [left, right].map((each) => ['branch', node, each.getText()]);
  }
  if (ts.isNumericLiteral(node)) {
    const value = Number(node.text);
    return [value - 1, value + 1].map((each) => ['constant', node, String(each)]);
  }
  if (ts.isBigIntLiteral(node)) {
    const value = BigInt(node.text.slice(0, -1));
    return [value - 1n, value + 1n].map((each) => ['constant', node, `${each}n`]);
  }
  if (ts.isIfStatement(node)) {
    return ['false', 'true'].map((each) => ['branch', node.expression, each]);
  }
  if (ts.isConditionalExpression(node)) {
    return ['false', 'true'].map((each) => ['branch', node.condition, each]);
  }
  if (ts.isCaseClause(node)) return [['branch', node, '']];
  if (ts.isAwaitExpression(node)) {
    return [['await', node, node.expression.getText()]];
  }
  const isRemovable =
    ts.isExpressionStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isBreakOrContinueStatement(node) ||
    (ts.isReturnStatement(node) && !node.expression);
  return isRemovable ? [['statement', node, ';']] : [];
}

/** Compiles a module; gives undefined if it does not parse. */
function compile(source: string): string | undefined {
  const { outputText, diagnostics } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ESNext, removeComments: true },
    reportDiagnostics: true,
  });
  return diagnostics?.length === 0 ? outputText : undefined;
}
