// Making a transaction of a request and of what was found for it: pure. What is absent is
// added, what is present is never altered.
import { smaller } from '../eth/hex';
import { chooseType } from '../eth/transaction';
import type { Transaction, TransactionRequest } from '../eth/transaction';
import type { FeeLevels, FeePair } from './level';

/** Fees that were found for a transaction, at the level that its user wants. */
export type FoundFees = Pick<FeeLevels, 'estimatedBaseFee' | 'source'> & {
  pair: FeePair;
};

/** Stands for fees where type and fees are there: nothing of it is used. */
const UNNEEDED: FoundFees = {
  source: 'fee-history',
  pair: { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
  estimatedBaseFee: 0n,
};

/** Tell whether nothing is left to fill. */
export function isComplete(request: TransactionRequest): boolean {
  const { type, chainId, nonce, gasLimit, gasPrice, maxFeePerBlobGas } = request;
  const hasFees =
    gasPrice !== undefined ||
    (request.maxFeePerGas !== undefined && request.maxPriorityFeePerGas !== undefined);
  const hasBlobFee = type !== '0x3' || maxFeePerBlobGas !== undefined;
  return (
    hasFees &&
    hasBlobFee &&
    [type, chainId, nonce, gasLimit].every((field) => field !== undefined)
  );
}

/**
 * Make a transaction of a request in which only type and fees may be missing.
 *
 * @param found - May be left out only if the request has type and fees.
 */
export function completeTransaction(
  request: TransactionRequest & { chainId: bigint; nonce: bigint; gasLimit: bigint },
  found: FoundFees = UNNEEDED,
): Transaction {
  const { from, to, value, data, chainId, nonce, gasLimit, accessList = [] } = request;
  const body = { from, to, value, data, chainId, nonce, gasLimit };
  // The fields that are there decide; where they leave a choice, what the chain supports.
  const type = chooseType(request, found.source === 'gas-price' ? '0x0' : '0x2');
  if (type === '0x0' || type === '0x1') {
    const gasPrice = request.gasPrice ?? chooseGasPrice(found);
    return type === '0x0'
      ? { ...body, type, gasPrice }
      : { ...body, type, gasPrice, accessList };
  }
  const dynamic = { ...body, accessList, ...chooseFees(request, found) };
  if (type === '0x2') return { ...dynamic, type };
  // Types with these fields always have them: they were parsed or filled before.
  const { maxFeePerBlobGas, blobVersionedHashes, authorizationList } =
    request as Required<TransactionRequest>;
  return type === '0x3'
    ? { ...dynamic, type, maxFeePerBlobGas, blobVersionedHashes }
    : { ...dynamic, type, authorizationList };
}

function chooseFees(
  { maxFeePerGas, maxPriorityFeePerGas }: TransactionRequest,
  { pair: level }: FoundFees,
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
function chooseGasPrice({ pair, estimatedBaseFee }: FoundFees): bigint {
  if (estimatedBaseFee === 0n) return pair.maxFeePerGas;
  const price = (estimatedBaseFee * 9n + 7n) / 8n + pair.maxPriorityFeePerGas;
  return smaller(price, pair.maxFeePerGas);
}

/** Choose the fees that a transaction would be filled with now: of the kind that it has. */
export function chooseSameFees(
  transaction: Transaction,
  found: FoundFees,
): Pick<TransactionRequest, 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  return 'gasPrice' in transaction ? { gasPrice: chooseGasPrice(found) } : found.pair;
}
