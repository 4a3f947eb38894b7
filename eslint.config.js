// Lint rules: the dependency rule of docs/internals/architecture.md, circles, and who may touch which
// global. Formatting is Prettier's.
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

import { devZone, layerZones, productZones } from './dev/lint/layers.mjs';

const platformGlobals = ['snap', 'ethereum'].map((name) => ({
  name,
  message: 'Only src/platform names the platform globals.',
}));

export default tseslint.config(
  {
    ignores: [
      'dist',
      'packages/*/dist',
      'examples/modals',
      'docs/reference/api',
      'coverage',
      'node_modules',
      '.cache',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js', '*.mjs'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/extensions': ['.ts', '.tsx', '.mjs', '.js'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
      'import-x/resolver-next': [createTypeScriptImportResolver()],
    },
    rules: {
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-default-export': 'error',
      'import-x/no-duplicates': 'error',
      'import-x/order': [
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
      'max-params': ['error', { max: 3 }],
      'no-console': 'error',
      eqeqeq: 'error',
      curly: ['error', 'multi-line'],
    },
  },
  {
    files: ['src/**'],
    rules: {
      'import-x/no-restricted-paths': ['error', { zones: layerZones }],
      'no-restricted-globals': [
        'error',
        ...platformGlobals,
        { name: 'process', message: 'Only src/config.ts reads the build environment.' },
        { name: 'setTimeout', message: 'A timer does not outlive a request.' },
        { name: 'setInterval', message: 'A timer does not outlive a request.' },
      ],
    },
  },
  {
    files: ['dev/**'],
    rules: {
      'import-x/no-restricted-paths': ['error', { zones: [devZone, ...productZones] }],
    },
  },
  {
    // The Snaps JSX types name no type for an element as such.
    files: ['src/**/*.tsx'],
    rules: { '@typescript-eslint/no-unsafe-return': 'off' },
  },
  { files: ['src/platform/**'], rules: { 'no-restricted-globals': 'off' } },
  {
    // The client's time limits, the provider's polls; they run in a page and in Node as well.
    files: ['src/client/**', 'src/provider/**'],
    rules: { 'no-restricted-globals': ['error', ...platformGlobals] },
  },
  {
    files: ['src/config.ts'],
    rules: { 'no-restricted-globals': ['error', ...platformGlobals] },
  },
  {
    files: ['src/platform/boundary.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // Tables of cases: the type of a table is that of its functions.
    files: ['packages/conformance/src/eip*.ts'],
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' },
  },
  {
    // Their tools ask for a default export.
    files: ['**/*.config.ts', '*.config.js', '*.config.mjs'],
    rules: { 'import-x/no-default-export': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' },
  },
);
