// The direction of imports, as data: each level may import the levels below it. Folders on the same
// level may import each other, except for features. The rule import/no-cycle forbids cycles.

/** The levels from top to bottom. `client` is in `packages`, and all others are in `src`. */
export const levels = [
  ['index.ts', 'insight-snap'],
  ['entry-points.ts'],
  ['app.ts'],
  ['home', 'insights', 'management.ts', 'pipeline.ts'],
  ['calls'],
  ['message', 'typed-data', 'transaction', 'operation'],
  [
    'accounts',
    'activity',
    'chains',
    'fees',
    'permissions',
    'review',
    'sites',
    'context.ts',
    'config.ts',
    'request.ts',
  ],
  ['client', 'platform', 'state', 'ui'],
  ['eth'],
  ['schema'],
  ['routes.ts'],
  ['core'],
];

const features = ['message', 'typed-data', 'transaction', 'operation'];

const forDapps = ['playwright', 'provider', 'testing', 'viem', 'wagmi'];

const packages = ['client', 'service', ...forDapps];

const path = (/** @type {string} */ name) =>
  packages.includes(name) ? `./packages/${name}` : `./src/${name}`;

const rooms = levels.flat();

const forbidden = [
  // The core has its own, stricter zones.
  ...levels.slice(1, -1).map((target, index) => ({
    target,
    from: levels.slice(0, index + 1).flat(),
    message: 'Imports run downwards: see the map in docs/internals/architecture.md.',
  })),
  ...features.map((name) => ({
    target: [name],
    // Transactions of smart accounts are sent as user operations.
    from: features.filter(
      (other) => other !== name && !(name === 'transaction' && other === 'operation'),
    ),
    message: 'Features do not import each other: move what they share down.',
  })),
  {
    target: ['provider'],
    from: rooms.filter((name) => name !== 'routes.ts'),
    message:
      'The provider runs in pages: it imports nothing of the snap but the routes.',
  },
  {
    target: ['playwright', 'viem', 'wagmi'],
    from: rooms,
    message: 'Adapters run in pages: they import nothing of the snap.',
  },
  {
    // The service may use hex, units, parsing with its errors, and the calculation of fees.
    target: ['service'],
    from: [...rooms, ...forDapps].filter(
      (name) => !['client', 'eth', 'fees', 'schema', 'core'].includes(name),
    ),
    message: 'The service imports the client, and of the snap only protocol code.',
  },
  {
    target: [...rooms, ...forDapps],
    from: ['service'],
    message: 'The service is a program: nothing imports it.',
  },
  {
    target: rooms,
    from: forDapps,
    message: 'The snap does not import packages for dapps.',
  },
  {
    target: ['insight-snap'],
    from: ['accounts', 'activity', 'sites', 'app.ts', 'entry-points.ts', 'index.ts'],
    message: 'The insight snap has no accounts, and nobody calls it.',
  },
  {
    target: ['client'],
    from: ['platform', 'state', 'ui'],
    message:
      'The client runs in pages and in Node: it imports nothing of the platform.',
  },
];

const CORE_ALONE =
  'The core imports libraries and itself: pass it what it needs of Tollkeeper, or move that in.';

export const layerZones = [
  { target: './src/core', from: './src', except: ['./core'], message: CORE_ALONE },
  { target: './src/core', from: './packages', message: CORE_ALONE },
  ...forbidden.map(({ target, from, message }) => ({
    target: target.map(path),
    from: from.map(path),
    message,
  })),
  {
    target: ['./src', './packages'],
    from: ['./dev', './test'],
    message: 'src and packages import neither dev nor test.',
  },
];

export const devZone = {
  target: './dev',
  from: './test',
  message: 'dev does not import test.',
};

const products = ['dapp', 'wallet'];

const shared = ['client', 'ui', 'eth', 'fees', 'home', ...levels.slice(-3).flat()];

export const productZones = products.map((name) => ({
  target: `./dev/${name}`,
  from: [
    ...products.filter((other) => other !== name).map((other) => `./dev/${other}`),
    './packages/service',
    ...rooms.filter((room) => !shared.includes(room)).map(path),
  ],
  message:
    'Page and wallet import no internals of the snap, of the service or of each other.',
}));
