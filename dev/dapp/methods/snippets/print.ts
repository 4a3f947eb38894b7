// Values as people write them in code: names without quotes, short lists on one line.

/** Code that stands in a value as it is. */
type Code = { readonly [isCode]: string };

const isCode = Symbol('code');

/** Longest line. */
const WIDTH = 80;

/** Put code into a value. */
export function code(text: string): Code {
  return { [isCode]: text };
}

/**
 * Print a value as a literal of JavaScript.
 *
 * @param indent - How far the line that it begins on is indented.
 */
export function print(value: unknown, indent = ''): string {
  const line = printLine(value);
  if (line.length + indent.length <= WIDTH - 10 || !isNested(value)) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${print(item, inner)},\n`);
    return `[\n${items.join('')}${indent}]`;
  }
  const members = listMembers(value).map(([name, each]) =>
    isShorthand(name, each)
      ? `${inner}${name},\n`
      : `${inner}${printName(name)}: ${print(each, inner)},\n`,
  );
  return `{\n${members.join('')}${indent}}`;
}

function printLine(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return printText(value);
  if (Array.isArray(value)) return `[${value.map(printLine).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined';
  if (isCode in value) return String(value[isCode]);
  const members = listMembers(value).map(([name, each]) =>
    isShorthand(name, each) ? name : `${printName(name)}: ${printLine(each)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Print a text in single quotes. */
function printText(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

// `__proto__` would set the prototype; in brackets it is a name like any other.
function printName(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/u.test(name) ? name : printText(name);
}

function listMembers(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, each]) => each !== undefined);
}

function isShorthand(name: string, value: unknown): boolean {
  return isObject(value) && isCode in value && value[isCode] === name;
}

function isNested(value: unknown): value is object {
  return isObject(value) && !(isCode in value);
}

function isObject(value: unknown): value is { [isCode]?: unknown } {
  return typeof value === 'object' && value !== null;
}
