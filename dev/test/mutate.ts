// npm run mutate -- [FILE…]: makes small mutations in modules, one at a time, and reports which of
// them the quick tests catch. The mutations depend only on the source text, the count and the seed.
// Ctrl-C restores the source.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';

import fc from 'fast-check';
import ts from 'typescript';

import { readArgs, readWhole } from '../args';

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
  'src/transaction/fee-editor.tsx',
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

const { values, names } = readArgs(
  `npm run mutate [-- FILE …] [--count 20] [--seed 1]

Breaks each module by one small mutation after another, and lists those that no quick test
catches. Without a file it takes:
  ${MODULES.join('\n  ')}`,
  {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
  (name) => /\.tsx?$/u.test(name) && existsSync(name),
);
readWhole(values.count, '--count');
readWhole(values.seed, '--seed');
const modules = names.length > 0 ? names : MODULES;
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
write(`seed ${values.seed}, ${values.count} mutants per module`);
const testsOf = await findTests();
const scores: string[] = [];
for (const [path, source] of sources) {
  const mutants = drawMutants(path, source, Number(values.seed));
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

/** Runs all tests of the modules once, and records which test files call each function. The
 * returned function lists the test files that a mutant in a scope can affect. */
async function findTests(): Promise<(path: string, scope: number) => string[]> {
  for (const [path, source] of sources) {
    writeFileSync(path, addProbes(path, source, hitsFile));
  }
  writeFileSync(hitsFile, '');
  const args = ['--findRelatedTests', ...modules];
  const { isPassed, failed } = await runTests(args, 3_600);
  if (!isPassed && failed.size === 0) throw new Error('Jest ran no tests.');
  for (const [path, source] of sources) writeFileSync(path, source);
  for (const path of failed) write(`left out, fails without a mutant: ${path}`);
  const hits = readFileSync(hitsFile, 'utf8').split('\n');
  return (path, scope) => {
    const place = scope === 0 ? `${path} ` : `${path} ${scope} `;
    const lines = hits.filter((line) => line.startsWith(place));
    const tests = lines.map((line) => relative('.', line.split(' ')[2] ?? ''));
    return [...new Set(tests)].filter((test) => !failed.has(test)).sort();
  };
}

/** Finds a test file that catches the mutant. Files that import the module or have caught another
 * mutant of it run first. */
async function findKiller(tests: string[], path: string, killers: Set<string>) {
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

/** Runs Jest. A run that exceeds the time limit fails. */
async function runTests(args: readonly string[], limitSeconds: number) {
  const options = ['--ci', '--maxWorkers=2', '--testTimeout=60000'];
  const jest = ['node_modules/jest/bin/jest.js', '--selectProjects', ...PROJECTS];
  const child = spawn(process.execPath, [...jest, ...options, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Starts a process group, so that stopRunning also ends Jest's workers.
    detached: true,
  });
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

type Edit = { start: number; end: number; text: string };

/** `scope` is the number of the enclosing function, or 0 for the module itself. */
type Mutant = Edit & { kind: string; scope: number };

/** Draws mutants evenly by kind. Each compiles to different JavaScript. */
function drawMutants(path: string, source: string, seed: number): Mutant[] {
  const { mutants } = read(path, source);
  const shuffle = fc.shuffledSubarray(mutants, { minLength: mutants.length });
  const [shuffled = []] = fc.sample(shuffle, { seed, numRuns: 1 });
  const ranked = shuffled.map((mutant, index) => {
    const before = shuffled.slice(0, index);
    return { mutant, rank: before.filter(({ kind }) => kind === mutant.kind).length };
  });
  const seen = new Set([compile(path, source), undefined]);
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .map(({ mutant }) => mutant)
    .filter((mutant) => {
      const code = compile(path, applyEdits(source, [mutant]));
      const isNew = !seen.has(code);
      seen.add(code);
      return isNew;
    })
    .slice(0, Number(values.count));
}

/** Makes a module and each of its functions record the test files that use them. */
function addProbes(path: string, source: string, file: string): string {
  const prefix = JSON.stringify(`${path} `);
  return `// @ts-nocheck
${applyEdits(source, read(path, source).probes)}
probe(0);
function probe(scope) {
  const path = globalThis.expect?.getState().testPath;
  const line = ${prefix} + scope + ' ' + path + '\\n';
  const seen = (globalThis.probed ??= new Set());
  if (path === undefined || seen.has(line)) return;
  seen.add(line);
  process.getBuiltinModule('fs').appendFileSync(${JSON.stringify(file)}, line);
}
`;
}

function applyEdits(source: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((one, other) => other.start - one.start)
    .reduce(
      (text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end),
      source,
    );
}

function describeMutant(source: string, { start, end, text }: Mutant): string {
  const line = source.slice(0, start).split('\n').length;
  const before = source.slice(start, end).replace(/\s+/gu, ' ');
  return `${line}  ${before} → ${text.replace(/\s+/gu, ' ') || 'nothing'}`;
}

function read(path: string, source: string): { mutants: Mutant[]; probes: Edit[] } {
  const tree = ts.createSourceFile(path, source, ts.ScriptTarget.ESNext, true);
  const mutants: Mutant[] = [];
  const probes: Edit[] = [];
  let scopes = 0;
  const visit = (node: ts.Node, outer: number): void => {
    for (const [kind, at, text] of listChanges(node)) {
      mutants.push({ kind, ...rangeOf(at), text, scope: outer });
    }
    const body = ts.isFunctionLike(node) && 'body' in node ? node.body : undefined;
    const scope = body ? (scopes += 1) : outer;
    if (body) probes.push(...toProbe(body, scope));
    node.forEachChild((child) => visit(child, scope));
  };
  visit(tree, 0);
  return { mutants, probes };
}

function toProbe(body: ts.Node, scope: number): Edit[] {
  const { start, end } = rangeOf(body);
  const probe = `probe(${scope})`;
  const [before, after] = ts.isBlock(body)
    ? [`{ ${probe}; `, '}']
    : [`(${probe}, `, ')'];
  return [
    { start, end: start, text: before },
    { start: end, end, text: after },
  ];
}

/** Lists possible changes to a node: the kind, the node to replace, and the replacement. */
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
  if (ts.isAwaitExpression(node)) return [['await', node, node.expression.getText()]];
  const isRemovable =
    ts.isExpressionStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isBreakOrContinueStatement(node) ||
    (ts.isReturnStatement(node) && !node.expression);
  return isRemovable ? [['statement', node, ';']] : [];
}

/** Returns undefined for syntax errors. */
function compile(fileName: string, source: string): string | undefined {
  const { outputText, diagnostics } = ts.transpileModule(source, {
    fileName,
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      removeComments: true,
      jsx: ts.JsxEmit.Preserve,
    },
    reportDiagnostics: true,
  });
  return diagnostics?.length === 0 ? outputText : undefined;
}

function rangeOf(node: ts.Node): { start: number; end: number } {
  return { start: node.getStart(), end: node.end };
}
