// A test wallet's networks and their nodes. Each site, and the snap, has its own selected network,
// as in MetaMask.
import { isObject } from '@metamask/utils';

import { toQuantity } from '../../../src/eth/hex';
import { isLoopback } from '../../../src/eth/host';
import type { ChainConfiguration } from '../../../src/state/chain-row';
import { ProviderRpcError } from '../../provider/src/eip1193';
import type { Ask, RequestArguments } from '../../provider/src/eip1193';

/** A network of the wallet. Its other servers are set as in `tollkeeper_setChain`. */
export type TestChain = Omit<ChainConfiguration, 'rpcUrl' | 'wsUrl'> & {
  id: number;
  /** The node: its URL, or a function that answers its requests. Without one, the wallet signs
   * messages and typed data, and refuses requests that need a node. */
  rpcUrl?: string | Ask;
};

export type Networks = {
  /** Adds or replaces a network.
   * @throws {ProviderRpcError} If its `rpcUrl` is invalid, or it may have real value. */
  add: (chain: TestChain) => void;
  /** Selects a site's network. @throws {ProviderRpcError} 4902 if there is no such network. */
  select: (origin: string, id: number) => void;
  ask: (origin: string, request: RequestArguments) => Promise<unknown>;
  onChanged: (origin: string, listener: (chainId: string) => void) => void;
};

const MAIN = [
  1, 10, 14, 25, 30, 40, 50, 56, 61, 100, 122, 130, 137, 143, 146, 169, 196, 204, 232,
  239, 250, 252, 288, 324, 480, 999, 1088, 1101, 1116, 1135, 1284, 1329, 1514, 1868,
  2020, 2741, 5000, 8217, 8453, 9745, 33_139, 34_443, 42_161, 42_170, 42_220, 43_114,
  48_900, 57_073, 59_144, 60_808, 80_094, 81_457, 98_866, 167_000, 534_352, 747_474,
  7_777_777,
];

const TEST = [
  97, 300, 338, 1301, 4801, 5003, 10_143, 10_200, 17_000, 43_113, 44_787, 59_141,
  80_002, 80_069, 84_532, 421_614, 534_351, 560_048, 763_373, 11_142_220, 11_155_111,
  11_155_420, 168_587_773,
];

/** The code for a chain that the wallet is not connected to (EIP-1193). */
const NO_CHAIN = 4901;

const INVALID = -32602;
const INTERNAL = -32603;

/** Creates the networks, the first of which is selected. */
export function createNetworks(
  chains: readonly TestChain[],
  allowReal: boolean,
): Networks {
  const byId = new Map<string, TestChain>();
  const selected = new Map<string, string>();
  const listeners: [origin: string, listener: (chainId: string) => void][] = [];
  const add = (chain: TestChain): void => {
    assertUrl(chain);
    if (!allowReal) assertTestChain(chain);
    byId.set(toQuantity(chain.id), chain);
  };
  if (chains.length === 0) {
    throw invalid('createTollkeeper: options.chains must have at least one network.');
  }
  chains.forEach(add);
  const getSelected = (origin: string): string =>
    selected.get(origin) ?? [...byId.keys()][0] ?? '0x0';
  const select = (origin: string, id: number | bigint): void => {
    const chainId = toQuantity(id);
    if (!byId.has(chainId)) {
      throw new ProviderRpcError(
        4902,
        `The wallet has no network with chain id ${chainId}. Add it with wallet_addEthereumChain, or to the chains of createTollkeeper.`,
      );
    }
    const isNew = chainId !== getSelected(origin);
    selected.set(origin, chainId);
    for (const [site, notify] of listeners) {
      if (isNew && site === origin) notify(chainId);
    }
  };
  return {
    add,
    select,
    ask: async (origin, { method, params }) => {
      const chainId = getSelected(origin);
      if (method === 'eth_chainId') return chainId;
      if (method === 'net_version') return String(Number(chainId));
      if (method !== 'wallet_switchEthereumChain') {
        return askNode(byId.get(chainId), { method, params });
      }
      select(origin, readChainId(method, readParam({ method, params })));
      return null;
    },
    onChanged: (origin, listener) => void listeners.push([origin, listener]),
  };
}

/** Reads the object param of a wallet method.
 * @throws {ProviderRpcError} -32602 if it is missing or not an object. */
export function readParam({ method, params }: RequestArguments): Param {
  const [param] = Array.isArray(params) ? (params as unknown[]) : [params];
  if (isObject(param)) return param;
  throw invalid(`${method}: params must be an object in an array.`);
}

type Param = Record<PropertyKey, unknown>;

/** MetaMask's limit, which keeps EIP-155's `v` (twice the chain id, plus 36) below 2^53. */
const MAX_CHAIN_ID = 4_503_599_627_370_476;

