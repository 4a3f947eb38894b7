// What the bundle holds of others, and why: one row a package. The build's check names a
// package that is in the bundle and not here, or here and not in the bundle.

/** Packages of the bundle by name, with the reason. */
export const bundlePackages: Record<string, string> = {
  '@ethereumjs/rlp': 'the encoding of transactions',
  '@ethereumjs/tx': 'hashes, signs and writes transactions of every type',
  '@ethereumjs/util': 'addresses and keys, for `@ethereumjs/tx` and us',
  '@metamask/eth-sig-util': 'hashes and signs messages and typed data as MetaMask does',
  '@metamask/keyring-api': "structs of MetaMask's keyring requests and answers",
  '@metamask/keyring-utils': 'structs that `@metamask/keyring-api` is made of',
  '@metamask/snaps-sdk': "SnapError, and what dialogs are drawn with (MetaMask's own)",
  '@metamask/superstruct': 'checks of everything that comes in',
  '@metamask/utils': 'hex, bytes, JSON, CAIP ids',
  '@noble/curves': 'secp256k1',
  '@noble/hashes': 'Keccak-256, SHA-256, scrypt, PBKDF2',
  uuid: 'ids of accounts from their addresses',
};
