// Test projects, quickest first. Modules run as ES modules (dev/test/run.ts starts Node
// with what Jest needs for that).
const project = (name, options = {}) => ({
  displayName: name,
  testMatch: [`<rootDir>/test/${name}/**/*.test.{ts,tsx}`],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          target: 'es2022',
          transform: {
            react: { runtime: 'automatic', importSource: '@metamask/snaps-sdk' },
          },
        },
        module: { type: 'es6' },
      },
    ],
  },
  ...options,
});

export default {
  projects: [
    project('architecture', { testMatch: ['<rootDir>/test/architecture.test.ts'] }),
    project('unit'),
    project('property'),
    project('snap', { preset: '@metamask/snaps-jest' }),
    project('live'),
    project('browser'),
  ],
};
