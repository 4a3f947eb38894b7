// JSON as people write it: where it breaks off is told by line and column, in every browser
// alike (their own messages differ, and some name no place).

/** What was read, or what is wrong and where. */
export type Parsed = { value: unknown } | { problem: string };

/** Read JSON text. */
export function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) };
  } catch {
    const { at, expected } = findProblem(text);
    return { problem: `${describePlace(text, at)}: ${expected} was expected.` };
  }
}

/** Where text stops being JSON. */
type Problem = { at: number; expected: string };

const SCALAR =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

const NAME = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;

function findProblem(text: string): Problem {
  const end = readValue(text, 0);
  if (typeof end !== 'number') return end;
  return { at: skipSpace(text, end), expected: 'the end' };
}

// Each reader answers where it ended, or what stopped it.
type Read = (text: string, from: number) => number | Problem;

const readValue: Read = (text, from) => {
  const at = skipSpace(text, from);
  if (text[at] === '[') return readItems(text, at, { end: ']', read: readValue });
  if (text[at] === '{') return readItems(text, at, { end: '}', read: readMember });
  return match(SCALAR, text, at) ?? { at, expected: 'a value' };
};

const readMember: Read = (text, from) => {
  const at = skipSpace(text, from);
  const end = match(NAME, text, at);
  if (end === undefined) return { at, expected: 'a name in double quotes' };
  const colon = skipSpace(text, end);
  if (text[colon] !== ':') return { at: colon, expected: 'a colon' };
  return readValue(text, colon + 1);
};

function readItems(
  text: string,
  start: number,
  { end, read }: { end: string; read: Read },
): number | Problem {
  const first = skipSpace(text, start + 1);
  if (text[first] === end) return first + 1;
  for (let from = first; ;) {
    const item = read(text, from);
    if (typeof item !== 'number') return item;
    const at = skipSpace(text, item);
    if (text[at] === end) return at + 1;
    if (text[at] !== ',') return { at, expected: `a comma or ${end}` };
    from = at + 1;
  }
}

function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/[ \t\r\n]/u.test(text[at] ?? '')) at += 1;
  return at;
}

function describePlace(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n');
  return `Line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}
