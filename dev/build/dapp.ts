// Builds the development page as static files for any host. The file names of scripts and styles
// contain a hash, so that browsers can cache the files forever.
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { build } from 'esbuild';

import { LODASH } from './as-snap';
import { writePolicy } from './policy';
import { weigh, type Weight } from './size';

export type DappOptions = {
  /** Origins that the page may connect to, in addition to its own. */
  connect?: readonly string[];
  /** Folder for the page; emptied first. */
  folder?: string;
};

export type Dapp = {
  folder: string;
  /** Bytes that a visit loads. */
  size: Weight;
};

const SOURCE = 'dev/dapp';

/** Builds the page. Throws if an origin is invalid or the sources do not compile. */
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
    // Whoever hosts the page can configure the snap and its servers in this file.
    writeFile(join(folder, 'stack.json'), '{}\n'),
  ]);
  const files = await readdir(folder);
  const weights = await Promise.all(
    files.map(async (file) => weigh(await readFile(join(folder, file)))),
  );
  const sum = (kind: keyof Weight): number =>
    weights.reduce((all, weight) => all + weight[kind], 0);
  return { folder, size: { raw: sum('raw'), gzipped: sum('gzipped') } };
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
