// User operations before the guard rails, at the market's fees and by a rich account.
import type { OperationAlert } from '../../src/eth/alerts';
import type { UserOperation } from '../../src/eth/user-operation';
import { findOperationAlerts } from '../../src/fees/operation-guard-rails';
import type { OperationFacts } from '../../src/fees/operation-guard-rails';
import { MARKET } from './fees';
import { OPERATION } from './plain-operation';

/** Find what is remarkable about an operation of 0.7 at the high level. */
export function findAlerts(
  changes: Partial<UserOperation> = {},
  facts: Partial<OperationFacts> = {},
): OperationAlert[] {
  return findOperationAlerts(
    { ...OPERATION, maxFeePerGas: MARKET.high.maxFeePerGas, ...changes },
    { version: '0.7', levels: MARKET, balance: 10n ** 24n, ...facts },
  );
}
