// Chooses the ERC-4337 contracts for a chain's new smart accounts: the configured contracts, or
// else the canonical ones, which have the same addresses on every chain. Of the canonical
// EntryPoints, it chooses the newest one that the bundler supports and whose factory is deployed.
// Also fetches an account's address from its factory, to confirm a computed address or because only
// the factory can compute it.
import type { NodeClient } from '../../packages/client/src';
import { tryInTime, withTimeLimit } from '../../packages/client/src/abort';
import { entryPoints, entryPointVersions } from '../core/entry-points';
import type { EntryPointVersion } from '../core/entry-points';
import { InvalidParamsError, UnavailableError } from '../core/errors';
import { encodeCall } from '../eth/abi';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { hasAddress, isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { encodeCreation } from '../eth/smart-account';
import type { SmartAccountOrigin } from '../eth/smart-account';
import { DEFAULT_ENTRY_POINT } from '../eth/user-operation';
import type { ChainRow } from '../state/chain-row';
import type { Chains } from './chain';

export type Contracts = {
  entryPoint: { version: EntryPointVersion; address: Hex };
  factory: Hex;
};

/** Time limit of each request to the bundler or the node when an account is created, in ms. */
const SUPPORT_MS = 3_000;

/** Time limit for an optional check when an account is created, in ms. */
const CHECK_MS = 5_000;

export function findContracts(row: ChainRow): Contracts | undefined {
  const { entryPoint: version } = row;
  if (version === undefined) return undefined;
  const { entryPoint: address, factory } = entryPoints[version];
  return { entryPoint: { version, address }, factory: row.factory ?? factory };
}

/** Finds the newest EntryPoint that a chain's bundler supports and whose canonical factory has code
 * there. Returns {@link DEFAULT_ENTRY_POINT} if there is none, or the bundler does not answer
 * within 3 s. */
export async function fetchNewestEntryPoint(
  { connect }: Chains,
  chainId: ChainId,
): Promise<EntryPointVersion> {
  const served = await withTimeLimit(async () => {
    const { bundler } = await connect(chainId);
    const support = await bundler?.client.fetchSupport();
    return support?.chainId === chainId ? support.entryPoints : [];
  }, SUPPORT_MS).catch((): Hex[] => []);
  const versions = entryPointVersions.filter((version) =>
    hasAddress(served, entryPoints[version].entryPoint),
  );
  const codes = await Promise.all(
    versions.map(async (version) =>
      tryInTime(async (signal) => {
        const { node } = await connect(chainId);
        const { factory } = entryPoints[version];
        return node.request('eth_getCode', [factory, 'latest'], { signal });
      }, SUPPORT_MS),
    ),
  );
  // If no node answers, contracts are assumed to exist, except for 0.9's unpublished factory.
  const usable = versions.filter((version, index) =>
    codes[index] === undefined ? version !== '0.9' : codes[index] !== '0x',
  );
  return usable.at(-1) ?? DEFAULT_ENTRY_POINT;
}

/** Returns undefined if the factory does not return an address. */
export async function findFactoryAddress(
  origin: SmartAccountOrigin,
  node: NodeClient,
): Promise<Hex | undefined> {
  return findAddress(await node.request('eth_call', toCall(origin)));
}

/** Throws `InvalidParamsError` if the factory does not return an address, for example because it is
 * not on the chain. */
export async function fetchAccountAddress(
  chains: Chains,
  origin: SmartAccountOrigin,
  chainId: ChainId,
): Promise<Hex> {
  const { node } = await chains.connect(chainId);
  const address = await findFactoryAddress(origin, node);
  if (address !== undefined) return address;
  throw new InvalidParamsError(
    `options.factory: ${origin.factory} is not an account factory on ${toCaip2(chainId)}.`,
  );
}

/** Throws `UnavailableError` if the factory returns anything but the computed address. The computed
 * address is trusted if the factory is not on the chain, or the call fails or takes longer than
 * 5 s. */
export async function checkAccountAddress(
  chains: Chains,
  account: SmartAccountOrigin & { address: Hex },
  chainId: ChainId,
): Promise<void> {
  const answer = await withTimeLimit(async (signal) => {
    const { node } = await chains.connect(chainId);
    return node.request('eth_call', toCall(account), { signal });
  }, CHECK_MS).catch(() => '0x' as const);
  const found = findAddress(answer) ?? 'no address';
  const { address, factory } = account;
  if (answer === '0x' || isSameAddress(found, address)) return;
  throw new UnavailableError(
    `The node of ${toCaip2(chainId)} and the computation disagree on the account's ` +
      `address: the factory ${factory} returns ${found}, but ${address} was computed. ` +
      'Nothing was created. Check that it is the right node.',
  );
}

// SafeProxyFactory cannot compute an address, so its creation function is called. An eth_call
// creates nothing.
function toCall(origin: SmartAccountOrigin): [{ to: Hex; data: Hex }, 'latest'] {
  const { implementation, factory: to, owner, salt } = origin;
  const data =
    implementation === 'safe'
      ? encodeCreation(origin)
      : encodeCall('getAddress(address,uint256)', [owner, salt]);
  return [{ to, data }, 'latest'];
}

// Reads one address from a word. The zero address does not count, because other contracts may
// return it.
function findAddress(answer: Hex): Hex | undefined {
  const isAddress = /^0x0{24}[0-9a-fA-F]{40}$/u.test(answer);
  return isAddress && BigInt(answer) > 0n ? `0x${answer.slice(-40)}` : undefined;
}
