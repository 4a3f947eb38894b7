// What the bundle holds of others, and why: one row a package. The build's check names a
// package that is in the bundle and not here, or here and not in the bundle.

/** Who has asked for what is there only because something else asks for it. */
const forSigUtil = '`@metamask/eth-sig-util`';
const forUtil8 = 'stand-in for a module of Node that `@ethereumjs/util` 8 asks for';

/** Packages of the bundle by name, with the reason. */
export const bundlePackages: Record<string, string> = {
  '@ethereumjs/common': 'rules of chains and hardforks, for `@ethereumjs/tx`',
  '@ethereumjs/rlp': 'the encoding of transactions',
  '@ethereumjs/tx': 'hashes, signs and writes transactions of every type',
  '@ethereumjs/util': 'addresses and keys, for `@ethereumjs/tx` and us',
  '@metamask/abi-utils': `the ABI encoding of typed data, for ${forSigUtil}`,
  '@metamask/eth-sig-util': 'hashes and signs messages and typed data as MetaMask does',
  '@metamask/keyring-api': "structs of MetaMask's keyring requests and answers",
  '@metamask/keyring-utils': 'structs that `@metamask/keyring-api` is made of',
  '@metamask/scure-bip39': 'a struct of `@metamask/keyring-api` names its words',
  '@metamask/snaps-sdk': "SnapError, and what dialogs are drawn with (MetaMask's own)",
  '@metamask/superstruct': 'checks of everything that comes in',
  '@metamask/utils': 'hex, bytes, JSON, CAIP ids',
  '@noble/curves': 'secp256k1',
  '@noble/hashes': 'Keccak-256, SHA-256, scrypt, PBKDF2',
  '@scure/base': 'base64 and bech32, for `@metamask/utils` and `@metamask/keyring-api`',
  'async-mutex': 'one writer at a time of a stored document',
  'base64-js': 'for `buffer`',
  'bitcoin-address-validation': 'a struct of `@metamask/keyring-api` checks with it',
  buffer: `Node's Buffer, for ${forSigUtil}`,
  debug: 'a logger of `@metamask/utils`, which is never turned on',
  'ethereum-cryptography': `Keccak-256 under another name, for ${forSigUtil}`,
  eventemitter3: 'for `@ethereumjs/common`',
  'fast-deep-equal': 'whether what is stored has changed',
  ieee754: 'for `buffer`',
  lodash: '`memoize`, for `@metamask/utils`',
  'micro-ftch': 'for `@ethereumjs/util` 8; the snap never calls it',
  ms: 'for `debug`',
  'pony-cause': 'causes of errors, for `@metamask/utils`',
  semver: 'versions, for `@metamask/utils`',
  tweetnacl: `encryption of ${forSigUtil}, which the snap does not offer`,
  uuid: 'ids of accounts from their addresses',
  // Gone as soon as the copy of @ethereumjs/util is that asks for them.
  ...Object.fromEntries(
    [
      ...['async-function', 'async-generator-function', 'available-typed-arrays'],
      ...['call-bind', 'call-bind-apply-helpers', 'call-bound', 'define-data-property'],
      ...['dunder-proto', 'es-define-property', 'es-errors', 'es-object-atoms'],
      ...['events', 'for-each', 'function-bind', 'generator-function', 'get-intrinsic'],
      ...['get-proto', 'gopd', 'has-property-descriptors', 'has-symbols'],
      ...['has-tostringtag', 'hasown', 'inherits', 'is-arguments', 'is-callable'],
      ...['is-generator-function', 'is-regex', 'is-typed-array', 'math-intrinsics'],
      ...['object-inspect', 'possible-typed-array-names', 'punycode', 'qs'],
      ...['safe-regex-test', 'set-function-length', 'side-channel'],
      ...['side-channel-list', 'side-channel-map', 'side-channel-weakmap', 'url'],
      ...['util', 'which-typed-array'],
    ].map((name) => [name, forUtil8]),
  ),
};
