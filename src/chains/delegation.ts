// Fetches an account's delegation on a chain (EIP-7702), or the contract to offer for a delegation.
import type { NodeClient } from '../../packages/client/src';
import { findImplementation, implementations } from '../core/authorization';
import type { Implementation } from '../core/authorization';
import { entryPoints } from '../core/entry-points';
import { encodeCall, toWord } from '../eth/abi';
import { findDelegate, toDelegatedCode } from '../eth/delegation';
import { hasAddress, hashHex } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { Bundler } from './chain';

export type Delegation = {
  address: Hex;
  /** Undefined if Tollkeeper does not offer it, or its code on the chain is different. */
  implementation: Implementation | undefined;
};

export async function fetchDelegation(
  node: NodeClient,
  account: Hex,
): Promise<Delegation | undefined> {
  const address = findDelegate(await node.request('eth_getCode', [account, 'latest']));
  if (address === undefined) return undefined;
  const named = findImplementation(address);
  const isKnown = named && (await hasItsCode(named, node));
  return { address, implementation: isKnown ? named : undefined };
}

/** Finds the contract to offer for an account's delegation: the newest contract (for the wanted
 * EntryPoint version, if any) whose EntryPoint the chain's bundler supports, otherwise the newest
 * contract. Undefined if none is deployed on the chain, or the node cannot simulate a delegation,
 * as on chains without EIP-7702. */
export async function findOffered(
  { node, bundler }: { node: NodeClient; bundler?: Bundler | undefined },
  account: Hex,
  entryPoint?: string,
): Promise<Implementation | undefined> {
  const wanted = implementations.filter(
    (each) => entryPoint === undefined || each.entryPoint === entryPoint,
  );
  const [served, ...isOffered] = await Promise.all([
    bundler?.client.fetchSupport().catch(() => undefined),
    ...wanted.map(async (each) => canDelegate(each, { node, account })),
  ]);
  const offered = wanted.filter((_each, index) => isOffered[index]);
  const isServed = ({ entryPoint: version }: Implementation): boolean =>
    hasAddress(served?.entryPoints ?? [], entryPoints[version].entryPoint);
  return offered.find(isServed) ?? offered[0];
}

// Nodes of chains without EIP-7702 fail to run a delegated account's code.
async function canDelegate(
  implementation: Implementation,
  { node, account }: { node: NodeClient; account: Hex },
): Promise<boolean> {
  const { address, entryPoint: version } = implementation;
  const call = { to: account, data: encodeCall('entryPoint()', []) };
  const overrides = { [account]: { code: toDelegatedCode(address) } };
  const [hasCode, answer] = await Promise.all([
    hasItsCode(implementation, node),
    node.request('eth_call', [call, 'latest', overrides]).catch(() => '0x' as const),
  ]);
  return hasCode && toWord(answer) === BigInt(entryPoints[version].entryPoint);
}

async function hasItsCode(
  { address, codeHash }: Implementation,
  node: NodeClient,
): Promise<boolean> {
  return hashHex(await node.request('eth_getCode', [address, 'latest'])) === codeHash;
}
