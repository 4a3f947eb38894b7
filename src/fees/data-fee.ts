// What an OP-stack chain charges, beside the gas, for publishing a transaction on its base layer.
import { hexToBytes } from '@metamask/utils';

import type { CallOptions, NodeClient } from '../client';
import { UnavailableError } from '../errors';
import { encodeCall, findWord } from '../eth/abi';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { findKnownChain } from '../eth/known-chains';

/** GasPriceOracle, at the same address on every OP-stack chain. */
const ORACLE: Hex = '0x420000000000000000000000000000000000000f';

/**
 * Fetches the L1 data fee of a transaction, in one call; chains that are known to have none are
 * not asked. The fee follows the base layer's, so it holds for now.
 *
 * @param write - Writes the transaction, without its signature.
 * @returns Wei; undefined on a chain without such a fee.
 * @throws {UnavailableError} If a chain that is known to have one does not tell it.
 * @see https://specs.optimism.io/protocol/fjord/exec-engine.html
 */
export async function findDataFee(
  write: () => Hex,
  { chainId, node }: { chainId: ChainId; node: NodeClient },
  options?: CallOptions,
): Promise<bigint | undefined> {
  const kind = findKnownChain(chainId)?.dataFee;
  if (kind === 'none' || kind === 'inGas') return undefined;
  const call = {
    to: ORACLE,
    data: encodeCall('getL1Fee(bytes)', [hexToBytes(write())]),
  };
  const asked = node.request('eth_call', [call, 'latest'], options);
  // Where there is no such contract, the answer is empty.
  if (kind === undefined) return findWord(await asked.catch(() => '0x' as const));
  const fee = findWord(await asked);
  if (fee !== undefined) return fee;
  throw new UnavailableError(`${node.label} does not tell the chain's L1 data fee.`);
}
