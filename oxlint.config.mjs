// Lint rules: the dependency rule of docs/internals/architecture.md, the wall around the core, circles, and
// who may touch which global. Lint checks the types too. Formatting is Prettier's.
import {
  appImports,
  coreImports,
  entropyNames,
  platformNames,
} from './dev/lint/core.mjs';
import { devZone, layerZones, productZones } from './dev/lint/layers.mjs';

const platformGlobals = ['snap', 'ethereum'].map((name) => ({
  name,
  message: 'Only src/platform names the platform globals.',
}));

const toErrors = (rules) => Object.fromEntries(rules.map((rule) => [rule, 'error']));

export default {
  ignorePatterns: [
    'dist',
    'examples/modals',
    // It is compiled with the packed package, which a checkout does not have.
    'examples/starter',
    'docs/reference/api',
    'coverage',
    '.cache',
  ],
  options: {
    typeAware: true,
    typeCheck: true,
    denyWarnings: true,
    reportUnusedDisableDirectives: 'error',
  },
  categories: { correctness: 'error' },
  plugins: ['eslint', 'typescript', 'import'],
  jsPlugins: ['./dev/lint/imports.mjs', './dev/lint/names.mjs'],
  settings: {
    'import-x/resolver': { node: { extensions: ['.ts', '.tsx', '.mjs', '.js'] } },
  },
  rules: {
    ...toErrors([
      'eqeqeq',
      'import/no-default-export',
      'import/no-duplicates',
      'no-array-constructor',
      'no-console',
      'no-var',
      'prefer-const',
      'prefer-rest-params',
      'prefer-spread',
    ]),
    curly: ['error', 'multi-line'],
    'max-params': ['error', { max: 3 }],
    'import/no-cycle': ['error', { ignoreExternal: true, ignoreTypes: false }],
    'imports/order': [
      'error',
      {
        groups: ['builtin', 'external', ['parent', 'sibling', 'index']],
        // Examples import the package by its name.
        pathGroups: [{ pattern: 'tollkeeper-snap/**', group: 'external' }],
        pathGroupsExcludedImportTypes: [],
        'newlines-between': 'always',
        alphabetize: { order: 'asc' },
      },
    ],
    // Reading a member of a namespace by a computed name is fine.
    'import/namespace': 'off',
  },
  overrides: [
    { files: ['**/*.js', '**/*.mjs'], plugins: ['eslint', 'import'], rules: {} },
    {
      files: ['**/*.ts', '**/*.tsx'],
      rules: {
        ...toErrors([
          'typescript/ban-ts-comment',
          'typescript/consistent-type-imports',
          'typescript/explicit-module-boundary-types',
          'typescript/no-empty-object-type',
          'typescript/no-explicit-any',
          'typescript/no-misused-promises',
          'typescript/no-namespace',
          'typescript/no-non-null-assertion',
          'typescript/no-require-imports',
          'typescript/no-unnecessary-type-assertion',
          'typescript/no-unnecessary-type-constraint',
          'typescript/no-unsafe-argument',
          'typescript/no-unsafe-assignment',
          'typescript/no-unsafe-call',
          'typescript/no-unsafe-enum-comparison',
          'typescript/no-unsafe-function-type',
          'typescript/no-unsafe-member-access',
          'typescript/no-unsafe-return',
          'typescript/only-throw-error',
          'typescript/prefer-promise-reject-errors',
          'typescript/require-await',
          'typescript/restrict-plus-operands',
          'typescript/switch-exhaustiveness-check',
        ]),
        'typescript/consistent-type-definitions': ['error', 'type'],
        // Texts are split into code points, and a struct is made of another.
        'typescript/no-misused-spread': 'off',
        // It takes what noUncheckedIndexedAccess adds for impossible.
        'typescript/no-useless-default-assignment': 'off',
        // Short lists of a test, of numbers below ten.
        'typescript/require-array-sort-compare': 'off',
      },
    },
    {
      files: ['src/**', 'packages/{client,playwright,provider,testing,viem,wagmi}/**'],
      rules: {
        'imports/no-restricted-paths': ['error', { zones: layerZones }],
        'no-restricted-globals': [
          'error',
          ...platformGlobals,
          {
            name: 'process',
            message: 'Only src/config.ts reads the build environment.',
          },
          { name: 'setTimeout', message: 'A timer does not outlive a request.' },
          { name: 'setInterval', message: 'A timer does not outlive a request.' },
        ],
      },
    },
    {
      // It runs in Node alone: timers and process are its own affair.
      files: ['packages/service/**'],
      rules: { 'imports/no-restricted-paths': ['error', { zones: layerZones }] },
    },
    {
      files: ['src/**', 'packages/**'],
      rules: {
        'no-restricted-imports': ['error', coreImports],
        'names/restricted': ['error', entropyNames],
      },
    },
    {
      files: ['src/core/**'],
      rules: {
        'no-restricted-imports': 'off',
        'names/restricted': ['error', platformNames],
      },
    },
    {
      // Creates the core.
      files: ['src/app.ts'],
      rules: {
        'no-restricted-imports': ['error', appImports],
        'names/restricted': ['error', platformNames],
      },
    },
    {
      // The platform, and the wallet for tests in its place.
      files: ['src/platform/**', 'packages/testing/**'],
      rules: { 'names/restricted': 'off' },
    },
    {
      files: ['dev/**'],
      rules: {
        'imports/no-restricted-paths': ['error', { zones: [devZone, ...productZones] }],
      },
    },
    {
      // What helpers of tests return is where they make it.
      files: ['test/**'],
      rules: { 'typescript/explicit-module-boundary-types': 'off' },
    },
    {
      // The Snaps JSX types name no type for an element as such.
      files: ['src/**/*.tsx'],
      rules: { 'typescript/no-unsafe-return': 'off' },
    },
    { files: ['src/platform/**'], rules: { 'no-restricted-globals': 'off' } },
    {
      // Time limits of the client and of Playwright's wallet, polls, the test wallet's clock: in a page
      // and in Node as well.
      files: ['packages/{client,playwright,provider,testing}/**', 'src/config.ts'],
      rules: { 'no-restricted-globals': ['error', ...platformGlobals] },
    },
    {
      files: ['src/platform/boundary.ts', 'examples/**'],
      rules: { 'no-console': 'off' },
    },
    {
      // They replace methods of Node, and call what they replaced on the same object.
      files: ['dev/**/*.mjs'],
      rules: { 'typescript/unbound-method': 'off' },
    },
    {
      // Their tools ask for a default export.
      files: [
        '**/*.config.ts',
        '*.config.js',
        '*.config.mjs',
        'test/support/run-tests.mjs',
      ],
      rules: { 'import/no-default-export': 'off' },
    },
  ],
};