/** Reads the chain id of a request that adds or selects a network. */
export function readChainId(method: string, { chainId }: Param): number {
  const isHex = typeof chainId === 'string' && /^0x[1-9a-f][0-9a-f]*$/iu.test(chainId);
  if (isHex && Number(chainId) <= MAX_CHAIN_ID) return Number(chainId);
  throw invalid(
    `${method}: chainId must be a hex number without leading zeros, such as "0x1".`,
  );
}

const KEYS = [
  'chainId',
  'chainName',
  'blockExplorerUrls',
  'iconUrls',
  'rpcUrls',
  'nativeCurrency',
];

/** Reads a network that a site adds (EIP-3085), as strictly as MetaMask does. */
export function readChain(request: RequestArguments): { id: number; rpcUrl: string } {
  const { method } = request;
  const chain = readParam(request);
  const id = readChainId(method, chain);
  const { chainName, blockExplorerUrls, rpcUrls, nativeCurrency } = chain;
  const rpcUrl = findUrl(rpcUrls);
  const { decimals, symbol } = (nativeCurrency ?? {
    decimals: 18,
    symbol: 'ETH',
  }) as Param;
  const faults = [
    Object.keys(chain).some((key) => !KEYS.includes(key)) &&
      `params[0] can only have ${KEYS.join(', ')}`,
    (typeof chainName !== 'string' || chainName === '') &&
      'chainName must be a non-empty string',
    rpcUrl === undefined &&
      'rpcUrls must be an array with an https URL, or an http URL on this machine',
    (blockExplorerUrls ?? null) !== null &&
      findUrl(blockExplorerUrls) === undefined &&
      'blockExplorerUrls must be null, or an array with an https URL',
    decimals !== 18 && 'nativeCurrency.decimals must be the number 18',
    (typeof symbol !== 'string' || symbol === '' || symbol.length > 6) &&
      'nativeCurrency.symbol must have 1 to 6 characters',
  ];
  const fault = faults.find((each) => each !== false);
  if (fault === undefined && rpcUrl !== undefined) return { id, rpcUrl };
  throw invalid(`${method}: ${fault}.`);
}

function findUrl(urls: unknown): string | undefined {
  return Array.isArray(urls) ? urls.find(isSafeUrl) : undefined;
}

function isSafeUrl(text: unknown): text is string {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

export function invalid(message: string): ProviderRpcError {
  return new ProviderRpcError(INVALID, message);
}

type Answer = {
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
};

async function askNode(
  chain: TestChain | undefined,
  { method, params: given }: RequestArguments,
): Promise<unknown> {
  const params = given ?? [];
  const { id, rpcUrl } = chain ?? {};
  if (typeof rpcUrl === 'function') return rpcUrl({ method, params });
  if (rpcUrl === undefined) {
    const message =
      `${method} needs a node, but chain ${id} of this wallet has none: pass ` +
      `chains: [{ id: ${id}, rpcUrl: 'http://127.0.0.1:8545' }] to createTollkeeper.`;
    throw new ProviderRpcError(NO_CHAIN, message);
  }
  const { result = null, error } = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
    .then(async (answer) => answer.json() as Promise<Answer>)
    .catch(() => {
      throw new ProviderRpcError(
        INTERNAL,
        `The node of chain ${id} did not answer ${method} with JSON. Is it running at its rpcUrl?`,
      );
    });
  if (error) throw new ProviderRpcError(error.code, error.message, error.data);
  return result;
}

function assertUrl({ id, rpcUrl }: TestChain): void {
  const isHttp = typeof rpcUrl === 'string' && /^https?:\/\/[^/]/u.test(rpcUrl);
  if (rpcUrl === undefined || typeof rpcUrl === 'function' || isHttp) return;
  throw invalid(
    `The rpcUrl of chain ${id} must be an http or https URL, or a function.`,
  );
}

/** Refuses known main networks, and remote networks that are not known test networks. */
function assertTestChain({ id, rpcUrl }: TestChain): void {
  const isLocal = typeof rpcUrl !== 'string' || isLoopback(new URL(rpcUrl).hostname);
  if (!MAIN.includes(id) && (isLocal || TEST.includes(id))) return;
  throw refusal(id);
}

/** Refuses a request that names a known main network, where its signature would be valid. */
export function assertForTests(params: unknown): void {
  const named = JSON.stringify(params ?? null).matchAll(
    /(?:chainId\\*"\s*:\s*\\*"?|eip155:)(?<id>0x[0-9a-f]+|\d+)/giu,
  );
  for (const { groups } of named) {
    const id = Number(groups?.['id']);
    if (MAIN.includes(id)) throw refusal(id);
  }
}

function refusal(id: number): ProviderRpcError {
  return new ProviderRpcError(
    NO_CHAIN,
    `Chain ${id} may have real value, and the keys of tollkeeper-snap/testing are in memory and public. Use a test network, or set allowRealChains.`,
  );
}
