// Test projects, quickest first. What they load is made CommonJS, so that Jest needs no
// --experimental-vm-modules.
import { existsSync } from 'node:fs';

// Packages that are published as ES modules alone.
const ESM_ONLY = [
  '@ethereumjs/(common|rlp|tx|util)',
  '@noble/(curves|hashes)',
  '@scure',
  '@wagmi',
  'micro-(eth-signer|packed)',
  'mipd',
  'zustand',
].join('|');

// Test files of these projects share the packages that they load, which is half of their time.
const sharing = {
  testEnvironment: '<rootDir>/test/support/shared-realm.mjs',
  runtime: '<rootDir>/test/support/shared-packages.cjs',
};

const project = (name, options = {}) => ({
  displayName: name,
  testMatch: [`<rootDir>/test/${name}/**/*.test.{ts,tsx}`],
  testRunner: '<rootDir>/test/support/run-tests.mjs',
  // Copies of the package: the development snap, and what npm run verify unpacks.
  modulePathIgnorePatterns: ['<rootDir>/dist/(dev|verify)/'],
  transformIgnorePatterns: [`/node_modules/(?!(${ESM_ONLY})/)`],
  transform: {
    '\\.(ts|tsx|js|mjs)$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          target: 'es2022',
          transform: {
            react: { runtime: 'automatic', importSource: '@metamask/snaps-sdk' },
          },
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  ...options,
});

// Coverage comes from quick tests alone: what only a live one passes is not tested closely.
const uncounted = { coveragePathIgnorePatterns: ['<rootDir>/'] };

// What a platform lacks, its tests cannot need: they are skipped. On Linux nothing is.
const skipUnless = (isThere, reason) => {
  if (isThere || process.platform === 'linux') return {};
  process.stderr.write(`Skipping tests: ${reason}.\n`);
  return { setupFilesAfterEnv: ['<rootDir>/test/support/skip-all.mjs'] };
};
const cpu = process.arch === 'x64' ? 'amd64' : process.arch;
const anvil = `@foundry-rs/anvil-${process.platform}-${cpu}`;
const hasAnvil = existsSync(new URL(`node_modules/${anvil}`, import.meta.url));

export default {
  workerIdleMemoryLimit: '1GB',
  // Live tests wait for other processes a good part of the time: two cores serve three.
  maxWorkers: 3,
  // For what hangs, not for what is slow: a browser with a stack starts in 11 s by itself, and in 30 s
  // beside two others. npm test -- --runs N makes it longer.
  testTimeout: 120_000 * Math.max(1, Number(process.env.TEST_RUNS ?? 1)),
  projects: [
    project('unit', sharing),
    project('entry', sharing),
    project('property', {
      ...sharing,
      setupFilesAfterEnv: ['<rootDir>/test/support/short-stacks.mjs'],
    }),
    project('snap', {
      preset: '@metamask/snaps-jest',
      testEnvironment: '<rootDir>/test/support/snap-environment.mjs',
      // The development build: some of them call as the companion page.
      testEnvironmentOptions: { server: { root: 'dist/dev' } },
      ...uncounted,
    }),
    project('live', {
      ...uncounted,
      ...skipUnless(hasAnvil, `the live tests need ${anvil}, which is missing`),
    }),
    project('browser', {
      ...uncounted,
      ...skipUnless(
        false,
        'the browser tests need @sparticuz/chromium, which is for Linux',
      ),
    }),
  ],
  // Istanbul's, not V8's: that one counts no way past an `if`, takes a function that never
  // ran for one branch, and finds branches at a `finally`. Types are all that swc removes,
  // so the branches are those of the source. (package.json overrides what maps them back:
  // the version that Jest asks for loses every `if` that is never passed by.)
  coverageProvider: 'babel',
  collectCoverageFrom: ['packages/client/src/**/*.ts', 'src/fees/**/*.ts'],
  coverageReporters: [['text', { skipFull: true }]],
  coverageThreshold: {
    './packages/client/src/': { branches: 100 },
    './src/fees/': { branches: 100 },
  },
};
