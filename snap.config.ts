// How mm-snap builds both snaps, and what keeps the bundle small: each step says
// why. None changes the cryptography or what is signed; test/live/differential.test.ts
// signs through the bundle, and viem says whether it is right.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { SnapConfig } from '@metamask/snaps-cli';
import TerserPlugin from 'terser-webpack-plugin';

type Customize = NonNullable<SnapConfig['customizeWebpackConfig']>;
type WebpackConfig = Parameters<Customize>[0];
type WebpackPlugin = Extract<
  NonNullable<WebpackConfig['plugins']>[number],
  { apply: unknown }
>;

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
};

// What dev/build/build.ts decides; without it, this is the release.
const {
  TOLLKEEPER_SNAP_ROOT: root = '.',
  TOLLKEEPER_SNAP_INPUT: input = 'src/index.ts',
  TOLLKEEPER_COMPANION_ORIGIN: companionOrigin = '',
  TOLLKEEPER_DEVELOPMENT: development = '',
  TOLLKEEPER_LOG_LEVEL: logLevel = 'off',
} = process.env;

const manifestPath = join(root, 'snap.manifest.json');

/** MetaMask lets in whom the manifest names, and the code trusts whom it was built for. */
const assertCompanion: WebpackPlugin = {
  apply() {
    const { initialPermissions } = JSON.parse(readFileSync(manifestPath, 'utf8')) as {
      initialPermissions: { 'endowment:keyring'?: { allowedOrigins?: string[] } };
    };
    const { allowedOrigins = [] } = initialPermissions['endowment:keyring'] ?? {};
    if (allowedOrigins.join(', ') === companionOrigin) return;
    const allowed = allowedOrigins.join(', ') || 'no origin';
    throw new Error(
      `${manifestPath} lets ${allowed} use the keyring, but TOLLKEEPER_COMPANION_ORIGIN ` +
        `is "${companionOrigin}". Build with npm run build, which writes both.`,
    );
  },
};

const at = (path: string): string => resolve('node_modules', path);
const standIn = (name: string): string => resolve('src/vendor', name);
const packages = (...names: string[]): RegExp =>
  new RegExp(`node_modules/(?:${names.join('|')})/`, 'u');

/** What stands in for packages; SECURITY.md lists it, and test/unit/vendor compares it. */
const alias: Record<string, string> = {
  lodash$: standIn('lodash.mjs'),
  buffer$: standIn('buffer.ts'),
  '@ethereumjs/common$': standIn('common.ts'),
  '@scure/base$': standIn('base64.ts'),
  '@metamask/abi-utils$': standIn('abi-utils.ts'),
  '@metamask/abi-utils/dist/parsers$': standIn('abi-utils.ts'),
  '@metamask/abi-utils/dist/utils$': standIn('abi-utils.ts'),
  // @metamask/utils has a copy of @noble/hashes of its own, for checksums of addresses.
  '@noble/hashes/sha3$': standIn('keccak.ts'),
};

const rules = [
  // These modules do nothing when they are loaded, but do not say so: what nobody imports of
  // them is left out.
  {
    test: packages('@metamask/(?:eth-sig-util|keyring-api|keyring-utils)'),
    sideEffects: false,
  },
  {
    test: packages('@metamask/eth-sig-util/dist'),
    exclude: /encryption|sign-eip7702/u,
    use: resolve('dev/build/package-loader.mjs'),
    type: 'javascript/esm',
    resolve: {
      alias: {
        '@ethereumjs/util$': standIn('eth-sig-util-util.ts'),
        'ethereum-cryptography/keccak$': standIn('keccak.ts'),
      },
    },
  },
  // The ERC-7730 engine takes little of its own package, which packs every format of Ethereum.
  {
    test: at('micro-eth-signer/clearsig.js'),
    use: resolve('dev/build/message-loader.mjs'),
    resolve: {
      alias: Object.fromEntries(
        [
          './abi/mapper',
          './core/address',
          './core/message',
          './utils',
          '@noble/curves/utils',
        ].map((name) => [
          `${name}.js$`,
          resolve('src/review/describe/micro-eth-signer.ts'),
        ]),
      ),
    },
  },
  {
    test: packages('@noble/(?:curves|hashes)', '@ethereumjs/(?:rlp|tx|util)'),
    use: resolve('dev/build/message-loader.mjs'),
  },
  {
    test: at('@ethereumjs/util/dist/esm/bytes.js'),
    use: resolve('dev/build/bigint-loader.mjs'),
  },
  { test: at('@noble/hashes/sha3.js'), use: resolve('dev/build/keccak-loader.mjs') },
];

