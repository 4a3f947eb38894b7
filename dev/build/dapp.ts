// Builds the development page: static files for any host, named by their content, so that a host
// may keep all but index.html and stack.json for ever.
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { writePolicy } from './policy';
import { weigh, type Weight } from './size';

export type DappOptions = {
  /** Origins that it may talk to beside its own. */
  connect?: readonly string[];
  /** Where it is written; emptied first. */
  folder?: string;
};

export type Dapp = {
  folder: string;
  /** Of the files that a visit loads, compressed one by one. */
  size: Weight;
};

const SOURCE = 'dev/dapp';

/** The parts of lodash that @metamask/utils takes. */
const LODASH = fileURLToPath(new URL('../../src/vendor/lodash.mjs', import.meta.url));

/**
 * Build the page.
 *
 * @throws {Error} If an origin is none, or the sources do not build.
 */
export async function buildDapp({
  connect = [],
  folder = 'dist/dapp',
}: DappOptions = {}): Promise<Dapp> {
  const policy = writePolicy(connect);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { script, style } = await bundle(folder);
  const page = await readFile(join(SOURCE, 'index.html'), 'utf8');
  await Promise.all([
    writeFile(
      join(folder, 'index.html'),
      page
        .replace('%POLICY%', policy)
        .replace('%SCRIPT%', script)
        .replace('%STYLE%', style),
    ),
    copyFile('images/icon.svg', join(folder, 'icon.svg')),
    // A host can say here which snap, and where its servers are.
    writeFile(join(folder, 'stack.json'), '{}\n'),
  ]);
  const files = ['index.html', script, style, 'icon.svg', 'stack.json'];
  const size = { raw: 0, gzipped: 0 };
  for (const file of files) {
    const { raw, gzipped } = weigh(await readFile(join(folder, file)));
    size.raw += raw;
    size.gzipped += gzipped;
  }
  return { folder, size };
}

export function describeDapp({ folder, size }: Dapp): string {
  return `${folder}: ${size.raw} bytes, ${size.gzipped} gzipped`;
}

async function bundle(folder: string): Promise<{ script: string; style: string }> {
  const { metafile } = await build({
    entryPoints: [
      { in: join(SOURCE, 'app.tsx'), out: 'page' },
      { in: join(SOURCE, 'page.css'), out: 'page' },
    ],
    entryNames: '[name].[hash]',
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    mainFields: ['browser', 'module', 'main'],
    target: 'es2022',
    minify: true,
    alias: { lodash: LODASH },
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
  });
  const names = Object.keys(metafile.outputs).map((path) => basename(path));
  const find = (ending: string): string =>
    names.find((name) => name.endsWith(ending)) ?? '';
  return { script: find('.js'), style: find('.css') };
}
