// Builds what dapps import: each entry of the package as one module that runs in a page and
// in Node as it is, one declaration file that needs no other package, and a source map.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { generateDtsBundle } from 'dts-bundle-generator';
import { build } from 'esbuild';

/** Entries of the package beside the snap: `src/<name>` is built into `dist/<name>`. */
export const libraries = ['client', 'provider', 'testing'] as const;

type Library = (typeof libraries)[number];

/** Packages whose types stand in the client's, so that its users need not have them. */
const INLINED = ['@metamask/superstruct', '@metamask/utils'];

/** Where a library's module is. */
export function moduleOf(library: Library): string {
  return `dist/${library}/index.js`;
}

/**
 * Build the libraries in the current folder.
 *
 * @throws {Error} If something of Node is in one, or a package is missing.
 */
export async function buildLibraries(): Promise<void> {
  const banner = await describePackage();
  await Promise.all(
    libraries.map(async (library) => {
      await mkdir(`dist/${library}`, { recursive: true });
      await buildModule(library, banner);
    }),
  );
  const types = buildTypes();
  await Promise.all(
    libraries.map(async (library, index) =>
      writeFile(`dist/${library}/index.d.ts`, types[index] ?? ''),
    ),
  );
}

async function buildModule(library: Library, banner: string): Promise<void> {
  await build({
    entryPoints: [sourceOf(library)],
    outfile: moduleOf(library),
    bundle: true,
    format: 'esm',
    // Neither a page nor Node: a built-in module of either cannot be resolved.
    platform: 'neutral',
    mainFields: ['browser', 'module', 'main'],
    conditions: ['browser', 'module', 'import'],
    target: 'es2022',
    minify: true,
    // Classes of errors are known by their names.
    keepNames: library === 'client',
    sourcemap: 'linked',
    charset: 'utf8',
    legalComments: 'none',
    external: ['viem'],
    alias: {
      lodash: fileURLToPath(new URL('../../src/vendor/lodash.mjs', import.meta.url)),
    },
    banner: { js: `// ${banner}: the ${library}.` },
    logLevel: 'silent',
  });
}

// Together, since the program is read once for all.
function buildTypes(): string[] {
  const entries = libraries.map((library) => ({
    filePath: sourceOf(library),
    libraries: { inlinedLibraries: INLINED },
    output: { noBanner: true, exportReferencedTypes: false },
  }));
  return generateDtsBundle(entries, { preferredConfigPath: 'tsconfig.json' });
}

function sourceOf(library: Library): string {
  return `src/${library}/index.ts`;
}

async function describePackage(): Promise<string> {
  const text = await readFile('package.json', 'utf8');
  const { name, version, license } = JSON.parse(text) as Record<string, string>;
  return `${name} ${version}, ${license} licence`;
}
