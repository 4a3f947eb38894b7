// Completing a transaction: what is absent is added, what is present is never altered.
import type { NodeClient, RpcCallObject } from '../client';
import type { ChainId } from '../eth/chain';
import { smaller, toQuantity } from '../eth/hex';
import type {
  Transaction,
  TransactionRequest,
  TransactionType,
} from '../eth/transaction';
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

/** What of the levels is filled in. */
type FillLevels = Pick<FeeLevels, 'medium' | 'estimatedBaseFee' | 'source'>;

/** Stands for the levels where type and fees are there: nothing of it is used. */
const UNNEEDED: FillLevels = {
  source: 'fee-history',
  medium: { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
  estimatedBaseFee: 0n,
};

/** Tell whether nothing is left to fill. */
export function isComplete(request: TransactionRequest): boolean {
  const { type, chainId, nonce, gasLimit, gasPrice } = request;
  const hasFees =
    gasPrice !== undefined ||
    (request.maxFeePerGas !== undefined && request.maxPriorityFeePerGas !== undefined);
  return (
    hasFees && [type, chainId, nonce, gasLimit].every((field) => field !== undefined)
  );
}

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

/**
 * Make a transaction of a request in which only type and fees may be missing.
 *
 * @param levels - May be left out only if the request has type and fees.
 */
export function completeTransaction(
  request: TransactionRequest & { chainId: bigint; nonce: bigint; gasLimit: bigint },
  levels: FillLevels = UNNEEDED,
): Transaction {
  const { from, to, value, data, chainId, nonce, gasLimit, accessList = [] } = request;
  const body = { from, to, value, data, chainId, nonce, gasLimit };
  const type = request.type ?? chooseType(request, levels);
  if (type === '0x2') {
    return { ...body, type, accessList, ...chooseFees(request, levels) };
  }
  const gasPrice = request.gasPrice ?? chooseGasPrice(levels);
  return type === '0x1'
    ? { ...body, type, gasPrice, accessList }
    : { ...body, type, gasPrice };
}

function needsLevels(request: TransactionRequest): boolean {
  if (request.gasPrice !== undefined) return false;
  return (
    request.maxFeePerGas === undefined || request.maxPriorityFeePerGas === undefined
  );
}

// The fields that are there decide; without any, what the chain supports.
function chooseType(
  request: TransactionRequest,
  { source }: FillLevels,
): TransactionType {
  const isLegacy = request.gasPrice !== undefined || source === 'gas-price';
  const isDynamic =
    request.maxFeePerGas !== undefined || request.maxPriorityFeePerGas !== undefined;
  if (isDynamic || !isLegacy) return '0x2';
  return request.accessList === undefined ? '0x0' : '0x1';
}

function chooseFees(
  { maxFeePerGas, maxPriorityFeePerGas }: TransactionRequest,
  { medium: level }: FillLevels,
): { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint } {
  if (maxFeePerGas !== undefined) {
    const priority = maxPriorityFeePerGas ?? level.maxPriorityFeePerGas;
    // The caller's maximum stands, so our priority has to fit below it.
    return { maxFeePerGas, maxPriorityFeePerGas: smaller(priority, maxFeePerGas) };
  }
  if (maxPriorityFeePerGas === undefined) return level;
  const forBaseFee = level.maxFeePerGas - level.maxPriorityFeePerGas;
  return { maxFeePerGas: forBaseFee + maxPriorityFeePerGas, maxPriorityFeePerGas };
}

// A gas price is paid in full, whatever the base fee turns out to be: enough for one full
// block more (12.5 %), not the reserve that a maximum fee can afford.
function chooseGasPrice({ medium, estimatedBaseFee }: FillLevels): bigint {
  if (estimatedBaseFee === 0n) return medium.maxFeePerGas;
  const price = (estimatedBaseFee * 9n + 7n) / 8n + medium.maxPriorityFeePerGas;
  return smaller(price, medium.maxFeePerGas);
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
