// How mm-snap builds and serves the snap, and what keeps the bundle small: each step says
// why. None changes the cryptography or what is signed; test/live/differential.test.ts
// signs through the bundle, and viem says whether it is right.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { SnapConfig } from '@metamask/snaps-cli';

type Customize = NonNullable<SnapConfig['customizeWebpackConfig']>;
type WebpackConfig = Parameters<Customize>[0];

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
};

// What dev/build/build.ts decides; without it, this is the release.
const {
  TOLLKEEPER_SNAP_ROOT: root = '.',
  TOLLKEEPER_COMPANION_ORIGIN: companionOrigin = '',
  TOLLKEEPER_DEVELOPMENT: development = '',
  TOLLKEEPER_LOG_LEVEL: logLevel = 'off',
} = process.env;

const manifestPath = join(root, 'snap.manifest.json');

// MetaMask lets in whom the manifest names, and the code trusts whom it was built for.
assertCompanion();

function assertCompanion(): void {
  const { initialPermissions } = JSON.parse(readFileSync(manifestPath, 'utf8')) as {
    initialPermissions: { 'endowment:keyring': { allowedOrigins?: string[] } };
  };
  const { allowedOrigins = [] } = initialPermissions['endowment:keyring'];
  if (allowedOrigins.join(', ') === companionOrigin) return;
  const allowed = allowedOrigins.join(', ') || 'nobody';
  throw new Error(
    `${manifestPath} lets ${allowed} use the keyring, but TOLLKEEPER_COMPANION_ORIGIN ` +
      `is "${companionOrigin}". Build with npm run build, which writes both.`,
  );
}

const at = (path: string): string => resolve('node_modules', path);
const slim = (name: string): string => resolve('dev/build/slim', name);
const packages = (...names: string[]): RegExp =>
  new RegExp(`node_modules/(?:${names.join('|')})/`, 'u');

const alias: Record<string, string> = {
  // @metamask/utils takes its `memoize`, and nothing else of the 70 kB.
  lodash$: slim('lodash.mjs'),
  // eth-sig-util makes Buffers of texts and hex digits, and needs nothing else of one.
  buffer$: slim('buffer.ts'),
  // Nobody listens to a Common's changes of hardfork.
  eventemitter3$: slim('emitter.ts'),
  // Fork ids are for nodes.
  [at('@ethereumjs/common/dist/esm/crc.js')]: slim('crc.ts'),
  // abi-utils makes an error for each value that it encodes, most of them in vain.
  [at('@metamask/abi-utils/dist/errors.js')]: slim('abi-errors.ts'),
  // @metamask/utils has a copy of @noble/hashes of its own, for checksums of addresses.
  '@noble/hashes/sha3$': slim('keccak.ts'),
  // eth-sig-util encrypts, and signs authorizations; the snap does neither by it.
  [at('@metamask/eth-sig-util/dist/encryption.js')]: slim('nothing.ts'),
  [at('@metamask/eth-sig-util/dist/sign-eip7702-authorization.js')]: slim('nothing.ts'),
};

// These modules do nothing when they are loaded, but do not say so: what nobody imports of
// them is left out.
const pure = {
  test: packages('@metamask/(?:eth-sig-util|keyring-api|keyring-utils)'),
  sideEffects: false,
};

// CommonJS modules, for which a bundler keeps the whole of what they require, and a second
// copy of it in their own format.
const doors = {
  test: packages('@metamask/(?:eth-sig-util|abi-utils)'),
  resolve: {
    alias: {
      '@metamask/utils$': slim('metamask-utils.ts'),
      '@metamask/superstruct$': slim('superstruct.ts'),
      '@ethereumjs/util$': slim('eth-sig-util-util.ts'),
      'ethereum-cryptography/keccak$': slim('keccak.ts'),
    },
  },
};

const customize = (config: WebpackConfig): WebpackConfig => ({
  ...config,
  resolve: { ...config.resolve, alias },
  module: {
    ...config.module,
    rules: [...(config.module?.rules ?? []), pure, doors],
  },
});

const config: SnapConfig = {
  input: 'src/index.ts',
  output: { path: join(root, 'dist'), filename: 'bundle.js' },
  manifest: { path: manifestPath },
  server: { port: 8080 },
  // eth-sig-util takes Buffers; nothing else of Node is needed.
  polyfills: { buffer: true },
  environment: {
    TOLLKEEPER_LOG_LEVEL: logLevel,
    TOLLKEEPER_COMPANION_ORIGIN: companionOrigin,
    TOLLKEEPER_DEVELOPMENT: development,
    TOLLKEEPER_VERSION: version,
  },
  customizeWebpackConfig: customize,
};

export default config;
