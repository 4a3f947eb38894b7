// Guard rails of user operations: what a user should know before one is signed.
import { decodeCalls } from '../eth/account-calls';
import type { CostAlert, OperationAlert } from '../eth/alerts';
import type { EntryPointVersion } from '../eth/entry-point';
import { byteLength, isSameAddress, larger, smaller } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { findContentAlerts } from '../eth/operation-alerts';
import { gasLimitsOf, maxCostOf, payerOf } from '../eth/operation-cost';
import type { GasField } from '../eth/operation-cost';
import type { UserOperation } from '../eth/user-operation';
import { findFeeAlerts } from './guard-rails';
import type { FeeLevels } from './level';

/** Deploying and verifying a SimpleAccount takes less than a tenth of it. */
const MAX_VERIFICATION_GAS = 5_000_000n;

/** What a whole block of Ethereum took for years. */
const MAX_CALL_GAS = 30_000_000n;

/** What a bundler may ask for the bytes without a reason: nothing of it is given back. */
const MIN_PRE_VERIFICATION_BOUND = 1_000_000n;

/** Four times what the bytes cost is too much where nothing else is to be paid by it. */
const MAX_TIMES_BYTES = 4n;

/** On a rollup it pays for the place on the base layer as well, in gas of the rollup: when
 * that is cheap and the base layer is not, many times what the bytes cost. */
const ROLLUP_PRE_VERIFICATION_BOUND = 20_000_000n;

/** Gas of a byte of calldata at most (EIP-7623). */
const BYTE_GAS = 40n;

/** Gas of an operation alone in its bundle, without its bytes of variable length. */
const OPERATION_GAS = 80_000n;

/** What an operation is measured by. What is left out is not known. */
export type OperationFacts = {
  version: EntryPointVersion;
  levels?: FeeLevels | undefined;
  /** What the account has; wei. */
  balance?: bigint | undefined;
  /** What it has deposited at the EntryPoint; wei. */
  deposit?: bigint | undefined;
  /** Whether it has code. */
  isDeployed?: boolean | undefined;
  /** What deploys the account, by its own factory. */
  ownInitCode?: Hex | undefined;
  /** Gas that a block of the chain takes. */
  blockGasLimit?: bigint | undefined;
  /** Whether the chain charges for a place on another one. */
  isRollup?: boolean | undefined;
  /** Other content that was signed with the same nonce. */
  replaced?: { hash: Hex } | undefined;
  /** Why the paymaster does not pay, if it was asked to. */
  sponsorFailure?: string | undefined;
};

/** Find what is remarkable about a user operation, the worst first. */
export function findOperationAlerts(
  operation: UserOperation,
  facts: OperationFacts,
): OperationAlert[] {
  const { replaced, sponsorFailure: reason } = facts;
  return [
    ...findContentAlerts(operation, facts.version),
    ...findDeploymentAlerts(operation, facts),
    ...(replaced ? [{ kind: 'replay', hash: replaced.hash } as const] : []),
    ...(reason === undefined ? [] : [{ kind: 'sponsor', reason } as const]),
    ...findGasAlerts(operation, facts),
    ...findCostAlerts(operation, facts),
  ];
}

function findDeploymentAlerts(
  { initCode }: UserOperation,
  { isDeployed, ownInitCode }: OperationFacts,
): OperationAlert[] {
  if (initCode === '0x') return isDeployed === false ? [{ kind: 'undeployed' }] : [];
  const isOwn =
    ownInitCode === undefined || ownInitCode.toLowerCase() === initCode.toLowerCase();
  return [
    ...(isOwn ? [] : [{ kind: 'factory' } as const]),
    ...(isDeployed === true ? [{ kind: 'deployed' } as const] : []),
  ];
}

function findGasAlerts(
  operation: UserOperation,
  facts: OperationFacts,
): OperationAlert[] {
  const bounds: Record<GasField, bigint> = {
    callGasLimit: smaller(MAX_CALL_GAS, facts.blockGasLimit ?? MAX_CALL_GAS),
    verificationGasLimit: MAX_VERIFICATION_GAS,
    preVerificationGas: facts.isRollup
      ? ROLLUP_PRE_VERIFICATION_BOUND
      : larger(MIN_PRE_VERIFICATION_BOUND, bytesGasOf(operation) * MAX_TIMES_BYTES),
    paymasterVerificationGasLimit: MAX_VERIFICATION_GAS,
    paymasterPostOpGasLimit: MAX_VERIFICATION_GAS,
  };
  return gasLimitsOf(operation, facts.version).flatMap(
    ([field, gas]): OperationAlert[] => {
      const bound = bounds[field];
      if (gas <= bound) return [];
      return field === 'preVerificationGas'
        ? [{ kind: field, gas, bound }]
        : [{ kind: 'gasLimit', field, gas, bound }];
    },
  );
}

function findCostAlerts(
  operation: UserOperation,
  { version, levels, balance, deposit = 0n }: OperationFacts,
): CostAlert[] {
  const payer = payerOf(operation, version);
  const paysItself = payer !== undefined && isSameAddress(payer, operation.sender);
  const gasCost = paysItself ? maxCostOf(operation, version) : 0n;
  const cost = gasCost + valueOf(operation, version);
  // What is deposited pays for gas alone.
  const available = (balance ?? 0n) + smaller(deposit, gasCost);
  return [
    ...(levels ? findFeeAlerts(operation.maxFeePerGas, levels) : []),
    ...(balance !== undefined && cost > available
      ? [{ kind: 'balance', cost, balance: available } as const]
      : []),
    ...(levels && balance !== undefined ? [] : [{ kind: 'unchecked' } as const]),
  ];
}

function valueOf(operation: UserOperation, version: EntryPointVersion): bigint {
  const calls = decodeCalls(version, operation.callData) ?? [];
  return calls.reduce((sum, { value }) => sum + value, 0n);
}

function bytesGasOf(operation: UserOperation): bigint {
  const { initCode, callData, paymasterAndData } = operation;
  const bytes = [initCode, callData, paymasterAndData].reduce(
    (sum, each) => sum + byteLength(each),
    0,
  );
  return OPERATION_GAS + BigInt(bytes) * BYTE_GAS;
}
