// What files import, and who reaches whom.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import ts from 'typescript';

/** Lists the code files of a folder, installed packages apart. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.(?:[mc]?[jt]s|tsx)$/u.test(path))
    .filter((path) => !/\b(?:node_modules|dist)\//u.test(path))
    .sort();
}

/** What a module imports of the same set, types and re-exports included. */
function importsOf(path: string, known: ReadonlySet<string>): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'), true, true);
  const targets = importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => relative('.', join(dirname(path), fileName)))
    .flatMap((base) => {
      const plain = base.replace(/\.js$/u, '');
      const endings = ['', '.ts', '.tsx', '.mjs', '/index.ts', '/index.tsx'];
      return (
        endings.map((ending) => `${plain}${ending}`).find((each) => known.has(each)) ??
        []
      );
    });
  return [...new Set(targets)];
}

/** What each file imports of the others. */
function graphOf(paths: readonly string[]): Map<string, string[]> {
  const known = new Set(paths);
  return new Map(paths.map((path) => [path, importsOf(path, known)]));
}

/** Lists the files that reach themselves. */
export function findCircles(paths: readonly string[]): string[] {
  const graph = graphOf(paths);
  return paths.filter((path) => reachOf(path, graph).has(path));
}

function reachOf(start: string, graph: ReadonlyMap<string, string[]>): Set<string> {
  const seen = new Set<string>();
  const open = [...(graph.get(start) ?? [])];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    open.push(...(graph.get(path) ?? []));
  }
  return seen;
}
