// A chain's servers beside its node, where they are configured: gas API, bundler, paymaster.
import type { Json } from '@metamask/utils';

import {
  createBundlerClient,
  createBundlerEndpoint,
  createGasApi,
  createGasEndpoint,
  createHttpTransport,
  createPaymasterClient,
  createPaymasterEndpoint,
  toLabel,
} from '../client';
import type {
  AbsentMethods,
  BundlerClient,
  GasApi,
  GasEndpointOptions,
  HttpOptions,
  Paymaster,
} from '../client';
import { UnavailableError } from '../errors';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { ArrayServer, ChainRow } from '../state/chain-row';

/** A user waits for it before the dialog, and can pay without it. */
const PAYMASTER_MS = 8_000;

/** A bundler and its two addresses. */
export type Bundler = {
  client: BundlerClient;
  /** With the key in it: for MetaMask, which sends there itself. */
  secretUrl: string;
  /** Without the key: for dapps. */
  publicUrl: string;
};

/** What can be there beside a node. */
export type OtherServers = { gas?: GasApi; bundler?: Bundler; paymaster?: Paymaster };

/**
 * Get the bundler of a chain.
 *
 * @throws {UnavailableError} If none is configured.
 */
export function getBundler({ id, bundler }: OtherServers & { id: ChainId }): Bundler {
  if (bundler) return bundler;
  throw new UnavailableError(
    `No bundler is configured for ${toCaip2(id)}. Configure one with tollkeeper_setChain.`,
  );
}

/** Have calls go alone to a server that was found to refuse arrays. */
export function toHttpOptions(
  { singleCallsOnly = [] }: ChainRow,
  server: ArrayServer,
  http: HttpOptions,
): HttpOptions {
  return singleCallsOnly.includes(server) ? { ...http, batchLimit: 1 } : http;
}

/** What connecting takes. */
type Connecting = { http: HttpOptions; absent: AbsentMethods };

/** Connect what is configured beside the node. */
export function connectOthers(row: ChainRow, connecting: Connecting): OtherServers {
  const { gasBaseUrl, bundlerUrl, paymasterUrl, paymasterContext = {} } = row;
  const { http } = connecting;
  return {
    ...(gasBaseUrl === undefined
      ? {}
      : { gas: connectGas({ ...row, gasBaseUrl }, http) }),
    ...(bundlerUrl === undefined
      ? {}
      : { bundler: connectBundler({ ...row, bundlerUrl }, connecting) }),
    ...(paymasterUrl === undefined
      ? {}
      : { paymaster: connectPaymaster(paymasterUrl, paymasterContext, http) }),
  };
}

// Asked once: where it fails the node's fee history serves as well, at once.
function connectGas(row: GasEndpointOptions, http: HttpOptions): GasApi {
  return createGasApi(createGasEndpoint(row), { ...http, retry: { maxAttempts: 1 } });
}

function connectBundler(
  row: ChainRow & { bundlerUrl: string },
  { http, absent }: Connecting,
): Bundler {
  const { bundlerUrl, bundlerApiKey } = row;
  const endpoint = createBundlerEndpoint(bundlerUrl, bundlerApiKey);
  const transport = createHttpTransport(
    endpoint,
    toHttpOptions(row, 'bundlerUrl', http),
  );
  return {
    client: createBundlerClient(transport, absent),
    secretUrl: endpoint.url,
    publicUrl: toLabel(bundlerUrl),
  };
}

/** Connect a paymaster. */
export function connectPaymaster(
  url: string,
  context: Record<string, Json>,
  http: HttpOptions,
): Paymaster {
  const options = { ...http, timeoutMs: PAYMASTER_MS, retry: { maxAttempts: 1 } };
  const transport = createHttpTransport(createPaymasterEndpoint(url), options);
  return { client: createPaymasterClient(transport), context };
}
