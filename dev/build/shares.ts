// How many bytes of the bundle each package has, by the bundle's source map.
import { SourceMap, type SourceMapPayload } from 'node:module';

/** Name of the bytes that come from no source: the bundler's own. */
export const BUNDLER = 'webpack';

export const OWN = 'Tollkeeper';

/**
 * Count a bundle's bytes by package.
 *
 * @param bundle - Its text.
 * @param map - Its source map, as JSON.
 * @returns Bytes (UTF-8) by name, the largest first; together they are the bundle.
 */
export function countShares(bundle: string, map: string): Map<string, number> {
  const found = new SourceMap(JSON.parse(map) as SourceMapPayload);
  const bySource = new Map<string | undefined, number>();
  const add = <Key>(counts: Map<Key, number>, key: Key, bytes: number): unknown =>
    counts.set(key, (counts.get(key) ?? 0) + bytes);
  bundle.split(/(?<=\n)/u).forEach((line, number) => {
    let column = 0;
    for (const character of line) {
      const entry = found.findEntry(number, column);
      const isMapped = 'originalSource' in entry && entry.generatedLine === number;
      const source = isMapped && character !== '\n' ? entry.originalSource : undefined;
      add(bySource, source, Buffer.byteLength(character));
      column += character.length;
    }
  });
  const shares = new Map<string, number>();
  for (const [source, bytes] of bySource) add(shares, nameOf(source), bytes);
  return new Map([...shares].sort(([, one], [, other]) => other - one));
}

/** Name what a source is of: the innermost package, ours, or the bundler. */
function nameOf(source: string | undefined): string {
  if (source === undefined) return BUNDLER;
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(source) ?? [];
  if (name !== undefined) return name;
  return source.includes('webpack/') ? BUNDLER : OWN;
}
