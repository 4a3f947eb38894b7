// The development service over a chain with a history of its own: three blocks, in each of
// which one, two and three gwei were paid as priority fees.
import { createTestClient, createWalletClient, type Hex, http, parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import {
  createGasApi,
  createGasEndpoint,
  createHttpTransport,
  createRpcClient,
  createRpcEndpoint,
  type GasApi,
  type GasEndpointOptions,
  type NodeClient,
  nodeSchema,
} from '../../packages/client/src';
import { funded } from '../stack/accounts';
import { orDied, startAnvil, type Anvil } from '../stack/processes';
import { createFaults, type FaultName, type Faults } from './faults';
import type { ServiceOptions } from './options';
import { startService, type Service } from './service';

export const KEY = '7238211010344719ad14a89db874158c';
export const SECRET = 'L9R01C1XAX1KZX4Y0JU7KS40V3D6E';

// Anvil's second account.
const RECEIVER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** A service of which faults can be asked, if it was started with them. */
export type FaultyService = Service & {
  /** `url` is the address at which every answer has a fault. */
  faults: Faults & { url: (name: FaultName) => string };
};

/** Options of a service, and of its faults: slow answers are late by `delayMs`. */
export type FaultyOptions = Omit<ServiceOptions, 'faults'> & {
  faults?: { delayMs?: number } | undefined;
};

/** Starts a service, with faults on demand if `faults` is set. */
export async function startFaultyService({
  faults: given,
  ...options
}: FaultyOptions): Promise<FaultyService> {
  const source = createFaults(given?.delayMs);
  const service = await startService({ ...options, faults: given && source });
  const url = (name: FaultName): string => `${service.url}/fault/${name}`;
  return { ...service, faults: { ...source, url } };
}

/** Starts a chain with a history, and the service over it. */
export async function startServiceBench(
  options: Partial<FaultyOptions> = {},
): Promise<ServiceBench> {
  const anvil = startAnvil();
  try {
    return await openBench(anvil, options);
  } catch (error) {
    await anvil.child.stop();
    throw error;
  }
}

export type ServiceBench = Awaited<ReturnType<typeof openBench>>;

async function openBench({ port, child }: Anvil, options: Partial<FaultyOptions>) {
  /** The chain itself, over HTTP; the same port speaks WebSocket. */
  const nodeUrl = `http://127.0.0.1:${await orDied(port, child)}`;
  /** A transaction in the first block. */
  const hash = await makeHistory(nodeUrl);
  const service = await startFaultyService({
    nodeUrl,
    nodeWsUrl: nodeUrl.replace('http', 'ws'),
    chainId: 31_337,
    // Anvil mines when there is something to mine.
    blockMs: 0,
    apiKey: KEY,
    apiKeySecret: SECRET,
    ...options,
  });
  const { url } = service;
  return {
    service,
    nodeUrl,
    hash,
    connectGas: (given: Partial<GasEndpointOptions>): GasApi =>
      createGasApi(createGasEndpoint({ gasBaseUrl: url, ...given }), { fetch }),
    connectNode: (apiKey: string): NodeClient => {
      const transport = createHttpTransport(createRpcEndpoint(url, apiKey), { fetch });
      return createRpcClient(nodeSchema, transport);
    },
    /** Posts a body to the JSON-RPC address, as it is. */
    post: async (body: string) => {
      const response = await fetch(`${url}/v3/${KEY}`, { method: 'POST', body });
      return { status: response.status, json: (await response.json()) as unknown };
    },
    /** Stops the chain alone; the service is left without its node. */
    stopNode: child.stop,
    stop: async () => {
      await service.stop();
      await child.stop();
    },
  };
}

async function makeHistory(nodeUrl: string): Promise<Hex> {
  const transport = http(nodeUrl);
  const account = privateKeyToAccount(funded.privateKey);
  const wallet = createWalletClient({ transport, account });
  const node = createTestClient({ transport, mode: 'anvil' });
  const hashes: Hex[] = [];
  for (let nonce = 0; nonce < 9; nonce += 1) {
    const maxPriorityFeePerGas = parseGwei(String((nonce % 3) + 1));
    const fees = { maxFeePerGas: parseGwei('50'), maxPriorityFeePerGas };
    const call = { to: RECEIVER, value: 1n } as const;
    hashes.push(await wallet.sendTransaction({ chain: null, nonce, ...call, ...fees }));
    if (nonce % 3 === 2) await node.mine({ blocks: 1 });
  }
  return hashes[0] ?? '0x';
}
