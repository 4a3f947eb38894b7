// What a chain's servers say when they are asked who they are: each is asked once.
import {
  createBundlerClient,
  createBundlerEndpoint,
  createGasApi,
  createGasEndpoint,
  createHttpTransport,
  createNodeClient,
  createPaymasterClient,
  createPaymasterEndpoint,
  createRpcEndpoint,
  PaymasterError,
} from '../client';
import type {
  Endpoint,
  HttpOptions,
  HttpTransport,
  RpcCall,
  Transport,
  WebSocketTransport,
} from '../client';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import {
  entryPoints,
  entryPointVersions,
  NEWEST_ENTRY_POINT,
} from '../eth/entry-point';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { DUMMY_SIGNATURE } from '../eth/user-operation';
import type { UserOperation } from '../eth/user-operation';
import type { ArrayServer, ChainRow } from '../state/chain-row';
import { findContracts } from './contracts';
import type { LiveChains } from './live-chains';

/** What asking needs. */
export type ProbeServices = {
  http: HttpOptions;
  live: Pick<LiveChains, 'withSocket'>;
  requestWallet: (call: RpcCall) => Promise<unknown>;
};

/** What is asked about. */
export type Asked = {
  chainId: ChainId;
  row: ChainRow;
  signal: AbortSignal;
  /** Take note whether a server takes arrays of calls. */
  noteArrays?: (server: ArrayServer, takesArrays: boolean) => void;
};

/**
 * Finds what is wrong with a part of a chain's configuration.
 *
 * @returns What comes after the field's name in a message; undefined if nothing is wrong,
 * or the part is not configured.
 * @throws What the client throws if there is no answer that tells.
 */
export type FindFault = (
  asked: Asked,
  services: ProbeServices,
) => Promise<string | undefined>;

/** JSON-RPC code of a method that the server does not have. */
const NO_METHOD = -32601;

/** Most EntryPoints of a bundler that a message names. */
const MAX_NAMED = 5;

/** It calls nothing and pays nothing, and its account is nobody's. */
const HARMLESS_OPERATION: UserOperation = {
  sender: '0x0000000000000000000000000000000000000001',
  nonce: 0n,
  initCode: '0x',
  callData: '0x',
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  maxFeePerGas: 0n,
  maxPriorityFeePerGas: 0n,
  paymasterAndData: '0x',
  signature: DUMMY_SIGNATURE,
};

/** Find whether the node is another chain's. It is sent an array, to see whether it takes one. */
export const findNodeFault: FindFault = async (asked, { http }) => {
  const { rpcUrl, apiKey } = asked.row;
  if (rpcUrl === undefined) return undefined;
  const transport = connect(createRpcEndpoint(rpcUrl, apiKey), http, asked);
  const [fault] = await Promise.all([
    findForeign(transport, asked),
    createNodeClient(transport)
      .request('eth_blockNumber', [])
      .catch(() => undefined),
  ]);
  asked.noteArrays?.('rpcUrl', transport.takesArrays());
  return fault;
};

/** Find whether the node at the socket is another chain's. */
export const findSocketFault: FindFault = async (asked, { live }) =>
  live.withSocket(asked.row, async (socket) =>
    findForeign(onSocket(socket, asked), asked),
  );

/** Ask the gas API for the chain's fees, which must be in order. */
export const findGasFault: FindFault = async ({ row, chainId, signal }, { http }) => {
  const { gasBaseUrl } = row;
  if (gasBaseUrl === undefined) return undefined;
  const gas = createGasApi(createGasEndpoint({ ...row, gasBaseUrl }), once(http));
  await gas.suggestedGasFees(chainId, { signal });
  return undefined;
};

/** Find whether the bundler is another chain's, or serves no EntryPoint that can be used. */
export const findBundlerFault: FindFault = async (asked, { http }) => {
  const { bundlerUrl, bundlerApiKey } = asked.row;
  if (bundlerUrl === undefined) return undefined;
  const endpoint = createBundlerEndpoint(bundlerUrl, bundlerApiKey);
  const transport = connect(endpoint, http, asked);
  const bundler = createBundlerClient(transport);
  const { chainId, entryPoints: served } = await bundler.fetchSupport();
  asked.noteArrays?.('bundlerUrl', transport.takesArrays());
  if (chainId !== asked.chainId) {
    return `is a bundler of ${toCaip2(chainId)}, not of ${toCaip2(asked.chainId)}.`;
  }
  const isServed = (address: Hex): boolean =>
    served.some((each) => isSameAddress(each, address));
  const named = findContracts(asked.row)?.entryPoint;
  if (named) {
    const { version, address } = named;
    return isServed(address)
      ? undefined
      : `does not serve EntryPoint ${version} at ${address}; it serves ${listNamed(served)}.`;
  }
  if (Object.values(entryPoints).some(({ entryPoint }) => isServed(entryPoint))) {
    return undefined;
  }
  const known = entryPointVersions.join(', ');
  return `serves no EntryPoint that Tollkeeper knows (${known}), but ${listNamed(served)}.`;
};

/**
 * Find whether the service is none of a paymaster's. It cannot be asked for its chain: it
 * is asked for data for an operation, which it may well refuse.
 */
export const findPaymasterFault: FindFault = async (asked, { http }) => {
  const { paymasterUrl, paymasterContext: context } = asked.row;
  if (paymasterUrl === undefined) return undefined;
  const transport = connect(createPaymasterEndpoint(paymasterUrl), http, asked);
  const place = {
    version: asked.row.entryPoint ?? NEWEST_ENTRY_POINT,
    chainId: asked.chainId,
    ...(context === undefined ? {} : { context }),
  };
  try {
    await createPaymasterClient(transport).fetchStub(HARMLESS_OPERATION, place);
  } catch (error) {
    if (!(error instanceof PaymasterError)) throw error;
    if (error.code === NO_METHOD) {
      return "is no paymaster's service: it has no pm_getPaymasterStubData (ERC-7677).";
    }
  }
  return undefined;
};

/** Connect to a server that is asked once. */
export function connect(
  endpoint: Endpoint,
  http: HttpOptions,
  { signal }: Pick<Asked, 'signal'>,
): HttpTransport {
  const transport = createHttpTransport(endpoint, once(http));
  return { ...transport, ...withSignal(transport, { signal }) };
}

/** Use a socket once a call. */
export function onSocket(
  socket: WebSocketTransport,
  { signal }: Pick<Asked, 'signal'>,
): Transport {
  const { label } = socket;
  const request: Transport['request'] = async (call) => socket.requestOnce(call);
  return withSignal({ label, request }, { signal });
}

/** Have all calls that a transport carries given up by one signal. */
export function withSignal(
  { label, request }: Transport,
  { signal }: Pick<Asked, 'signal'>,
): Transport {
  return { label, request: async (call) => request({ ...call, signal }) };
}

/** Have each call tried once. */
export function once(http: HttpOptions): HttpOptions {
  return { ...http, retry: { maxAttempts: 1 } };
}

async function findForeign(
  transport: Transport,
  { chainId }: Asked,
): Promise<string | undefined> {
  const found = BigInt(await createNodeClient(transport).request('eth_chainId', []));
  if (found === chainId) return undefined;
  return `is the address of ${toCaip2(found)}, not of ${toCaip2(chainId)}.`;
}

function listNamed(addresses: readonly Hex[]): string {
  const named = addresses.slice(0, MAX_NAMED).join(', ');
  const others = addresses.length - MAX_NAMED;
  if (named === '') return 'none';
  return others > 0 ? `${named} and ${others} more` : named;
}
