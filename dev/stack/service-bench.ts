// The gas service in front of a chain with a known history: three blocks, each with priority fees
// of 1, 2 and 3 gwei.
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
import { startService } from '../../packages/service/src/service';
import { funded } from './accounts';
import { orDied, startAnvil, type Anvil } from './processes';

export const KEY = '7238211010344719ad14a89db874158c';
export const SECRET = 'L9R01C1XAX1KZX4Y0JU7KS40V3D6E';

// anvil's second account.
const RECEIVER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

export async function startServiceBench(): Promise<ServiceBench> {
  const anvil = startAnvil();
  try {
    return await openBench(anvil);
  } catch (error) {
    await anvil.child.stop();
    throw error;
  }
}

export type ServiceBench = Awaited<ReturnType<typeof openBench>>;

async function openBench({ port, child }: Anvil) {
  /** The node itself, which also accepts WebSocket connections. */
  const nodeUrl = `http://127.0.0.1:${await orDied(port, child)}`;
  /** The hash of a transaction in the first block. */
  const hash = await makeHistory(nodeUrl);
  const nodes = [{ url: nodeUrl, wsUrl: nodeUrl.replace('http', 'ws') }];
  const service = await startService({
    // anvil mines only on request here, so the newest block may have any age.
    networks: [{ chainId: 31_337, nodes, blockMs: 0 }],
    apiKey: KEY,
    apiKeySecret: SECRET,
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
    post: async (body: string) => {
      const response = await fetch(`${url}/v3/${KEY}`, { method: 'POST', body });
      return { status: response.status, json: (await response.json()) as unknown };
    },
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
