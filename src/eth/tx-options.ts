// The rules that @ethereumjs/tx builds and reads the transactions of a chain by.
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import type { Common } from '@ethereumjs/common';
import type { TxOptions } from '@ethereumjs/tx';
import type { KZG } from '@ethereumjs/util';

import { InternalError } from '../errors';
import type { ChainId } from './chain';

/** The largest for which a legacy `v`, 36 + 2 × chain id, is a safe integer: beyond,
 * @ethereumjs/tx reads it wrongly. */
export const MAX_LEGACY_CHAIN_ID = (2n ** 53n - 37n) / 2n;

/** Most chains whose rules are kept; beyond, all are built anew. Anyone can name chains. */
const MAX_COMMONS = 100;

const commons = new Map<bigint, Common>();

const refuse = (): never => {
  throw new InternalError('Signing a blob transaction needs no KZG.');
};

/** @ethereumjs/tx wants KZG for any blob transaction, and uses it for sidecars alone. */
const kzg: KZG = {
  blobToKzgCommitment: refuse,
  computeBlobProof: refuse,
  verifyProof: refuse,
  verifyBlobProofBatch: refuse,
  computeCells: refuse,
  computeCellsAndProofs: refuse,
  recoverCellsAndProofs: refuse,
  verifyCellKzgProofBatch: refuse,
};

/**
 * Give the options for building a transaction of a chain. A transaction is checked by the
 * rules of Prague, whatever those of the chain; which types it takes is the chain's to say.
 */
export function txOptionsOf(chainId: ChainId): TxOptions {
  // So is the size of init code.
  return { common: getCommon(chainId), allowUnlimitedInitCodeSize: true };
}

// Building the rules of a chain costs more than signing does, and they never change.
function getCommon(chainId: bigint): Common {
  const known = commons.get(chainId);
  if (known) return known;
  const common = createCustomCommon({ chainId: chainId.toString() }, Mainnet, {
    hardfork: Hardfork.Prague,
    customCrypto: { kzg },
  });
  if (commons.size >= MAX_COMMONS) commons.clear();
  commons.set(chainId, common);
  return common;
}
