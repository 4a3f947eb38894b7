// The Secret Recovery Phrases that the wallet holds, as its packages ask for them:
// by entropy source, the first being the primary one.
import { mnemonicPhraseToBytes, mnemonicToSeed } from '@metamask/key-tree';
import type { EntropySource } from '@metamask/snaps-sdk';

/** The development phrase of anvil and most other tools. Never holds value. */
export const DEFAULT_MNEMONIC =
  'test test test test test test test test test test test junk';

/** The wallet's phrases behind MetaMask's hooks. */
export type Secrets = {
  getMnemonic(source?: string): Promise<Uint8Array>;
  getMnemonicSeed(source?: string): Promise<Uint8Array>;
  getEntropySources(): EntropySource[];
};

/**
 * Create the hooks over a list of phrases.
 *
 * @param mnemonics - BIP-39 phrases; the first one is the primary source.
 * @returns Hooks that throw, as MetaMask does, for an unknown source.
 */
export function createSecrets(mnemonics: [string, ...string[]]): Secrets {
  const sources = mnemonics.map((mnemonic, index) => ({
    mnemonic,
    id: `entropy-source-${index + 1}`,
  }));
  // The derivation costs milliseconds, and every state write asks for it anew.
  const seeds = new Map<string, Promise<Uint8Array>>();

  function find(source?: string): string {
    const found = source
      ? sources.find(({ id }) => id === source)?.mnemonic
      : mnemonics[0];
    if (!found) throw new Error(`Entropy source with ID "${source}" not found.`);
    return found;
  }

  return {
    getMnemonic: (source) =>
      Promise.resolve().then(() => mnemonicPhraseToBytes(find(source))),
    async getMnemonicSeed(source) {
      const mnemonic = find(source);
      const seed = seeds.get(mnemonic) ?? mnemonicToSeed(mnemonic);
      seeds.set(mnemonic, seed);
      return await seed;
    },
    getEntropySources: () =>
      sources.map(({ id }, index) => ({
        id,
        name: `Secret Recovery Phrase ${index + 1}`,
        type: 'mnemonic',
        primary: index === 0,
      })),
  };
}
