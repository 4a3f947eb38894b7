// What a chain's server is found to be when its user wants to know, with nothing saved: the
// question that setting a chain asks, and what the server tells of itself besides.
import {
  createBundlerClient,
  createBundlerEndpoint,
  createGasApi,
  createGasEndpoint,
  createNodeClient,
  createRpcEndpoint,
} from '../client';
import type { Transport } from '../client';
import { withTimeLimit } from '../client/abort';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { ChainRow } from '../state/chain-row';
import { LIMIT_MS } from './probe';
import {
  connect,
  findBundlerFault,
  findNodeFault,
  findPaymasterFault,
  findSocketFault,
  once,
  onSocket,
} from './probe-servers';
import type { Asked, FindFault, ProbeServices } from './probe-servers';

/** Fields of the addresses of servers that can be examined. */
export const serverFields = [
  'rpcUrl',
  'wsUrl',
  'gasBaseUrl',
  'bundlerUrl',
  'paymasterUrl',
] as const;

/** The field of a server's address. */
export type ServerField = (typeof serverFields)[number];

/** What a server tells of itself. */
export type ServerFacts = {
  /** CAIP-2. */
  chain?: string;
  /** Number of its newest block. */
  block?: bigint;
  /** Addresses of the EntryPoints that a bundler serves. */
  entryPoints?: readonly Hex[];
  /** Base fee, and what the medium level pays at most, in wei. */
  fees?: { base: bigint; medium: bigint };
};

/** What was found. */
export type Finding = {
  facts: ServerFacts;
  /** How long it took to answer, in ms. */
  ms: number;
  /** What is wrong with it, as what comes after its name in a sentence. */
  fault?: string;
};

/** What is to be examined. */
export type Examined = { chainId: ChainId; field: ServerField; row: ChainRow };

/** Examines a server; see {@link examineServer}. */
export type ExamineServer = (examined: Examined) => Promise<Finding | undefined>;

type Examiner = {
  /** Where there is none, whatever is wrong is that it tells nothing. */
  findFault?: FindFault;
  fetchFacts: (asked: Asked, services: ProbeServices) => Promise<ServerFacts>;
};

const examiners: Record<ServerField, Examiner> = {
  rpcUrl: {
    findFault: findNodeFault,
    fetchFacts: async (asked, { http }) => {
      const { rpcUrl = '', apiKey } = asked.row;
      return askNode(connect(createRpcEndpoint(rpcUrl, apiKey), http, asked));
    },
  },
  wsUrl: {
    findFault: findSocketFault,
    fetchFacts: async (asked, { live }) =>
      (await live.withSocket(asked.row, async (socket) =>
        askNode(onSocket(socket, asked)),
      )) ?? {},
  },
  gasBaseUrl: {
    fetchFacts: async ({ row, chainId, signal }, { http }) => {
      const { gasBaseUrl = '' } = row;
      const gas = createGasApi(createGasEndpoint({ ...row, gasBaseUrl }), once(http));
      const fees = await gas.suggestedGasFees(chainId, { signal });
      const medium = fees.medium.suggestedMaxFeePerGas;
      return { fees: { base: fees.estimatedBaseFee, medium } };
    },
  },
  bundlerUrl: {
    findFault: findBundlerFault,
    fetchFacts: async (asked, { http }) => {
      const { bundlerUrl = '', bundlerApiKey } = asked.row;
      const endpoint = createBundlerEndpoint(bundlerUrl, bundlerApiKey);
      const bundler = createBundlerClient(connect(endpoint, http, asked));
      const { chainId, entryPoints } = await bundler.fetchSupport();
      return { chain: toCaip2(chainId), entryPoints };
    },
  },
  paymasterUrl: {
    findFault: findPaymasterFault,
    // It has no method that tells anything of itself.
    fetchFacts: async () => Promise.resolve({}),
  },
};

/**
 * Examine a server, for five seconds at most.
 *
 * @returns Undefined if the row has no such server.
 * @throws What the client throws if there is no answer that tells.
 */
export async function examineServer(
  { chainId, field, row }: Examined,
  services: ProbeServices & { now: () => number },
): Promise<Finding | undefined> {
  if (row[field] === undefined) return undefined;
  const { findFault, fetchFacts } = examiners[field];
  return withTimeLimit(async (signal) => {
    const asked = { chainId, row, signal };
    const begun = services.now();
    const fault = await findFault?.(asked, services);
    const facts = await fetchFacts(asked, services);
    const ms = services.now() - begun;
    return { facts, ms, ...(fault === undefined ? {} : { fault }) };
  }, LIMIT_MS);
}

async function askNode(transport: Transport): Promise<ServerFacts> {
  const node = createNodeClient(transport);
  const [chainId, block] = await Promise.all([
    node.request('eth_chainId', []),
    node.request('eth_blockNumber', []),
  ]);
  return { chain: toCaip2(BigInt(chainId)), block: BigInt(block) };
}
