// Derives Tollkeeper's keys as described in docs/security/keys.md, without MetaMask and without
// Tollkeeper's code. BIP-39, BIP-32 and Keccak-256 come from ethers.
import {
  concat,
  getBytes,
  HDNodeWallet,
  keccak256,
  Mnemonic,
  toUtf8Bytes,
} from 'ethers';

export type Derivation = {
  /** Id of the installed snap: `npm:…` or `local:…`. */
  snapId: string;
  index: number;
  /** Version of a smart account's EntryPoint. Omitted for standard accounts. */
  entryPoint?: string;
  /** Set for a Safe. */
  implementation?: 'safe';
};

/** SIP-6's branch of the tree is 0xd36e6170: "Snap" in ASCII with the highest bit set. That bit
 * marks a hardened step. It is removed here, because the path uses `'` for hardened steps. */
const SIP_6_BRANCH = 0xd36e6170 - 0x80000000;

/**
 * Recovers a key from a Secret Recovery Phrase. The key's address is the standard account, or the
 * owner of the smart account. Throws a RangeError, which does not quote the phrase, if the phrase
 * is invalid.
 *
 * @see https://metamask.github.io/SIPs/SIPS/sip-6
 */
export function recover(
  phrase: string,
  derivation: Derivation,
): Pick<HDNodeWallet, 'privateKey' | 'address'> {
  const words = phrase.normalize('NFKD').toLowerCase().trim().split(/\s+/u).join(' ');
  if (!Mnemonic.isValidMnemonic(words)) {
    throw new RangeError(
      'This is not a valid Secret Recovery Phrase: it must have 12 to 24 English words, the last of which is a checksum.',
    );
  }
  const seed = Mnemonic.fromPhrase(words).computeSeed();
  const node = HDNodeWallet.fromSeed(seed).derivePath(pathOf(derivation));
  return { privateKey: node.privateKey, address: node.address };
}

/** Returns a key's BIP-32 path, which consists of nine hardened steps. */
export function pathOf(derivation: Derivation): string {
  const { snapId, index, entryPoint, implementation = 'erc4337' } = derivation;
  const owner = entryPoint === undefined ? '' : `${implementation}/${entryPoint}/`;
  const salt = keccak256(toUtf8Bytes(`tollkeeper/v1/${owner}${index}`));
  const hash = getBytes(keccak256(concat([toUtf8Bytes(snapId), salt])));
  const words = new DataView(hash.buffer, hash.byteOffset);
  // Removes the highest bit, which marks a hardened step: the path uses `'` for that.
  const steps = Array.from(
    { length: 8 },
    (_none, place) => words.getUint32(4 * place) % 2 ** 31,
  );
  return ['m', ...[SIP_6_BRANCH, ...steps].map((step) => `${step}'`)].join('/');
}
