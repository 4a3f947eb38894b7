// Fills in a transaction's missing fields. Never alters an existing field.
import { UnavailableError } from '../core/errors';
import type { Transaction } from '../core/payload';
import { withOwnNonce } from '../eth/delegation';
import type { Hex } from '../eth/hex';
import { chooseType } from '../eth/transaction';
import type { FeeName, TransactionRequest } from '../eth/transaction';
import type { LevelName } from '../ui/i18n';
import type { Warning } from '../ui/warnings';
import {
  chooseGasPrice,
  findOpenFees,
  fillFees,
  needsFees,
  toFoundFees,
} from './fee-choice';
import type { FoundFees } from './fee-choice';
import { findGas } from './gas-limit';
import type { EstimatePlace } from './gas-limit';
import type { FeeLevels } from './level';

type FillSources = EstimatePlace & {
  /** Called only if a fee is missing. */
  levels: () => Promise<FeeLevels>;
  level: LevelName;
  /** Called only if the nonce is missing. */
  nextNonce: () => Promise<bigint>;
  /** Whether to fill in a transaction that fails, so that the user can decide. */
  mayFail: boolean;
};

export type FilledTransaction = {
  transaction: Transaction;
  /** The fee fields that were missing. */
  open: readonly FeeName[];
  /** Undefined if no fee was missing. */
  levels?: FeeLevels | undefined;
  /** Priority fee that a rollup charges for the calldata, in wei per gas. */
  priorityFloor?: bigint | undefined;
  /** Why the transaction fails. In this case, a missing gas limit is assumed, not estimated. */
  failure?: Warning | undefined;
  newAccountGas?: bigint | undefined;
};

/** Fills in type, nonce, gas limit and fees. Throws the node's errors; with `mayFail`, returns the
 * reason for a failed estimate as `failure` instead. */
export async function fillTransaction(
  request: TransactionRequest,
  sources: FillSources,
): Promise<FilledTransaction> {
  const { chainId, level, mayFail } = sources;
  const isPriced = !needsFees(request);
  const [levels, nonce, gas, blobFee] = await Promise.all([
    isPriced ? undefined : sources.levels(),
    request.nonce ?? sources.nextNonce(),
    findGas(request, sources, { mayFail, isPriced }),
    findBlobFee(request, sources),
  ]);
  const { gasLimit, priorityFeePerGas: priorityFloor, failure, newAccountGas } = gas;
  const transaction = completeTransaction(
    { ...request, ...blobFee, chainId, nonce, gasLimit },
    levels && toFoundFees(levels, level, priorityFloor),
  );
  const open = findOpenFees(request, transaction);
  return { transaction, open, levels, priorityFloor, failure, newAccountGas };
}

// Doubles the blob base fee, which rises by at most an eighth per block, so that it suffices for
// five full blocks.
async function findBlobFee(
  { maxFeePerBlobGas, blobVersionedHashes }: TransactionRequest,
  { node }: FillSources,
): Promise<{ maxFeePerBlobGas?: bigint }> {
  if (maxFeePerBlobGas !== undefined || blobVersionedHashes === undefined) return {};
  let baseFee: Hex | null | undefined = await node.tryRequest('eth_blobBaseFee', []);
  if (!baseFee) {
    // Block headers contain only the excess blob gas, whose price depends on the fork.
    const history = await node.request('eth_feeHistory', ['0x1', 'latest', []]);
    baseFee = history.baseFeePerBlobGas?.at(-1);
  }
  if (baseFee) return { maxFeePerBlobGas: 2n * BigInt(baseFee) };
  throw new UnavailableError(
    `${node.label} does not provide the base fee of blobs. Set maxFeePerBlobGas.`,
  );
}

export function isComplete(request: TransactionRequest): boolean {
  const { type, chainId, nonce, gasLimit, maxFeePerBlobGas } = request;
  const hasBlobFee = type !== '0x3' || maxFeePerBlobGas !== undefined;
  return (
    !needsFees(request) &&
    hasBlobFee &&
    [type, chainId, nonce, gasLimit].every((field) => field !== undefined)
  );
}

const UNNEEDED: FoundFees = {
  source: 'fee-history',
  pair: { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
  estimatedBaseFee: 0n,
};

/** Creates a transaction from a request that lacks at most its type and fees (but not the blob
 * fee). `found` is required if a fee is missing. */
export function completeTransaction(
  request: TransactionRequest & { chainId: bigint; nonce: bigint; gasLimit: bigint },
  found: FoundFees = UNNEEDED,
): Transaction {
  const { from, to, value, data, chainId, nonce, gasLimit, accessList = [] } = request;
  const body = { from, to, value, data, chainId, nonce, gasLimit };
  const type = chooseType(request, found.source === 'gas-price' ? '0x0' : '0x2');
  if (type === '0x0' || type === '0x1') {
    const gasPrice = request.gasPrice ?? chooseGasPrice(found);
    return type === '0x0'
      ? { ...body, type, gasPrice }
      : { ...body, type, gasPrice, accessList };
  }
  const dynamic = { ...body, accessList, ...fillFees(request, found.pair) };
  if (type === '0x2') return { ...dynamic, type };
  // Transactions of the remaining types have these fields, either parsed or filled in.
  const { maxFeePerBlobGas, blobVersionedHashes, authorizationList } =
    request as Required<TransactionRequest>;
  return type === '0x3'
    ? { ...dynamic, type, maxFeePerBlobGas, blobVersionedHashes }
    : { ...dynamic, type, authorizationList: withOwnNonce(authorizationList, nonce) };
}
