// Finds words in the code of views that no translator would ever see.
import ts from 'typescript';

import { english } from './view';

/** Attributes and fields that are shown. */
const SHOWN = [
  'alt',
  'content',
  'description',
  'error',
  'extra',
  'label',
  'placeholder',
  'text',
  'title',
  'tooltip',
  'value',
];

/** Elements whose `value` is what is chosen, not what is shown. */
const CHOICES = /^(?:\w*Option|Radio\w*|Dropdown|Selector|Input|Checkbox|\w+Picker)$/u;

const WRITERS = ['danger', 'warning', 'info'];

/** What is written alike in every language. */
const UNITS = ['ETH', 'gwei', 'wei', 'kB', 'MB', 'Tollkeeper'];

/** List the words that a file shows in no language but its own. */
export function findHardCoded(path: string, source: string): string[] {
  const file = ts.createSourceFile(
    path,
    source,
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.TSX,
  );
  return collect(file);
}

function collect(node: ts.Node): string[] {
  const found = shownBy(node).flatMap(wordsOf);
  node.forEachChild((child) => {
    found.push(...collect(child));
  });
  return found;
}

// What a node itself puts before the user's eyes.
function shownBy(node: ts.Node): ts.Node[] {
  if (ts.isJsxText(node)) return [node];
  if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) {
    return node.expression ? [node.expression] : [];
  }
  if (ts.isJsxAttribute(node)) return shownByAttribute(node);
  if (ts.isPropertyAssignment(node)) {
    return SHOWN.includes(node.name.getText()) ? [node.initializer] : [];
  }
  const isNotice =
    ts.isCallExpression(node) && WRITERS.includes(node.expression.getText());
  return isNotice ? [...node.arguments] : [];
}

function shownByAttribute(node: ts.JsxAttribute): ts.Node[] {
  const name = node.name.getText();
  const isChoice =
    name === 'value' && CHOICES.test(node.parent.parent.tagName.getText());
  if (!SHOWN.includes(name) || isChoice || !node.initializer) return [];
  const { initializer } = node;
  if (!ts.isJsxExpression(initializer)) return [initializer];
  return initializer.expression ? [initializer.expression] : [];
}

function wordsOf(node: ts.Node): string[] {
  if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) {
    return unknownWords(node.text);
  }
  if (ts.isTemplateExpression(node)) {
    const parts = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
    return parts.flatMap(({ text }) => unknownWords(text));
  }
  if (ts.isConditionalExpression(node)) {
    return [...wordsOf(node.whenTrue), ...wordsOf(node.whenFalse)];
  }
  if (ts.isBinaryExpression(node)) {
    return [...wordsOf(node.left), ...wordsOf(node.right)];
  }
  const isWrapped =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node);
  return isWrapped ? wordsOf(node.expression) : [];
}

// A key is no text, and a letter alone is a symbol.
function unknownWords(text: string): string[] {
  if (Object.hasOwn(english, text)) return [];
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  return words.some((word) => !UNITS.includes(word)) ? [text.trim()] : [];
}
