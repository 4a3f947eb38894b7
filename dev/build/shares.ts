// How many bytes of the bundle each package has, by the bundle's source map.

/** What we read of a source map (version 3). */
type SourceMap = { sources: string[]; mappings: string };

/** A place from which on bytes of a line are of a source. */
type Segment = { column: number; source: number };

/** Name of the bytes that come from no source: the bundler's own. */
export const BUNDLER = 'webpack';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Count a bundle's bytes by package.
 *
 * @param bundle - Its text.
 * @param map - Its source map, as JSON.
 * @param own - What the sources outside of packages are called.
 * @returns Bytes (UTF-8) by name, the largest first; together they are the bundle.
 */
export function countShares(
  bundle: string,
  map: string,
  own: string,
): Map<string, number> {
  const { sources, mappings } = JSON.parse(map) as SourceMap;
  const names = sources.map((source) => nameOf(source, own));
  const shares = new Map<string, number>();
  const add = (name: string, text: string): void => {
    const bytes = Buffer.byteLength(text);
    if (bytes > 0) shares.set(name, (shares.get(name) ?? 0) + bytes);
  };
  const lines = bundle.split('\n');
  const segments = decode(mappings);
  lines.forEach((line, number) => {
    let [from, name] = [0, BUNDLER];
    for (const { column, source } of segments[number] ?? []) {
      add(name, line.slice(from, column));
      [from, name] = [column, names[source] ?? BUNDLER];
    }
    add(name, line.slice(from));
    if (number < lines.length - 1) add(BUNDLER, '\n');
  });
  return new Map([...shares].sort(([, one], [, other]) => other - one));
}

/** Name what a source is of: the innermost package, ours, or the bundler. */
function nameOf(source: string, own: string): string {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(source) ?? [];
  if (name !== undefined) return name;
  return source.includes('webpack/') ? BUNDLER : own;
}

// Lines are parted by ";", segments by ",". A segment's numbers are differences to the one
// before: column (of its line), source (of the whole), and what we need not know.
function decode(mappings: string): Segment[][] {
  let source = 0;
  return mappings.split(';').map((line) => {
    let column = 0;
    const texts = line === '' ? [] : line.split(',');
    return texts.map((text) => {
      const [columns = 0, sources] = readNumbers(text);
      column += columns;
      source += sources ?? 0;
      return { column, source: sources === undefined ? -1 : source };
    });
  });
}

// Base 64 digits of five bits each, the lowest first; the sixth says that more follow, the
// lowest of all is the sign.
function readNumbers(text: string): number[] {
  const numbers: number[] = [];
  let [value, weight] = [0, 1];
  for (const character of text) {
    const digit = DIGITS.indexOf(character);
    value += (digit % 32) * weight;
    weight *= 32;
    if (digit >= 32) continue;
    numbers.push(value % 2 === 0 ? value / 2 : -(value - 1) / 2);
    [value, weight] = [0, 1];
  }
  return numbers;
}
