// Rules that protect src/core: which of its files may be imported, and which code may sign.

/** Files that only compute and declare. The other files handle keys, approvals or dialogs. */
const importable = [
  'authorization',
  'digest',
  'entry-points',
  'errors',
  'frame',
  'hex',
  'message',
  'operation',
  'payload',
  'safe',
  'transaction',
  'typed-data',
];

const toClosed = (/** @type {readonly string[]} */ names) => [
  '**/core/*',
  ...names.map((name) => `!**/core/${name}`),
];

const curves = ['@noble/curves', '@noble/secp256k1', 'ethereum-cryptography'];

const signers = {
  '@metamask/eth-sig-util': [
    'personalSign',
    'signTypedData',
    'signEIP7702Authorization',
    'decrypt',
    'decryptSafely',
  ],
  '@ethereumjs/util': ['eoaCode7702SignAuthorization'],
};

const SIGNING = 'Only src/core signs: use `core` from the context.';

const CLOSED = 'Only src/app.ts creates the core: use `core` from the context.';

/** Types may be imported everywhere. */
const toImports = (/** @type {readonly string[]} */ names) => ({
  paths: Object.entries(signers).map(([name, importNames]) => ({
    name,
    importNames,
    message: SIGNING,
  })),
  patterns: [
    { group: curves.flatMap((name) => [name, `${name}/**`]), message: SIGNING },
    { group: toClosed(names), allowTypeImports: true, message: CLOSED },
    // Matches the folder itself and its subfolders.
    { regex: '^\\..*/core(?:/[^/]+/.+)?$', allowTypeImports: true, message: CLOSED },
  ],
});

export const coreImports = toImports(importable);

export const appImports = toImports([...importable, 'core']);

export const platformNames = [
  { name: 'snap_getEntropy', message: 'Only src/platform asks MetaMask for entropy.' },
];

export const entropyNames = [
  ...platformNames,
  {
    name: 'getEntropy',
    message: 'Only src/core uses entropy; src/app.ts passes it on from src/platform.',
  },
];
