// What the bundle holds of others, and why: one row a package. The build's check names a
// package that is in the bundle and not here, or here and not in the bundle.

/** Packages of the bundle by name, with the reason. */
export const bundlePackages: Record<string, string> = {
  '@ethereumjs/common': 'rules of chains and hardforks, for `@ethereumjs/tx`',
  '@ethereumjs/rlp': 'the encoding of transactions',
  '@ethereumjs/tx': 'hashes, signs and writes transactions of every type',
  '@ethereumjs/util': 'addresses and keys, for `@ethereumjs/tx` and us',
  '@metamask/abi-utils': 'the ABI encoding of typed data, for `@metamask/eth-sig-util`',
  '@metamask/eth-sig-util': 'hashes and signs messages and typed data as MetaMask does',
  '@metamask/keyring-api': "structs of MetaMask's keyring requests and answers",
  '@metamask/keyring-utils': 'structs that `@metamask/keyring-api` is made of',
  '@metamask/snaps-sdk': "SnapError, and what dialogs are drawn with (MetaMask's own)",
  '@metamask/superstruct': 'checks of everything that comes in',
  '@metamask/utils': 'hex, bytes, JSON, CAIP ids',
  '@noble/curves': 'secp256k1',
  '@noble/hashes': 'Keccak-256, SHA-256, scrypt, PBKDF2',
  '@scure/base': 'base64, for `@metamask/utils`',
  'async-mutex': 'one writer at a time of a stored document',
  uuid: 'ids of accounts from their addresses',
};
