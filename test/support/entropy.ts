// The wallet's entropy in tests: a fixed 32 bytes per source and salt.
import type { EntropySource } from '@metamask/snaps-sdk';
import { keccak256, toHex } from 'viem';
import type { Hex } from 'viem';

import type { EntryPointVersion } from '../../src/core/entry-points';
import type { GetEntropy } from '../../src/core/keys';

/** An entropy function that records its calls. */
export type TestEntropy = {
  getEntropy: GetEntropy;
  /** The sources that the wallet lists. */
  sources: EntropySource[] | Error;
  asked: { salt: string; source: string | undefined }[];
};

export const PRIMARY_SOURCE = 'primary';

export function entropyOf(salt: string, source = PRIMARY_SOURCE): Hex {
  return keccak256(toHex(`${source}|${salt}`));
}

/** Returns the expected private key of the ordinary account at an index. */
export function keyOfIndex(index: number, source?: string): Hex {
  return entropyOf(`tollkeeper/v1/${index}`, source);
}

/** Returns the expected owner key of the smart account at an index. */
export function ownerKeyOfIndex(
  index: number,
  entryPoint: EntryPointVersion,
  source?: string,
): Hex {
  return entropyOf(`tollkeeper/v1/erc4337/${entryPoint}/${index}`, source);
}

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
