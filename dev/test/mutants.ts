// Mutants of a module: its source text with one small mistake.
import ts from 'typescript';

import { createRandom } from '../fuzz/random';

/** A replacement in a source text. */
type Edit = { start: number; end: number; text: string };

/** One mistake; `scope` numbers the function that it is in, 0 is the module itself. */
export type Mutant = Edit & { kind: string; scope: number };

const COMPARISONS: Readonly<Record<string, string>> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '===': '!==', '!==': '===' },
};

/** Draws mutants that parse and whose JavaScript differs, evenly of each kind. */
export function drawMutants(source: string, seed: number, count: number): Mutant[] {
  const random = createRandom(seed);
  const shuffled = read(source)
    .mutants.map((mutant) => ({ mutant, key: random.next() }))
    .sort((one, other) => one.key - other.key);
  const counts = new Map<string, number>();
  const ranked = shuffled.map(({ mutant }) => {
    const rank = counts.get(mutant.kind) ?? 0;
    counts.set(mutant.kind, rank + 1);
    return { mutant, rank };
  });
  const seen = new Set([compile(source), undefined]);
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .map(({ mutant }) => mutant)
    .filter((mutant) => {
      const code = compile(applyEdits(source, [mutant]));
      const isNew = !seen.has(code);
      seen.add(code);
      return isNew;
    })
    .slice(0, count);
}

/** Has the module and each of its functions tell, in a line of a file, which test uses it. */
export function addProbes(source: string, name: string, file: string): string {
  const prefix = JSON.stringify(`${name} `);
  return `// @ts-nocheck
${applyEdits(source, read(source).probes)}
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

export function applyEdits(source: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((one, other) => other.start - one.start)
    .reduce(
      (text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end),
      source,
    );
}

/** Names the line and what changes. */
export function describeMutant(source: string, { start, end, text }: Mutant): string {
  const line = source.slice(0, start).split('\n').length;
  const before = source.slice(start, end).replace(/\s+/gu, ' ');
  return `${line}  ${before} → ${text.replace(/\s+/gu, ' ') || 'nothing'}`;
}

function read(source: string): { mutants: Mutant[]; probes: Edit[] } {
  const tree = ts.createSourceFile('m.ts', source, ts.ScriptTarget.ESNext, true);
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
  if (ts.isBlock(body)) {
    return [{ start: start + 1, end: start + 1, text: `probe(${scope});` }];
  }
  return [
    { start, end: start, text: `(probe(${scope}), ` },
    { start: end, end, text: ')' },
  ];
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

function rangeOf(node: ts.Node): { start: number; end: number } {
  return { start: node.getStart(), end: node.end };
}
