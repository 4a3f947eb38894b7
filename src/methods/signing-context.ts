// What is found out about a request before its dialog is drawn, so that the dialog can warn.
// Nothing here fails or waits long: what cannot be found out in time is not warned of.
import type { NodeClient } from '../client';
import { withTimeLimit } from '../client/abort';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { SigningContext } from '../eth/message-alerts';
import type { MethodRequest, MethodServices } from './method';

/** How long a dialog waits for what is good to know. */
const LIMIT_MS = 2_000;

/** Find out who is asked by whom, and which chains are served. */
export async function findContext(
  { account, origin }: MethodRequest,
  services: Pick<MethodServices, 'servedChains' | 'now'>,
): Promise<SigningContext> {
  const chains = await within(services.servedChains);
  return { origin, account: account.address, chains, now: services.now() };
}

/** List those of some addresses that have no code on a chain. */
export async function findWithoutCode(
  addresses: readonly Hex[],
  chainId: ChainId | undefined,
  { connect }: Pick<MethodServices, 'connect'>,
): Promise<Hex[]> {
  if (chainId === undefined || addresses.length === 0) return [];
  const found = await within(async (signal) => {
    const { node } = await connect(chainId);
    return lookForCode(addresses, node, signal);
  });
  return found ?? [];
}

/** List those of some addresses that are known to have no code. Asks at once, in one batch with
 * what else the node is asked in this tick. */
export async function findWithoutCodeAt(
  addresses: readonly Hex[],
  node: NodeClient,
): Promise<Hex[]> {
  if (addresses.length === 0) return [];
  return (await within(async (signal) => lookForCode(addresses, node, signal))) ?? [];
}

async function lookForCode(
  addresses: readonly Hex[],
  node: NodeClient,
  signal: AbortSignal,
): Promise<Hex[]> {
  const codes = await Promise.all(
    addresses.map((address) => {
      const lower = address.toLowerCase() as Hex;
      return node.request('eth_getCode', [lower, 'latest'], { signal });
    }),
  );
  return addresses.filter((_address, index) => codes[index] === '0x');
}

async function within<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  return withTimeLimit(run, LIMIT_MS).catch(() => undefined);
}
