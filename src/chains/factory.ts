// Asking an account factory on a chain for an account's address: to learn it where the
// factory is not the canonical one, and to check the computed one where it is.
import { withTimeLimit } from '../client/abort';
import { InvalidParamsError, UnavailableError } from '../errors';
import { encodeCall } from '../eth/abi';
import type { ChainId } from '../eth/chain';
import { toCaip2 } from '../eth/chain';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { SmartAccountOrigin } from '../eth/smart-account';
import type { Chains } from './chain';

/** How long creating an account waits for a check that it can do without, in ms. */
const CHECK_MS = 5_000;

/** Answer of a node where there is no contract. */
const NO_CODE: Hex = '0x';

/**
 * Fetch the address that a factory will give an account.
 *
 * @throws {InvalidParamsError} If there is no such factory on the chain.
 */
export async function fetchAccountAddress(
  chains: Chains,
  origin: SmartAccountOrigin,
  chainId: ChainId,
): Promise<Hex> {
  const { node } = await chains.connect(chainId);
  const address = findAddress(await node.request('eth_call', toCall(origin)));
  if (address !== undefined) return address;
  throw new InvalidParamsError(
    `options.factory: ${origin.factory} is not an account factory on ${toCaip2(chainId)}.`,
  );
}

/**
 * Check a computed address with the factory itself, where a node tells of it within 5 s.
 * Where none does, the computation stands: it needs no network.
 *
 * @throws {UnavailableError} If the factory gives the account another address.
 */
export async function checkAccountAddress(
  chains: Chains,
  account: SmartAccountOrigin & { address: Hex },
  chainId: ChainId,
): Promise<void> {
  const answer = await withTimeLimit(async (signal) => {
    const { node } = await chains.connect(chainId);
    return node.request('eth_call', toCall(account), { signal });
  }, CHECK_MS).catch(() => NO_CODE);
  const found = findAddress(answer) ?? 'no address';
  const { address, factory } = account;
  if (answer === NO_CODE || isSameAddress(found, address)) return;
  throw new UnavailableError(
    `The node of ${toCaip2(chainId)} and the computation disagree on the account's ` +
      `address: the factory ${factory} answers ${found}, computed was ${address}. ` +
      'Nothing was created. Check that it is the right node.',
  );
}

function toCall({
  factory,
  owner,
  salt,
}: SmartAccountOrigin): [{ to: Hex; data: Hex }, 'latest'] {
  const data = encodeCall('getAddress(address,uint256)', [owner, salt]);
  return [{ to: factory, data }, 'latest'];
}

// One address in a word, and not the zero address, which is what a contract answers that
// means something else.
function findAddress(answer: Hex): Hex | undefined {
  const isAddress = /^0x0{24}[0-9a-fA-F]{40}$/u.test(answer);
  return isAddress && BigInt(answer) > 0n ? `0x${answer.slice(-40)}` : undefined;
}
