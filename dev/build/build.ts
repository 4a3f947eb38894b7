// Builds the snaps with mm-snap, and writes the origin of the companion page into the manifest and
// the bundle.
import { execFile } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { parseConfig } from '../../src/config';
import { readPackage, type Sources } from '../clear-signing/sources';
import { COMPANION_ORIGIN, DEV_SNAP } from '../wallet/options';
import { KEYRING_FILES, writeShipped } from './shipped';

const MANIFEST = 'snap.manifest.json';

/** Files and folders that a build of the snap reads, apart from packages and dev/build. */
export const SOURCES = [
  'src',
  'images',
  'locales',
  'openrpc.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'snap.config.ts',
  MANIFEST,
];

export const INSIGHT_SNAP = 'packages/insight';

type Manifest = {
  source: {
    location: { npm: { iconPath: string } };
    files: string[];
    locales: string[];
  };
  initialPermissions: Record<string, object>;
};

/** Builds the keyring snap in the current folder. Returns whether the manifest has changed. Throws
 * if `TOLLKEEPER_COMPANION_ORIGIN` is not allowed, or if mm-snap fails, with its output. */
export async function buildSnap(): Promise<boolean> {
  return build('.', readCompanion());
}

export async function buildInsightSnap(): Promise<boolean> {
  await copyInto(INSIGHT_SNAP, (await readSource(INSIGHT_SNAP)).locales);
  return build(INSIGHT_SNAP);
}

/** Builds the development snap, by default with the companion page of `npm start` and the
 * descriptors of micro-eth-signer. */
export async function buildDevSnap(sources?: Sources): Promise<boolean> {
  await rm(DEV_SNAP, { recursive: true, force: true });
  const { location, locales } = await readSource('.');
  const named = [location.npm.iconPath, ...locales];
  await copyInto(DEV_SNAP, ['package.json', MANIFEST, ...named]);
  return build(DEV_SNAP, readCompanion() || COMPANION_ORIGIN, sources);
}

/** Escapes the dots in the host of the npm registry, so that the host does not appear in the
 * repository's text. mm-snap undoes this whenever it writes a new checksum. */
export function escapeRegistry(manifest: string): string {
  return manifest.replace(/"registry": "[^"]*"/u, (line) =>
    line.replaceAll('.', '\\u002e'),
  );
}

async function readSource(root: string): Promise<Manifest['source']> {
  return (JSON.parse(await readFile(join(root, MANIFEST), 'utf8')) as Manifest).source;
}

async function copyInto(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await cp(path, join(folder, path));
}

async function build(root: string, companion = '', sources = readPackage()) {
  const development = root === DEV_SNAP ? 'true' : '';
  // The insight snap has no accounts and does not answer dapps, so it needs fewer files.
  const isKeyring = root !== INSIGHT_SNAP;
  const logLevel = process.env.TOLLKEEPER_LOG_LEVEL || undefined;
  parseConfig({ companionOrigin: companion, development, logLevel });
  const path = join(root, MANIFEST);
  const before = await readFile(path, 'utf8');
  const files = await writeShipped(root, sources, isKeyring ? KEYRING_FILES : []);
  const named = nameInputs(before, companion, files);
  if (named !== before) await writeFile(path, named);
  await runMmSnap({
    TOLLKEEPER_SNAP_ROOT: root,
    TOLLKEEPER_SNAP_INPUT: isKeyring ? 'src/index.ts' : 'src/insight-snap/index.ts',
    TOLLKEEPER_COMPANION_ORIGIN: companion,
    TOLLKEEPER_DEVELOPMENT: development,
  });
  const written = await readFile(path, 'utf8');
  const after = escapeRegistry(written);
  // Checks may be reading the manifest, so it is written only if it changes.
  if (after !== written) await writeFile(path, after);
  return before !== after;
}

function readCompanion(): string | undefined {
  return process.env.TOLLKEEPER_COMPANION_ORIGIN;
}

function nameInputs(text: string, companion: string, files: string[]): string {
  const manifest = JSON.parse(text) as Manifest;
  const { source, initialPermissions } = manifest;
  source.files = files;
  if ('endowment:keyring' in initialPermissions) {
    // Without any origins, only MetaMask itself may use the keyring.
    const keyring = companion === '' ? {} : { allowedOrigins: [companion] };
    initialPermissions['endowment:keyring'] = keyring;
  }
  return escapeRegistry(`${JSON.stringify(manifest, null, 2)}\n`);
}

/** Runs `mm-snap build`. If it fails, throws its output. */
export async function runMmSnap(
  environment: Record<string, string>,
  { cwd = '.', options = [] }: { cwd?: string; options?: readonly string[] } = {},
): Promise<void> {
  const args = [...options, 'node_modules/@metamask/snaps-cli/dist/main.cjs', 'build'];
  const env = { ...process.env, ...environment };
  try {
    await promisify(execFile)(process.execPath, args, { cwd, env });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`mm-snap build failed:\n${stdout}${stderr}`, { cause: error });
  }
}
