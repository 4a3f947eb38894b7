// The wallet's entropy in tests: 32 bytes per source and salt, the same every time.
import type { EntropySource } from '@metamask/snaps-sdk';
import { keccak256, toHex } from 'viem';
import type { Hex } from 'viem';

import type { EntryPointVersion } from '../../src/core/entry-points';
import type { GetEntropy } from '../../src/core/keys';

/** An entropy function that keeps what it was asked for. */
export type TestEntropy = {
  getEntropy: GetEntropy;
  /** What the wallet lists. */
  sources: EntropySource[] | Error;
  asked: { salt: string; source: string | undefined }[];
};

/** The source that a wallet uses where none is named. */
export const PRIMARY_SOURCE = 'primary';

/** Gets the entropy for a salt of a source. */
export function entropyOf(salt: string, source = PRIMARY_SOURCE): Hex {
  return keccak256(toHex(`${source}|${salt}`));
}

/** Gets the private key that the ordinary account of an index must have. */
export function keyOfIndex(index: number, source?: string): Hex {
  return entropyOf(`tollkeeper/v1/${index}`, source);
}

/** Gets the private key that the owner of the smart account of an index must have. */
export function ownerKeyOfIndex(
  index: number,
  entryPoint: EntryPointVersion,
  source?: string,
): Hex {
  return entropyOf(`tollkeeper/v1/erc4337/${entryPoint}/${index}`, source);
}

/** Creates an entropy function. */
export function createEntropy(): TestEntropy {
  const asked: TestEntropy['asked'] = [];
  return {
    asked,
    sources: [
      { id: PRIMARY_SOURCE, name: 'Phrase 1', type: 'mnemonic', primary: true },
    ],
    getEntropy: async (salt, source) => {
      asked.push({ salt, source });
      await new Promise((resolve) => setImmediate(resolve));
      return entropyOf(salt, source);
    },
  };
}
