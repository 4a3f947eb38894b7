// Fees that no market ever had: a server that tells them is wrong, or lies.
import { UnavailableError } from '../errors';
import type { FeeSource } from './level';

/** 100,000 gwei for a unit of gas, in wei: a plain transfer costs two coins then. */
export const MAX_PLAUSIBLE_FEE = 10n ** 14n;

/**
 * Refuses fees of 100,000 gwei or more for a unit of gas.
 *
 * @throws {UnavailableError} Naming the source.
 */
export function assertPlausible(source: FeeSource, fees: readonly bigint[]): void {
  if (fees.every((fee) => fee < MAX_PLAUSIBLE_FEE)) return;
  throw new UnavailableError(`The fees suggested (${source}) are not plausible.`);
}
