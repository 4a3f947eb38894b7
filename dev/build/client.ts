// Builds the client as a package's entry: one module that runs in a page and in Node as it
// is, and one declaration file that needs no other package.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { generateDtsBundle } from 'dts-bundle-generator';
import { build } from 'esbuild';

const SOURCE = 'src/client/index.ts';
const FOLDER = 'dist/client';

/** Where the module is. */
export const clientModule = `${FOLDER}/index.js`;

/** Packages whose types stand in the client's, so that its users need not have them. */
const INLINED = ['@metamask/superstruct', '@metamask/utils'];

/**
 * Build the client in the current folder.
 *
 * @throws {Error} If something of Node is in it, or a package is missing.
 */
export async function buildClient(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await Promise.all([buildModule(), writeFile(`${FOLDER}/index.d.ts`, buildTypes())]);
}

async function buildModule(): Promise<void> {
  await build({
    entryPoints: [SOURCE],
    outfile: clientModule,
    bundle: true,
    format: 'esm',
    // Neither a page nor Node: a built-in module of either cannot be resolved.
    platform: 'neutral',
    mainFields: ['browser', 'module', 'main'],
    conditions: ['browser', 'module', 'import'],
    target: 'es2022',
    // Names stay as they are: a source map would be five times as long as the module.
    minifyWhitespace: true,
    minifySyntax: true,
    keepNames: true,
    charset: 'utf8',
    legalComments: 'none',
    alias: { lodash: fileURLToPath(new URL('memoize.mjs', import.meta.url)) },
    banner: { js: `// ${await describePackage()}` },
    logLevel: 'silent',
  });
}

function buildTypes(): string {
  const entry = {
    filePath: SOURCE,
    libraries: { inlinedLibraries: INLINED },
    output: { noBanner: true, exportReferencedTypes: false },
  };
  const [types = ''] = generateDtsBundle([entry], {
    preferredConfigPath: 'tsconfig.json',
  });
  return types;
}

async function describePackage(): Promise<string> {
  const text = await readFile('package.json', 'utf8');
  const { name, version, license } = JSON.parse(text) as Record<string, string>;
  return `${name} ${version}, ${license} licence: the client.`;
}
