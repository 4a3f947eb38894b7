// Finds the warnings of user operations at the high fee level, for an account with a large balance.
import type { UserOperation } from '../../src/core/payload';
import { readCallData } from '../../src/eth/account-calls';
import { decodeOperation, findOperationWarnings } from '../../src/operation/warnings';
import type { OperationFacts } from '../../src/operation/warnings';
import { findWarningsOfEach } from '../../src/review/findings';
import type { Warning } from '../../src/ui/warnings';
import { FETCHED_LEVELS } from './fees';
import { OPERATION } from './plain-operation';

export function findWarnings(
  changes: Partial<UserOperation> = {},
  facts: Partial<OperationFacts> = {},
): Warning[] {
  const { version = '0.7' } = facts;
  const maxFeePerGas = FETCHED_LEVELS.high.maxFeePerGas;
  const operation = { ...OPERATION, maxFeePerGas, ...changes };
  const decoded = decodeOperation(operation, (data) => readCallData(version, data));
  return findOperationWarnings(operation, decoded, {
    ofCalls: findWarningsOfEach(decoded.calls ?? []),
    version,
    levels: FETCHED_LEVELS,
    balance: 10n ** 24n,
    ...facts,
  });
}
