import { readCallData } from '../../../src/eth/account-calls';
import { entryPointVersions } from '../../../src/eth/user-operation';
import type { EntryPointVersion, UserOperation } from '../../../src/eth/user-operation';
import {
  decodeOperation,
  findOperationWarnings,
} from '../../../src/operation/warnings';
import { findWarningsOfEach } from '../../../src/review/findings';
import { warning } from '../../../src/ui/warnings';
import { MARKET } from '../../support/fees';
import { OPERATION, PAYMASTER } from '../../support/plain-operation';

const find = (changes: Partial<UserOperation>, version: EntryPointVersion = '0.7') => {
  const operation = { ...OPERATION, ...changes };
  const decoded = decodeOperation(operation, (data) => readCallData(version, data));
  const ofCalls = findWarningsOfEach(decoded.calls ?? []);
  const facts = { version, levels: MARKET, balance: 10n ** 30n, ofCalls };
  return findOperationWarnings(operation, decoded, facts);
};

describe('what is remarkable about what an operation says', () => {
  it.each(entryPointVersions)('is nothing in a plain one of %s', (version) => {
    expect(find({}, version)).toStrictEqual([]);
  });

  it('is a paymaster that the EntryPoint refuses', () => {
    const refused = [warning('alert.paymaster')];
    expect(find({ paymasterAndData: '0xab' }, '0.6')).toStrictEqual(refused);
    expect(find({ paymasterAndData: PAYMASTER }, '0.7')).toStrictEqual(refused);
    expect(find({ paymasterAndData: PAYMASTER }, '0.6')).toStrictEqual([]);
  });

  it('is a priority fee above the maximum fee', () => {
    const fee = OPERATION.maxFeePerGas;
    expect(find({ maxPriorityFeePerGas: fee })).toStrictEqual([]);
    expect(find({ maxPriorityFeePerGas: fee + 1n })).toStrictEqual([
      warning('alert.priority', { priority: { fee: fee + 1n }, fee: { fee } }),
    ]);
  });
});
