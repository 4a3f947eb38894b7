// Asking an account factory that is not the canonical one for an account's address.
import { InvalidParamsError } from '../errors';
import { encodeCall } from '../eth/abi';
import type { ChainId } from '../eth/chain';
import { toCaip2 } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { SmartAccountOrigin } from '../eth/smart-account';
import type { Chains } from './chain';

/**
 * Fetch the address that a factory will give an account.
 *
 * @throws {InvalidParamsError} If there is no such factory on the chain.
 */
export async function fetchAccountAddress(
  chains: Chains,
  { factory, owner, salt }: SmartAccountOrigin,
  chainId: ChainId,
): Promise<Hex> {
  const { node } = await chains.connect(chainId);
  const data = encodeCall('getAddress(address,uint256)', [owner, salt]);
  const answer = await node.request('eth_call', [{ to: factory, data }, 'latest']);
  // One address in a word, and not the zero address, which is what a contract answers that
  // means something else.
  const isAddress = /^0x0{24}[0-9a-fA-F]{40}$/u.test(answer);
  if (isAddress && BigInt(answer) > 0n) return `0x${answer.slice(-40)}`;
  throw new InvalidParamsError(
    `options.factory: ${factory} is not an account factory on ${toCaip2(chainId)}.`,
  );
}
