// Filling a transaction: what is absent is fetched; independent questions go together.
import type { NodeClient, RpcCallObject } from '../client';
import type { ChainId } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import type { Transaction, TransactionRequest } from '../eth/transaction';
import { completeTransaction } from './complete-transaction';
import type { FeeLevels } from './level';

/** Gas of a plain transfer, which is exact and needs no margin. */
const TRANSFER_GAS = 21_000n;

/** An estimate holds for the present state; 20 % more covers what changes until then. */
const GAS_MARGIN_PERCENT = 120n;

/** Where missing fields come from. */
export type FillSources = {
  chainId: ChainId;
  node: NodeClient;
  /** Called only if a fee or the type is missing. */
  levels: () => Promise<FeeLevels>;
};

/**
 * Fill what is missing: type, nonce, gas limit and fees (at the medium level).
 *
 * Independent questions go to the node together.
 *
 * @throws What the node says, such as why an estimate failed.
 */
export async function fillTransaction(
  request: TransactionRequest,
  { chainId, node, levels }: FillSources,
): Promise<Transaction> {
  const [fees, nonce, gasLimit] = await Promise.all([
    needsLevels(request) ? levels() : undefined,
    request.nonce ?? fetchNonce(request, node),
    request.gasLimit ?? fetchGasLimit(request, node),
  ]);
  return completeTransaction({ ...request, chainId, nonce, gasLimit }, fees);
}

function needsLevels(request: TransactionRequest): boolean {
  if (request.gasPrice !== undefined) return false;
  return (
    request.maxFeePerGas === undefined || request.maxPriorityFeePerGas === undefined
  );
}

async function fetchNonce(
  { from }: TransactionRequest,
  node: NodeClient,
): Promise<bigint> {
  return BigInt(await node.request('eth_getTransactionCount', [from, 'pending']));
}

async function fetchGasLimit(
  request: TransactionRequest,
  node: NodeClient,
): Promise<bigint> {
  const estimate = BigInt(
    await node.request('eth_estimateGas', [toCallObject(request)]),
  );
  if (estimate === TRANSFER_GAS) return estimate;
  return (estimate * GAS_MARGIN_PERCENT) / 100n;
}

// Without fees: an estimate with them fails for reasons that have nothing to do with gas.
function toCallObject({
  from,
  to,
  value,
  data,
  accessList = [],
}: TransactionRequest): RpcCallObject {
  return {
    from,
    ...(to === null ? {} : { to }),
    value: toQuantity(value),
    data,
    ...(accessList.length === 0 ? {} : { accessList }),
  };
}
