// Packs the packages for publication.
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, posix, resolve } from 'node:path';
import { promisify } from 'node:util';

import { checkManifest } from '@metamask/snaps-utils/node';

import { INSIGHT_SNAP } from './build';

/** MetaMask's checks find the version of the platform in the node_modules above this folder. */
const STAGES = 'node_modules/.cache/tollkeeper';

const UNPUBLISHED = [
  'private',
  'scripts',
  'workspaces',
  'devDependencies',
  'overrides',
];

export const PACKAGES = ['.', INSIGHT_SNAP] as const;

export type PackageFields = {
  name: string;
  version: string;
  repository?: { type: string; url: string };
};

export type Packed = {
  tarball: string;
  files: string[];
};

export type Installed = Packed & { folder: string };

/** Returns the URL of the repository in CI, such as `https://host/owner/name`. */
export function findHome(): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  return server && repository ? `${server}/${repository}` : undefined;
}

/** Packs a built package from the folder `root` into the folder `target`. The same files give the
 * same tarball, byte for byte. `home` is the repository's URL if package.json has none. Throws
 * npm's output if npm fails. */
export async function packPackage(
  target: string,
  { home, root = '.' }: { home?: string | undefined; root?: string } = {},
): Promise<Packed> {
  await mkdir(STAGES, { recursive: true });
  const stage = await mkdtemp(resolve(STAGES, 'stage-'));
  try {
    await fillStage(stage, root, home);
    const destination = ['--pack-destination', resolve(target)];
    const { filename, files } = await runPack([stage, ...destination]);
    return { tarball: join(target, filename), files };
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

export async function installPacked(target: string, home?: string): Promise<Installed> {
  await mkdir(target, { recursive: true });
  const packed = await packPackage(target, { home });
  await writeFile(join(target, 'package.json'), JSON.stringify({ type: 'module' }));
  await runNpm(['install', '--offline', '--prefix', target, packed.tarball]);
  const { name } = await readPackage('.');
  return { ...packed, folder: join(target, 'node_modules', name) };
}

export async function readPackage(folder: string): Promise<PackageFields> {
  const text = await readFile(join(folder, 'package.json'), 'utf8');
  return JSON.parse(text) as PackageFields;
}

export async function runNpm(args: string[]): Promise<string> {
  // npm sets this variable when it runs a script.
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  return (await promisify(execFile)(command, [...first, ...args])).stdout;
}

async function fillStage(stage: string, root: string, home?: string): Promise<void> {
  const { files } = await runPack([resolve(root), '--dry-run']);
  const fields = await readPackage(root);
  const known = fields.repository?.url.replace(/^git\+|\.git$/gu, '') ?? home;
  const links = { files, folder: root, tag: `v${fields.version}`, home: known };
  for (const path of files) {
    const copy = join(stage, path);
    await cp(join(root, path), copy);
    if (path.endsWith('.md')) {
      const text = await readFile(join(root, path), 'utf8');
      await writeFile(copy, rewriteLinks(text, { ...links, page: path }));
    }
    // The tarball contains the file modes, which must not depend on the umask.
    await chmod(copy, 0o644);
  }
  const published = Object.entries({ ...fields, ...(known && describeHome(known)) });
  const kept = published.filter(([name]) => !UNPUBLISHED.includes(name));
  const text = JSON.stringify(Object.fromEntries(kept), null, 2);
  await writeFile(join(stage, 'package.json'), `${text}\n`);
  // MetaMask requires the repository's URL in the manifest too, which changes the checksum.
  if (known !== undefined) await checkManifest(join(stage, 'snap.manifest.json'));
}

function describeHome(home: string): object {
  return {
    repository: { type: 'git', url: `git+${home}.git` },
    homepage: `${home}#readme`,
    bugs: { url: `${home}/issues` },
  };
}

/** Runs `npm pack` on a folder or a published package. */
export async function runPack(
  args: string[],
): Promise<{ filename: string; integrity: string; files: string[] }> {
  const output = await runNpm(['pack', '--json', '--ignore-scripts', ...args]);
  const [{ files, ...packed }] = JSON.parse(output) as [
    { filename: string; integrity: string; files: { path: string }[] },
  ];
  return { ...packed, files: files.map(({ path }) => path) };
}

type LinkTargets = Record<'page' | 'folder' | 'tag', string> & {
  files: readonly string[];
  home: string | undefined;
};

/** Matches links and images. Also matches code, so that links in it are left unchanged. */
const LINKS =
  /```[\s\S]*?```|`[^`\n]*`|(?<bang>!?)\[(?<text>[^\]]*)\]\((?<target>[^)\s]+)\)/gu;

/** Rewrites relative links. With a home, they point to the release's tag. Without one, they become
 * plain text unless the package contains the file. */
function rewriteLinks(
  markdown: string,
  { page, files, folder, tag, home }: LinkTargets,
): string {
  return markdown.replace(LINKS, (whole: string, ...rest: unknown[]) => {
    const { bang, text, target } = rest.at(-1) as Record<string, string | undefined>;
    if (target === undefined || /^(?:[a-z]+:|#)/iu.test(target)) return whole;
    const path = posix.join(posix.dirname(page), target);
    const inRepository = posix.join(folder, path);
    if (home !== undefined) {
      return `${bang}[${text}](${home}/${bang ? 'raw' : 'blob'}/${tag}/${inRepository})`;
    }
    if (files.includes(path.replace(/#.*$/u, ''))) return whole;
    return bang ? '' : `${text}`;
  });
}
