// Fees that no market ever had: a server that tells them is wrong, or lies.
import { UnavailableError } from '../errors';
import type { FeeSource } from './level';

/** No fee for a unit of gas was ever near a whole coin. */
export const MAX_PLAUSIBLE_FEE = 10n ** 18n;

/**
 * Refuse fees of a whole coin (10^18 wei) or more for a unit of gas.
 *
 * @throws {UnavailableError} Naming the source.
 */
export function assertPlausible(source: FeeSource, fees: readonly bigint[]): void {
  if (fees.every((fee) => fee < MAX_PLAUSIBLE_FEE)) return;
  throw new UnavailableError(`The fees suggested (${source}) are not plausible.`);
}
