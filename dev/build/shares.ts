// Which package each byte of the bundle is of: the snap is built once more, with a source
// map, and the bundle's characters are counted by the file that they come from.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire, SourceMap } from 'node:module';
import type { SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Bytes of a package in a bundle. */
export type Share = { name: string; bytes: number };

/** The snap's own modules, and what the bundler puts around modules. */
const OWN = 'src';
const BUNDLER = 'webpack';

// The one compares the bundle with the manifest, which is that of a bundle without a map;
// the other prints what every build prints.
const UNWANTED = ['SnapsWebpackPlugin', 'SnapsStatsPlugin'];

type WebpackConfig = { plugins: object[] };

type Config = {
  output: object;
  sourceMap: boolean;
  customizeWebpackConfig?: (config: WebpackConfig) => WebpackConfig;
};

/** What of mm-snap is used; it exports none of it. */
type MmSnap = {
  loadConfig: (path: string) => Promise<Config>;
  build: (config: Config, options: object) => Promise<unknown>;
};

/**
 * Build the snap of the current folder aside, and weigh what it is made of.
 *
 * @returns The packages, heaviest first.
 */
export async function weighShares(): Promise<Share[]> {
  const folder = await mkdtemp(join(tmpdir(), 'shares-'));
  try {
    await buildTraced(folder);
    const [bundle, map] = await Promise.all(
      ['bundle.js', 'bundle.js.map'].map(async (name) =>
        readFile(join(folder, name), 'utf8'),
      ),
    );
    return countShares(
      bundle ?? '',
      new SourceMap(JSON.parse(map ?? '') as SourceMapPayload),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function buildTraced(folder: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const load = (path: string): object =>
    require(resolve('node_modules/@metamask/snaps-cli/dist', path)) as object;
  const { loadConfig } = load('config.cjs') as MmSnap;
  const { build } = load('commands/build/implementation.cjs') as MmSnap;
  const config = await loadConfig(resolve('snap.config.ts'));
  await build(
    {
      ...config,
      sourceMap: true,
      output: { ...config.output, path: folder },
      customizeWebpackConfig: (base) => {
        const custom = config.customizeWebpackConfig?.(base) ?? base;
        const isKept = ({ constructor }: object): boolean =>
          !UNWANTED.includes(constructor.name);
        return { ...custom, plugins: custom.plugins.filter(isKept) };
      },
    },
    { evaluate: false },
  );
}

function countShares(bundle: string, map: SourceMap): Share[] {
  const counts = new Map<string, number>();
  for (const [row, line] of bundle.split('\n').entries()) {
    if (line.startsWith('//# sourceMappingURL=')) continue;
    for (let column = 0; column < line.length; column += 1) {
      const entry = map.findEntry(row, column);
      const name = nameOf('originalSource' in entry ? entry.originalSource : undefined);
      const bytes = Buffer.byteLength(line.charAt(column));
      counts.set(name, (counts.get(name) ?? 0) + bytes);
    }
  }
  return [...counts]
    .map(([name, bytes]) => ({ name, bytes }))
    .toSorted((one, other) => other.bytes - one.bytes);
}

/** Name the package that a source belongs to. */
function nameOf(source: string | undefined): string {
  if (source === undefined || source.includes('webpack/')) return BUNDLER;
  const [, within] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(source) ?? [];
  return within ?? OWN;
}
