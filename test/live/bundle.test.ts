// Checks that the built bundles contain all code that runs. SES rejects most violations at
// runtime; these tests find them earlier and show where they are.
import { readFile } from 'node:fs/promises';

import ts from 'typescript';

import { INSIGHT_SNAP } from '../../dev/build/build';
import { ceilings, weigh } from '../../dev/build/size';

/** Finds expressions that create code from text or load it. */
function findDynamicCode(program: string): string[] {
  const file = ts.createSourceFile('bundle.js', program, ts.ScriptTarget.ES2022);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const what = nameDynamic(node);
    if (what !== undefined) {
      const around = program.slice(Math.max(0, node.pos - 40), node.pos + 80);
      found.push(`${what}: ${around}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function nameDynamic(node: ts.Node): string | undefined {
  if (ts.isWithStatement(node)) return 'with';
  if (ts.isImportDeclaration(node)) return 'import';
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  const callee = withoutParentheses(node.expression);
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return 'import()';
  // Also `(0, eval)(…)` and `globalThis.eval(…)`.
  const last =
    ts.isBinaryExpression(callee) &&
    callee.operatorToken.kind === ts.SyntaxKind.CommaToken
      ? callee.right
      : callee;
  const name = ts.isPropertyAccessExpression(last) ? last.name : last;
  if (!ts.isIdentifier(name)) return undefined;
  const isMaker = ['eval', 'Function', 'importScripts'].includes(name.text);
  return isMaker ? name.text : undefined;
}

function withoutParentheses(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node)
    ? withoutParentheses(node.expression)
    : node;
}

describe.each([
  ['keyring snap', '.'],
  ['insight snap', INSIGHT_SNAP],
] as const)('the bundle of the %s', (name, root) => {
  let bundle: string;

  beforeAll(async () => {
    bundle = await readFile(`${root}/dist/bundle.js`, 'utf8');
  });

  it('stays below its size limit', () => {
    const { raw, gzipped } = weigh(Buffer.from(bundle));
    expect(raw).toBeLessThanOrEqual(ceilings[name].raw);
    expect(gzipped).toBeLessThanOrEqual(ceilings[name].gzipped);
  });

  it('neither loads code nor creates any from text', () => {
    // lodash evaluates this only if there is no `self`, which MetaMask provides.
    const lodashGlobal = /&&self;const \w+=[^;]*\|\|Function\("return this"\)\(\);/u;
    const found = findDynamicCode(bundle);
    expect(found.filter((each) => !lodashGlobal.test(each))).toEqual([]);
    expect(found.length).toBeLessThanOrEqual(1);
  });

  it('contains nothing that SES mistakes for an HTML comment or an import', () => {
    expect(bundle.includes('<!--')).toBe(false);
    expect(bundle.includes('-->')).toBe(false);
    expect(/\bimport\s*\(/u.exec(bundle)?.[0]).toBeUndefined();
  });

  it('contains no source map and no build path', () => {
    expect(bundle.includes('sourceMappingURL')).toBe(false);
    expect(bundle.includes(process.cwd())).toBe(false);
    expect(bundle.includes('node_modules')).toBe(false);
  });
});
