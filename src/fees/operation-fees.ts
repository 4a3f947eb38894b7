// Fees of a user operation: the market's, at least what the bundler asks for. Pure.
import type { FeeFloor } from '../client';
import { larger, smaller } from '../eth/hex';
import type { UserOperation } from '../eth/user-operation';
import type { FeePair } from './level';

/** Fees that the caller gave. */
export type GivenFees = Partial<
  Pick<UserOperation, 'maxFeePerGas' | 'maxPriorityFeePerGas'>
>;

/**
 * Choose the fees of an operation: what is given stands, what is absent is the market's,
 * raised to the least that the bundler takes.
 */
export function chooseOperationFees(
  given: GivenFees,
  market: FeePair,
  floor: FeeFloor | undefined,
): FeePair {
  const { maxFeePerGas, maxPriorityFeePerGas } = raise(market, floor);
  if (given.maxFeePerGas !== undefined) {
    const priority = given.maxPriorityFeePerGas ?? maxPriorityFeePerGas;
    // The caller's maximum stands, so our priority has to fit below it.
    const fitting = given.maxPriorityFeePerGas ?? smaller(priority, given.maxFeePerGas);
    return { maxFeePerGas: given.maxFeePerGas, maxPriorityFeePerGas: fitting };
  }
  if (given.maxPriorityFeePerGas === undefined) {
    return { maxFeePerGas, maxPriorityFeePerGas };
  }
  const priority = given.maxPriorityFeePerGas;
  const forBaseFee = maxFeePerGas - maxPriorityFeePerGas;
  const most = larger(forBaseFee + priority, floor?.maxFeePerGas ?? 0n);
  return { maxFeePerGas: most, maxPriorityFeePerGas: priority };
}

function raise(market: FeePair, floor: FeeFloor | undefined): FeePair {
  if (!floor) return market;
  const priority = larger(market.maxPriorityFeePerGas, floor.maxPriorityFeePerGas);
  const forBaseFee = market.maxFeePerGas - market.maxPriorityFeePerGas;
  const most = larger(forBaseFee + priority, floor.maxFeePerGas ?? 0n);
  return { maxFeePerGas: most, maxPriorityFeePerGas: priority };
}
