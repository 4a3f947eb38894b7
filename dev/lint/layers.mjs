// The dependency rule as data: an import goes only rightwards, and inside a column
// only within its own folder. ESLint's zones and the architecture test read it.

/** Columns of `src`, leftmost first; names of one column may not import each other. */
export const columns = [
  ['index.ts'],
  ['entry-points.ts'],
  ['app.ts'],
  ['handlers', 'home'],
  ['keyring'],
  ['methods'],
  ['accounts', 'chains', 'fees', 'activity', 'ui'],
  ['client', 'state'],
  ['eth'],
  ['platform', 'schema'],
  ['errors.ts', 'evaluations.ts', 'same-json.ts'],
];

const path = (/** @type {string} */ name) => `./src/${name}`;

/** Zones for `import-x/no-restricted-paths`: what may not be imported into what. */
export const layerZones = [
  ...columns.slice(1).flatMap((names, index) =>
    names.map((name) => ({
      target: path(name),
      from: [
        ...columns.slice(0, index + 1).flat(),
        ...names.filter((neighbour) => neighbour !== name),
      ].map(path),
      message: 'Imports go rightwards: see the dependency rule in CONTRIBUTING.md.',
    })),
  ),
  {
    target: columns
      .flat()
      .filter((name) => name !== 'app.ts' && name !== 'index.ts')
      .map(path),
    from: path('config.ts'),
    message: 'Only src/index.ts reads the configuration.',
  },
  {
    target: path('provider'),
    from: columns.flat().map(path),
    message: 'The provider runs in pages: it imports nothing of the snap.',
  },
  {
    target: columns.flat().map(path),
    from: path('provider'),
    message: 'The provider runs in pages: the snap imports nothing of it.',
  },
  {
    target: './src',
    from: ['./dev', './test'],
    message: 'src imports neither dev nor test.',
  },
];

/** What both dev and test need lives in dev. */
export const devZone = {
  target: './dev',
  from: './test',
  message: 'dev does not import test.',
};
