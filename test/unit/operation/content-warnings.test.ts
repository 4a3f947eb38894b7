import { encodeFunctionData, parseAbi } from 'viem';

import { readCallData } from '../../../src/eth/account-calls';
import type { Hex } from '../../../src/eth/hex';
import { entryPointVersions } from '../../../src/eth/user-operation';
import type { EntryPointVersion, UserOperation } from '../../../src/eth/user-operation';
import {
  decodeOperation,
  findOperationWarnings,
} from '../../../src/operation/warnings';
import { findWarningsOfEach } from '../../../src/review/findings';
import { danger, warning } from '../../../src/ui/warnings';
import type { Warning } from '../../../src/ui/warnings';
import { MARKET } from '../../support/fees';
import { OPERATION, PAYMASTER, SENDER } from '../../support/plain-operation';
import { TO } from '../../support/transactions';

const find = (changes: Partial<UserOperation>, version: EntryPointVersion = '0.7') => {
  const operation = { ...OPERATION, ...changes };
  const decoded = decodeOperation(operation, (data) => readCallData(version, data));
  const ofCalls = findWarningsOfEach(decoded.calls ?? []);
  const facts = { version, levels: MARKET, balance: 10n ** 30n, ofCalls };
  return findOperationWarnings(operation, decoded, facts);
};

const ofCalls = (number: number[], about: Warning): Warning => ({
  key: 'userOperation.about',
  severity: about.severity,
  values: { number, text: { warning: about } },
});

/** Calls of an operation, each with its target, value and data; as others may encode them,
 * since our own encoding refuses data for the zero address. */
function callsOf(...calls: [Hex, bigint, Hex][]): Partial<UserOperation> {
  const abi = parseAbi(['function executeBatch(address[], uint256[], bytes[])']);
  const args = [
    calls.map(([to]) => to),
    calls.map(([, value]) => value),
    calls.map(([, , data]) => data),
  ] as const;
  return { callData: encodeFunctionData({ abi, args }) };
}

describe('what is remarkable about what an operation says', () => {
  it.each(entryPointVersions)('is nothing in a plain one of %s', (version) => {
    expect(find({}, version)).toStrictEqual([]);
  });

  it('is call data that cannot be read, or hold what is no part of a call', () => {
    expect(find({ callData: '0xdeadbeef' })).toStrictEqual([danger('alert.opaque')]);
    expect(find({ callData: '0x' })).toStrictEqual([]);
    const { callData = '0x' } = callsOf([TO, 1n, '0x']);
    expect(find({ callData: `${callData}00` })).toStrictEqual([
      danger('alert.hiddenBytes'),
    ]);
  });

  it('is an upgrade, and apart from it any other call to the account itself', () => {
    const calls = callsOf(
      [SENDER, 0n, '0x4f1ef286'],
      [TO, 0n, '0x4f1ef286'],
      [SENDER, 0n, '0x3659cfe6'],
      [SENDER, 1n, '0x'],
      [SENDER, 0n, '0xdeadbeef'],
    );
    expect(find(calls)).toStrictEqual([
      ofCalls([1, 3], danger('alert.upgrade')),
      ofCalls([5], danger('alert.ownCall')),
      ofCalls(
        [2],
        warning('alert.control', { function: 'upgradeToAndCall(address,bytes)' }),
      ),
    ]);
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
