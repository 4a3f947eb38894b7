// The network behind the wallet: forwards to a node what MetaMask forwards, and
// knows which methods those are.
import {
  createAsyncMiddleware,
  type JsonRpcMiddleware,
} from '@metamask/json-rpc-engine';
import { JsonRpcError, providerErrors, rpcErrors } from '@metamask/rpc-errors';
import type { Json, JsonRpcParams } from '@metamask/utils';

/** The node behind the wallet's provider. */
export type Chain = { url: string };

/**
 * What MetaMask forwards to its network. Others, such as `eth_sendUserOperation`,
 * `linea_*` or `anvil_*`, it does not know: they fail with -32601.
 */
export const CHAIN_METHODS = [
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_coinbase',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_protocolVersion',
  'eth_sendRawTransaction',
  'eth_syncing',
  'eth_uninstallFilter',
  'net_listening',
  'net_peerCount',
  'net_version',
  'web3_clientVersion',
  'web3_sha3',
];

type Answer = { result?: Json; error?: { code: number; message: string; data?: Json } };

/**
 * Ask the node.
 *
 * @param chain - The node.
 * @param request - Method and params.
 * @returns The node's result.
 * @throws {JsonRpcError} The node's error as it came, or -32603 when it is out of reach.
 */
export async function callChain(
  chain: Chain,
  request: { method: string; params?: unknown },
): Promise<Json> {
  const { method, params = [] } = request;
  const answer = await fetch(chain.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
    .then((response) => response.json() as Promise<Answer>)
    .catch((cause: unknown) => {
      throw rpcErrors.internal({ message: 'Failed to fetch.', data: { cause } });
    });
  if (answer.error) {
    const { code, message, data } = answer.error;
    throw new JsonRpcError(code, message, data);
  }
  return answer.result ?? null;
}

/**
 * Create the last middleware of an engine: the wallet's own answers, then the node.
 *
 * @param chain - The node.
 * @returns The middleware. It expects methods that a permission middleware let pass.
 */
export function createChainMiddleware(
  chain: Chain,
): JsonRpcMiddleware<JsonRpcParams, Json> {
  return createAsyncMiddleware(async (request, response) => {
    const answer = WALLET_ANSWERS[request.method];
    response.result = answer
      ? await answer(chain, request.params)
      : await callChain(chain, request);
  });
}

/** Methods that MetaMask answers without its node, as far as they are played here. */
export const WALLET_METHODS = ['eth_accounts', 'wallet_switchEthereumChain'];

const WALLET_ANSWERS: Record<
  string,
  ((chain: Chain, params: unknown) => Promise<Json>) | undefined
> = {
  // No site is ever connected to MetaMask's own accounts here.
  eth_accounts: () => Promise.resolve([]),
  // There is one network.
  async wallet_switchEthereumChain(chain, params) {
    const [wanted] = (params ?? []) as { chainId?: string }[];
    if (wanted?.chainId === (await callChain(chain, { method: 'eth_chainId' }))) {
      return null;
    }
    throw providerErrors.custom({
      code: 4902,
      message: `Unrecognized chain ID "${wanted?.chainId}". Try adding the chain using wallet_addEthereumChain first.`,
    });
  },
};