/** Globals that the snap uses often and nothing replaces. */
const GLOBALS = [
  'Object',
  'Array',
  'Map',
  'Set',
  'WeakMap',
  'Promise',
  'Error',
  'TypeError',
  'RangeError',
  'BigInt',
  'Number',
  'String',
  'Boolean',
  'Symbol',
  'JSON',
  'RegExp',
  'Uint8Array',
  'Uint32Array',
  'BigUint64Array',
  'ArrayBuffer',
  'DataView',
  'TextEncoder',
  'TextDecoder',
  'URL',
  'Math',
  'Intl',
].join();

/**
 * Makes locals of globals. Under SES each use of a global is looked up in objects at run time,
 * also in the loops of a hash; a local is not, and minifies.
 */
const withLocals: WebpackPlugin = {
  apply({ hooks, webpack }) {
    const { Compilation, sources } = webpack;
    const options = {
      name: 'locals',
      stage: Compilation.PROCESS_ASSETS_STAGE_ADDITIONS,
    };
    hooks.compilation.tap('locals', (compilation) => {
      compilation.hooks.processAssets.tap(options, (assets) => {
        for (const [name, source] of Object.entries(assets)) {
          const wrapped = [`(({${GLOBALS}})=>{`, source, '})(globalThis)'] as const;
          compilation.updateAsset(name, new sources.ConcatSource(...wrapped));
        }
      });
    });
  },
};

/** Keeps the comments by which packages say what can be left out if nothing uses it: mm-snap's plugin
 * removes them before the minimizer comes. */
const keepComments: WebpackPlugin = {
  apply({ options: { plugins } }) {
    const own = plugins.find((each) => each?.constructor.name === 'SnapsWebpackPlugin');
    Object.assign((own as unknown as { options: object }).options, {
      stripComments: false,
    });
  },
};

/** Functions of superstruct, by their names in the bundle: packages make structs that nothing here
 * uses. */
const PURE =
  'array coerce definePattern enums exactOptional instance json_exactOptional json_object literal ' +
  'nullable number object optional pattern record selectiveUnion string types_boolean union ' +
  'unknown utilities_define';

/** Terser drops what nothing uses, while annotations still say so. swc inlines more than Terser, which
 * then drops what nothing uses any longer. */
const minimizer = new TerserPlugin({
  minify: [
    TerserPlugin.terserMinify,
    TerserPlugin.swcMinify,
    TerserPlugin.terserMinify,
  ],
  terserOptions: [
    { compress: { passes: 4, pure_funcs: PURE.split(' ') }, mangle: false },
    { compress: { passes: 3 } },
    { compress: { passes: 2 } },
  ],
});

const customize = (config: WebpackConfig): WebpackConfig => ({
  ...config,
  resolve: { ...config.resolve, alias },
  module: {
    ...config.module,
    // A stand-in that lacks an export fails the build.
    parser: { javascript: { exportsPresence: 'error' } },
    rules: [...(config.module?.rules ?? []), ...rules],
  },
  optimization: { ...config.optimization, minimizer: [minimizer] },
  plugins: [...(config.plugins ?? []), assertCompanion, keepComments, withLocals],
});

const config: SnapConfig = {
  input,
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
