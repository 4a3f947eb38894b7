// Test projects, quickest first. What they load is made CommonJS: Jest evaluates that in half
// the time, and keeps no module of a test file that has ended.

// Packages that are published as ES modules alone.
const ESM_ONLY = [
  '@ethereumjs/(common|rlp|tx|util)',
  '@noble/(curves|hashes)',
  '@scure',
].join('|');

const project = (name, options = {}) => ({
  displayName: name,
  testMatch: [`<rootDir>/test/${name}/**/*.test.{ts,tsx}`],
  // A snap root of its own, whose package has the name of this one.
  modulePathIgnorePatterns: ['<rootDir>/dist/dev/'],
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

export default {
  // Node keeps the modules of every test file that it has run as ES modules. In one process
  // the whole suite outgrows Node's heap, so a worker runs it, which is replaced when it has
  // grown.
  workerIdleMemoryLimit: '1GB',
  // Live tests wait for other processes a good part of the time: two cores serve three.
  maxWorkers: 3,
  // A test that hangs must fail; one that a busy machine holds up must not.
  testTimeout: 180_000,
  projects: [
    project('architecture', {
      testMatch: ['<rootDir>/test/*.test.ts'],
      ...uncounted,
    }),
    project('unit'),
    project('entry'),
    project('property', {
      setupFilesAfterEnv: ['<rootDir>/test/support/short-stacks.mjs'],
    }),
    project('snap', {
      preset: '@metamask/snaps-jest',
      // The development build: some of them call as the companion page.
      testEnvironmentOptions: { server: { root: 'dist/dev' } },
      ...uncounted,
    }),
    project('live', uncounted),
    project('browser', uncounted),
  ],
  // Istanbul's, not V8's: that one counts no way past an `if`, takes a function that never
  // ran for one branch, and finds branches at a `finally`. Types are all that swc removes,
  // so the branches are those of the source. (package.json overrides what maps them back:
  // the version that Jest asks for loses every `if` that is never passed by.)
  coverageProvider: 'babel',
  collectCoverageFrom: ['src/client/**/*.ts', 'src/fees/**/*.ts'],
  coverageReporters: [['text', { skipFull: true }]],
  coverageThreshold: {
    './src/client/': { branches: 100 },
    './src/fees/': { branches: 100 },
  },
};
