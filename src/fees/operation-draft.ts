// A user operation before its gas is known: what is given, and what stands for the rest.
import type { Hex } from '../eth/hex';
import { DUMMY_SIGNATURE, limitNames } from '../eth/user-operation';
import type { GasLimits, UserOperation } from '../eth/user-operation';
import type { SmartRecord } from '../state/account-record';
import { VERIFICATION_GAS_BOUND } from './estimate-operation';
import type { FeePair } from './level';
import { toInitCode } from './operation-state';
import type { AccountState } from './operation-state';

/** An operation of which only the calls must be there. */
export type OperationRequest = Partial<UserOperation> & { callData: Hex };

/** What a draft is made of beside what is given. */
export type DraftParts = {
  account: SmartRecord;
  state: AccountState;
  fees: FeePair;
  nonce: bigint;
};

/** Make a draft; its gas limits are those to estimate with. */
export function toDraft(
  request: OperationRequest,
  { account, state, fees, nonce }: DraftParts,
): UserOperation {
  return {
    initCode: toInitCode(account, state.isDeployed),
    callGasLimit: 0n,
    verificationGasLimit: VERIFICATION_GAS_BOUND,
    preVerificationGas: 0n,
    paymasterAndData: '0x',
    ...request,
    ...fees,
    sender: account.address,
    nonce,
    signature: DUMMY_SIGNATURE,
  };
}

/** Take the limits of what is given. */
export function limitsOf(fields: Partial<UserOperation>): Partial<GasLimits> {
  const given = limitNames.filter((name) => fields[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, fields[name]]));
}
