// An esbuild plugin that replaces and empties the same modules as mm-snap's webpack build does.
import { isBuiltin } from 'node:module';
import { resolve } from 'node:path';

import type { Plugin } from 'esbuild';

import packages from './packages.json' with { type: 'json' };

const leftOut = Object.keys(packages.leftOut).map((path) =>
  resolve('node_modules', path),
);

export const LODASH = resolve('dev/build/lodash.mjs');

const EMPTY = { contents: '' };

export const asSnap: Plugin = {
  name: 'as-snap',
  setup(building) {
    building.onResolve({ filter: /^[@a-z]/ }, ({ path }) => {
      const found = packages.instead.find(({ of }) => of === path);
      if (found) return { path: resolve(found.by), sideEffects: false };
      const isNode = isBuiltin(path) && path !== 'buffer';
      return isNode ? { path, namespace: 'left-out' } : undefined;
    });
    building.onLoad({ filter: /./, namespace: 'left-out' }, () => EMPTY);
    building.onLoad({ filter: /node_modules/ }, ({ path }) =>
      leftOut.includes(path) ? EMPTY : undefined,
    );
  },
};
