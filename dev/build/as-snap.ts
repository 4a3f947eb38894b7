// Bundles the app with esbuild as mm-snap does with webpack, with the stand-ins and loaders of
// snap.config.ts.
import { readFile } from 'node:fs/promises';

import type { Plugin } from 'esbuild';

import config from '../../snap.config';

/** A rule of webpack, as far as snap.config.ts uses them. */
type Rule = {
  test: RegExp | string;
  exclude?: RegExp;
  use?: string;
  sideEffects?: boolean;
  resolve?: { alias: Record<string, string> };
};

type Loader = (this: { resourcePath: string }, source: string) => string;

/** Marks questions of this plugin itself, which esbuild answers. */
const ASKED = 'asked';

/** Replaces unused modules that cannot be converted to ES modules. */
const UNUSED = { contents: 'export {};' };

export const asSnap: Plugin = {
  name: 'as-snap',
  setup(building) {
    const { resolve, module } = config.customizeWebpackConfig?.({}) ?? {};
    const { alias = {} } = (resolve ?? {}) as { alias?: Record<string, string> };
    const rules = (module?.rules ?? []) as unknown as Rule[];
    const listRules = (path: string): Rule[] =>
      rules.filter(({ test }) =>
        typeof test === 'string' ? path === test : test.test(path),
      );
    building.onResolve({ filter: /./ }, async (asked) => {
      const { path, importer, kind, resolveDir } = asked;
      if (asked.pluginData === ASKED) return undefined;
      const own = listRules(importer).map((rule) => rule.resolve?.alias ?? {});
      const aliases = Object.assign({}, alias, ...own) as Record<string, string>;
      const standIn = aliases[`${path}$`];
      if (standIn !== undefined) return { path: standIn };
      const found = await building.resolve(path, {
        importer,
        kind,
        resolveDir,
        pluginData: ASKED,
      });
      const isPure = listRules(found.path).some((each) => each.sideEffects === false);
      return isPure ? { ...found, sideEffects: false } : found;
    });
    building.onLoad({ filter: /node_modules.*\.js$/ }, async ({ path }) => {
      const rule = listRules(path).find(({ use }) => use !== undefined);
      if (rule?.use === undefined) return undefined;
      if (rule.exclude?.test(path)) return UNUSED;
      const { default: load } = (await import(rule.use)) as { default: Loader };
      return {
        contents: load.call({ resourcePath: path }, await readFile(path, 'utf8')),
      };
    });
  },
};
