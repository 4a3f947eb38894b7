// How mm-snap builds both snaps, with packages as published: npm run verify:packages compares them.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { SnapConfig } from '@metamask/snaps-cli';
import TerserPlugin from 'terser-webpack-plugin';

import packages from './dev/build/packages.json' with { type: 'json' };
import about from './package.json' with { type: 'json' };

// Set by dev/build/build.ts; the defaults are those of the release.
const {
  TOLLKEEPER_SNAP_ROOT: root = '.',
  TOLLKEEPER_SNAP_INPUT: input = 'src/index.ts',
  TOLLKEEPER_COMPANION_ORIGIN: companionOrigin = '',
  TOLLKEEPER_DEVELOPMENT: development = '',
  TOLLKEEPER_LOG_LEVEL: logLevel = 'off',
} = process.env;

const manifest = join(root, 'snap.manifest.json');
const at = (path: string): string => resolve('node_modules', path);

/** Empty modules for unused ones, and one copy where two would be bundled; `packages.json` says why. */
const alias = {
  ...Object.fromEntries(
    Object.keys(packages.leftOut).map((path) => [at(path), false as const]),
  ),
  ...Object.fromEntries(packages.instead.map(({ of, by }) => [`${of}$`, resolve(by)])),
};

/** Throws unless manifest and code have the same companion page: MetaMask admits the origins in the
 * manifest, and the code trusts the one it was built for. */
function assertCompanion(): void {
  const text = readFileSync(manifest, 'utf8');
  const [, origins = ''] = /"allowedOrigins":\s*\[([^\]]*)\]/u.exec(text) ?? [];
  const allowed = origins.replaceAll(/["\s]/gu, '');
  if (allowed === companionOrigin) return;
  throw new Error(
    `${manifest} lets ${allowed || 'no origin'} use the keyring, but TOLLKEEPER_COMPANION_ORIGIN ` +
      `is "${companionOrigin}". Build with npm run build, which writes both.`,
  );
}

const config: SnapConfig = {
  input,
  output: { path: join(root, 'dist'), filename: 'bundle.js' },
  manifest: { path: manifest },
  server: { port: 8080 },
  // eth-sig-util takes Buffers; nothing else of Node is needed.
  polyfills: { buffer: true },
  environment: {
    TOLLKEEPER_LOG_LEVEL: logLevel,
    TOLLKEEPER_COMPANION_ORIGIN: companionOrigin,
    TOLLKEEPER_DEVELOPMENT: development,
    TOLLKEEPER_VERSION: about.version,
  },
  customizeWebpackConfig: ({ optimization, plugins = [], ...config }) => ({
    ...config,
    resolve: { ...config.resolve, alias },
    // As mm-snap's own, but in ASCII: V8 keeps such a source in half the memory, and runs it sooner.
    optimization: {
      ...optimization,
      minimizer: [
        new TerserPlugin({ terserOptions: { format: { ascii_only: true } } }),
      ],
    },
    plugins: [...plugins, { apply: assertCompanion }],
  }),
};

export default config;
