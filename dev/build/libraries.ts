// Builds the libraries for dapps. Each library becomes one module with types, as an ES module and
// as CommonJS. Only viem is not bundled.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { generateDtsBundle } from 'dts-bundle-generator';
import { build, type BuildOptions } from 'esbuild';
import ts from 'typescript';

import about from '../../package.json' with { type: 'json' };
import { asSnap } from './as-snap';

const bundled = ['client', 'provider', 'testing'] as const;

const adapters = ['playwright', 'viem', 'wagmi'] as const;

/** Entries of the package besides the snap. `packages/<name>` is built into `dist/<name>`. */
export const libraries = [...bundled, ...adapters] as const;

export const LIBRARY_SOURCES = libraries.map((library) => `packages/${library}/src`);

type Library = (typeof libraries)[number];

/** Users need not install these packages, because their types are copied. */
const INLINED = ['@metamask/superstruct', '@metamask/utils'];

const EXTERNAL = ['viem', 'viem/*'];

const AS_SNAP: Pick<BuildOptions, 'inject' | 'jsx' | 'jsxImportSource'> = {
  inject: [fileURLToPath(new URL('buffer.mjs', import.meta.url))],
  jsx: 'automatic',
  jsxImportSource: '@metamask/snaps-sdk',
};

const BANNER = `${about.name} ${about.version}, ${about.license} licence`;

const MODULE_URL =
  "\nconst moduleUrl = typeof __filename === 'string' ? 'file://' + __filename : '';";

const formats = [
  ['esm', 'js'],
  ['cjs', 'cjs'],
] as const;

export function moduleOf(library: Library): string {
  return `dist/${library}/index.js`;
}

export async function buildLibraries(): Promise<void> {
  await Promise.all(
    libraries.map(async (library) => {
      await mkdir(`dist/${library}`, { recursive: true });
      for (const format of formats) await buildModule(library, format);
      const text = await writeTypes(library);
      await writeFile(`dist/${library}/index.d.ts`, text);
      await writeFile(`dist/${library}/index.d.cts`, toCommonTypes(text));
    }),
  );
}

// viem and wagmi have types only for ES modules, so CommonJS types import them in that mode.
function toCommonTypes(text: string): string {
  return text
    .replaceAll('/index.js', '/index.cjs')
    .replaceAll(
      /^import (?:type )?(.* from '(?!\.)[^']+');$/gmu,
      `import type $1 with { 'resolution-mode': 'import' };`,
    );
}

async function buildModule(
  library: Library,
  [format, extension]: (typeof formats)[number],
): Promise<void> {
  await build({
    entryPoints: [sourceOf(library)],
    outfile: `dist/${library}/index.${extension}`,
    bundle: true,
    format,
    external: EXTERNAL,
    plugins: [
      {
        // All entries share one copy of the provider and of the testing library.
        name: 'entries',
        setup: (building) =>
          building.onResolve({ filter: /\/(provider|testing)\/src$/ }, ({ path }) => ({
            path: `../${basename(dirname(path))}/index.${extension}`,
            external: true,
          })),
      },
      asSnap,
    ],
    ...(library === 'testing' && AS_SNAP),
    define: format === 'cjs' ? { 'import.meta.url': 'moduleUrl' } : {},
    // The modules run in browsers and in Node.
    platform: 'neutral',
    mainFields: ['browser', 'module', 'main'],
    conditions: ['browser', 'module', 'import'],
    target: 'es2022',
    minify: true,
    sourcemap: format === 'esm' && 'linked',
    charset: 'utf8',
    legalComments: 'none',
    banner: {
      js: `// ${BANNER}: ${library}${format === 'cjs' && library === 'testing' ? MODULE_URL : ''}`,
    },
    logLevel: 'silent',
  });
}

// Bundling the types of all entries together would take twice as long. Adapters have a single
// source file, which needs no bundling.
async function writeTypes(library: Library): Promise<string> {
  const filePath = sourceOf(library);
  if ((bundled as readonly string[]).includes(library)) {
    const libraries = { inlinedLibraries: INLINED };
    const output = { noBanner: true, exportReferencedTypes: false };
    const options = { preferredConfigPath: 'tsconfig.json' };
    return generateDtsBundle([{ filePath, libraries, output }], options).join('');
  }
  const source = await readFile(filePath, 'utf8');
  return ts
    .transpileDeclaration(source, { fileName: filePath })
    .outputText.replaceAll(/'\.\.\/\.\.\/(\w+)\/src'/gu, "'../$1/index.js'");
}

function sourceOf(library: Library): string {
  return `packages/${library}/src/index.ts`;
}
