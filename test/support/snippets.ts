// Finds the code blocks of Markdown pages, and joins a page's JavaScript and TypeScript into one
// module in which every line keeps its number.
import ts from 'typescript';

export type Snippet = {
  language: string;
  /** Line on which the code begins. */
  line: number;
  code: string;
};

const FENCE = /^([ ]*)```([a-z]+)[^\n]*\n((?:(?!\1```)[^\n]*\n)*)\1```[ ]*$/gmu;

export function findSnippets(markdown: string): Snippet[] {
  return [...markdown.matchAll(FENCE)].map((found) => {
    const [, indent = '', language = '', code = ''] = found;
    const line = markdown.slice(0, found.index).split('\n').length + 1;
    return {
      language,
      line,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gmu'), ''),
    };
  });
}

/** Whether a block is part of its page's module. */
export function isScript({ language }: Snippet): boolean {
  return ['js', 'ts'].includes(language);
}

/**
 * Joins a page's scripts into one module. Text between them becomes blank lines, and repeated
 * imports are dropped.
 */
export function joinScripts(snippets: readonly Snippet[]): string {
  let text = '';
  for (const { line, code } of snippets.filter(isScript)) {
    text += '\n'.repeat(line - text.split('\n').length) + code;
  }
  const imported = new Set<string>();
  return edit(text, (statement) => {
    if (!ts.isImportDeclaration(statement)) return undefined;
    const { from, names } = readImport(statement);
    const fresh = names.filter((name) => !imported.has(`${name} ${from}`));
    for (const name of fresh) imported.add(`${name} ${from}`);
    if (fresh.length === names.length) return undefined;
    return fresh.length === 0 ? '' : `import { ${fresh.join(', ')} } from '${from}';`;
  });
}

/** Functions that a running module calls. */
export type Hooks = {
  /** Called before the statement on this line. */
  at: (line: number) => void;
  /**
   * Called with a statement's value, and with the text that the page shows for it after `// → `.
   */
  shows: (value: unknown, shown: string) => void;
  load: (module: string) => Promise<unknown>;
};

const AsyncFunction = (async () => Promise.resolve()).constructor as new (
  ...parts: string[]
) => (hooks: Hooks) => Promise<void>;

export function compileModule(module: string): (hooks: Hooks) => Promise<void> {
  let unmatched = module.split('// → ').length - 1;
  const edited = edit(module, (statement, text, line) => {
    if (ts.isImportDeclaration(statement)) {
      const { from, names } = readImport(statement);
      const list = names.join(', ').replaceAll(' as ', ': ');
      return `const { ${list} } = await hooks.load('${from}');`;
    }
    const [, shown] =
      /^[ ]*\/\/ → (.*)$/mu.exec(firstLine(module, statement.end)) ?? [];
    const before = `hooks.at(${line}); `;
    if (shown === undefined) return before + text;
    unmatched -= 1;
    const reportOf = (value: string) =>
      `hooks.shows(${value}, ${JSON.stringify(shown)});`;
    if (ts.isVariableStatement(statement)) {
      const [declaration] = statement.declarationList.declarations;
      return `${before}${text} ${reportOf(readNames(declaration?.name))}`;
    }
    if (!ts.isExpressionStatement(statement)) {
      throw new Error(`Line ${line} has no value to show.`);
    }
    return before + reportOf(readValue(statement.expression));
  });
  if (unmatched > 0) throw new Error('`// →` is not after a statement of the module.');
  const target = ts.ScriptTarget.ES2022;
  const compilerOptions = { target, module: ts.ModuleKind.ESNext };
  const { outputText } = ts.transpileModule(edited, { compilerOptions });
  return new AsyncFunction('hooks', outputText);
}

type Edit = (statement: ts.Statement, text: string, line: number) => string | undefined;

// Replaces top-level statements, and keeps the line number of the code that follows them.
function edit(text: string, change: Edit): string {
  const file = ts.createSourceFile('page.ts', text, ts.ScriptTarget.ES2022, true);
  let edited = '';
  let end = 0;
  for (const statement of file.statements) {
    const start = statement.getStart();
    const old = statement.getText();
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    const changed = change(statement, old, line) ?? old;
    const lost = old.split('\n').length - changed.split('\n').length;
    edited += text.slice(end, start) + changed + '\n'.repeat(Math.max(0, lost));
    ({ end } = statement);
  }
  return edited + text.slice(end);
}

function readImport(statement: ts.ImportDeclaration) {
  const { moduleSpecifier, importClause } = statement;
  const bindings = importClause?.namedBindings;
  if (!bindings || !ts.isNamedImports(bindings)) {
    throw new Error(`Import names: ${statement.getText()}`);
  }
  return {
    from: (moduleSpecifier as ts.StringLiteral).text,
    names: bindings.elements.map((element) => element.getText()),
  };
}

// Returns an expression for the value of `const a = …`, or for the values of `const { a, b } = …`.
function readNames(name: ts.BindingName | undefined): string {
  if (!name || ts.isIdentifier(name)) return name?.text ?? '';
  const names = name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? [element.name.getText()] : [],
  );
  const list = names.join(', ');
  if (names.length === 1) return list;
  return ts.isArrayBindingPattern(name) ? `[${list}]` : `{ ${list} }`;
}

// Returns an expression for the value that a `console.log(…)` prints, and any other expression
// unchanged.
function readValue(expression: ts.Expression): string {
  if (!ts.isCallExpression(expression)) return expression.getText();
  const {
    expression: callee,
    arguments: [first],
  } = expression;
  return callee.getText() === 'console.log' && first
    ? first.getText()
    : expression.getText();
}

function firstLine(text: string, start: number): string {
  return text.slice(start, text.indexOf('\n', start));
}
