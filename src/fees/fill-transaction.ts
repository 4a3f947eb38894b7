// Filling a transaction: what is absent is fetched; independent questions go together.
import { isRollup } from '../client';
import type { NodeClient } from '../client';
import type { FailureAlert } from '../eth/alerts';
import type { ChainId } from '../eth/chain';
import type { Transaction, TransactionRequest } from '../eth/transaction';
import { completeTransaction } from './complete-transaction';
import type { FoundFees } from './complete-transaction';
import { findFailure } from './failure';
import { assumeGasLimit, estimateGas } from './gas-limit';
import type { GasEstimate } from './gas-limit';
import type { FeeLevels, FeePair, LevelName } from './level';

/** Where missing fields come from. */
export type FillSources = {
  chainId: ChainId;
  node: NodeClient;
  /** Called only if a fee or the type is missing. */
  levels: () => Promise<FeeLevels>;
  /** The level at which fees are filled. */
  level: LevelName;
  /** Called only if the nonce is missing. */
  nextNonce: () => Promise<bigint>;
  /** Whether one that fails is filled even so, for its user to decide about. */
  mayFail?: boolean;
};

/** A filled transaction, and what it was filled from. */
export type FilledTransaction = {
  transaction: Transaction;
  /** Undefined if no fee was missing. */
  levels?: FeeLevels | undefined;
  /** What a rollup asks for its calldata at every level, in wei for a unit of gas. */
  priorityFloor?: bigint | undefined;
  /** Why its gas could not be estimated: the gas limit is assumed. */
  failure?: FailureAlert | undefined;
};

/**
 * Fill what is missing: type, nonce, gas limit and fees.
 *
 * @throws What the node says, such as why an estimate failed, unless `mayFail`.
 */
export async function fillTransaction(
  request: TransactionRequest,
  sources: FillSources,
): Promise<FilledTransaction> {
  const { chainId, level } = sources;
  const [levels, nonce, gas, blobFee] = await Promise.all([
    needsFees(request) ? sources.levels() : undefined,
    request.nonce ?? sources.nextNonce(),
    findGas(request, sources),
    findBlobFee(request, sources),
  ]);
  const { gasLimit, priorityFeePerGas: priorityFloor, failure } = gas;
  const transaction = completeTransaction(
    { ...request, ...blobFee, chainId, nonce, gasLimit },
    levels && toFoundFees(levels, level, gas),
  );
  return { transaction, levels, priorityFloor, failure };
}

function needsFees(request: TransactionRequest): boolean {
  if (request.gasPrice !== undefined) return false;
  return (
    request.maxFeePerGas === undefined || request.maxPriorityFeePerGas === undefined
  );
}

type FoundGas = GasEstimate & Pick<FilledTransaction, 'failure'>;

async function findGas(
  request: TransactionRequest,
  sources: FillSources,
): Promise<FoundGas> {
  const { gasLimit } = request;
  if (gasLimit === undefined) {
    return estimateGas(request, sources).catch((error: unknown) => {
      const failure = sources.mayFail ? findFailure(error) : undefined;
      if (!failure) throw error;
      return { gasLimit: assumeGasLimit(request), failure };
    });
  }
  if (!isRollup(sources.chainId) || !needsFees(request)) return { gasLimit };
  // There the fees depend on the calldata, too. They can be filled without.
  const estimate = await estimateGas(request, sources).catch(() => undefined);
  return { ...estimate, gasLimit };
}

// It rises by an eighth a block at most: twice as much lasts for five full blocks.
async function findBlobFee(
  { maxFeePerBlobGas, blobVersionedHashes }: TransactionRequest,
  { node }: FillSources,
): Promise<{ maxFeePerBlobGas?: bigint }> {
  if (maxFeePerBlobGas !== undefined || blobVersionedHashes === undefined) return {};
  const baseFee = BigInt(await node.request('eth_blobBaseFee', []));
  return { maxFeePerBlobGas: 2n * baseFee };
}

/** Take the fees of a level, and what a rollup's estimate asks for beyond it. */
export function toFoundFees(
  levels: FeeLevels,
  level: LevelName,
  { priorityFeePerGas = 0n }: Partial<GasEstimate> = {},
): FoundFees {
  const { source, estimatedBaseFee } = levels;
  return { source, estimatedBaseFee, pair: raise(levels[level], priorityFeePerGas) };
}

/** What the base layer asks for the calldata is paid whatever the level. */
function raise(pair: FeePair, priorityFee: bigint): FeePair {
  const missing = priorityFee - pair.maxPriorityFeePerGas;
  if (missing <= 0n) return pair;
  const { maxFeePerGas } = pair;
  return {
    maxFeePerGas: maxFeePerGas + missing,
    maxPriorityFeePerGas: priorityFee,
  };
}
