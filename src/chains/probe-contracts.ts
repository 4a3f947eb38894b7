// Whether the contracts that a chain's smart accounts need are there, where a node tells.
import { createNodeClient, createRpcEndpoint } from '../client';
import type { Transport } from '../client';
import { toCaip2 } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { findContracts } from './contracts';
import { connect, onSocket, withSignal } from './probe-servers';
import type { Asked, FindFault, ProbeServices } from './probe-servers';
import { createWalletTransport } from './wallet-transport';

/** Find whether the EntryPoint is missing. */
export const findEntryPointFault: FindFault = async (asked, services) => {
  const { version, address } = findContracts(asked.row)?.entryPoint ?? {};
  if (address === undefined) return undefined;
  const chain = toCaip2(asked.chainId);
  return (await isMissing(address, asked, services))
    ? `cannot be ${version}: there is no code at ${address} on ${chain}.`
    : undefined;
};

/** Find whether the factory is missing. */
export const findFactoryFault: FindFault = async (asked, services) => {
  const { factory } = findContracts(asked.row) ?? {};
  if (factory === undefined) return undefined;
  const chain = toCaip2(asked.chainId);
  return (await isMissing(factory, asked, services))
    ? `cannot be ${factory}: there is no code at it on ${chain}.`
    : undefined;
};

async function isMissing(
  address: Hex,
  asked: Asked,
  services: ProbeServices,
): Promise<boolean> {
  return (
    (await withNode(asked, services, async (transport) => {
      const params = [address, 'latest'] as [Hex, 'latest'];
      const code = await createNodeClient(transport).request('eth_getCode', params);
      return code === '0x';
    })) ?? false
  );
}

// The configured node, else the wallet's if it is the chain's; undefined if there is none.
async function withNode<Result>(
  asked: Asked,
  { http, live, requestWallet }: ProbeServices,
  use: (node: Transport) => Promise<Result>,
): Promise<Result | undefined> {
  const { rpcUrl, wsUrl, apiKey } = asked.row;
  if (rpcUrl !== undefined) {
    return use(connect(createRpcEndpoint(rpcUrl, apiKey), http, asked));
  }
  if (wsUrl !== undefined) {
    return live.withSocket(asked.row, async (socket) => use(onSocket(socket, asked)));
  }
  const wallet = withSignal(createWalletTransport(requestWallet), asked);
  const own = BigInt(await createNodeClient(wallet).request('eth_chainId', []));
  return own === asked.chainId ? use(wallet) : undefined;
}
