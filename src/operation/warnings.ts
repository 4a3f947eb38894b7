// Warnings about a user operation, from its fields and from a comparison with the chain and the
// market.
import type { OperationAccount } from '../accounts/kinds/kind';
import type { EntryPointVersion } from '../core/entry-points';
import type { UserOperation } from '../core/payload';
import { isSameAddress, larger, smaller, sum } from '../eth/hex';
import type { Hex } from '../eth/hex';
import type { GasFork } from '../eth/intrinsic-gas';
import {
  computePreVerificationGas,
  gasLimitsOf,
  maxCostOf,
  payerOf,
} from '../eth/operation-cost';
import type { GasField } from '../eth/operation-cost';
import { DUMMY_SIGNATURE } from '../eth/user-operation';
import { findFeeWarnings, warnOfBalance } from '../fees/guard-rails';
import type { FeeLevels } from '../fees/level';
import type { CoinPrice } from '../fees/prices';
import type { CallEffect } from '../review/effects';
import { readCalls } from '../review/read';
import { toShownLine } from '../ui/format';
import type { TextKey } from '../ui/i18n';
import { danger, listFound, numberWarnings, warning } from '../ui/warnings';
import type { NumberedWarning, Warning } from '../ui/warnings';

export type DecodedOperation = {
  /** Undefined if the call data is malformed, or does not encode calls by the account. */
  calls: readonly CallEffect[] | undefined;
  /** Whether the encoding has no surplus or overlapping bytes. */
  isCanonical: boolean;
};

export const gasLabels: Record<GasField, TextKey> = {
  callGasLimit: 'field.callGas',
  verificationGasLimit: 'field.verificationGas',
  preVerificationGas: 'field.preVerificationGas',
  paymasterVerificationGasLimit: 'field.paymasterVerificationGas',
  paymasterPostOpGasLimit: 'field.paymasterPostOpGas',
};

/** Maximum length of a paymaster's own text, which fits on one line. */
const MAX_REASON = 45;

function writeReason(failure: string): string | { text: string } {
  const [, words] = /does not pay\. It said: (.+)$/su.exec(failure) ?? [];
  return words === undefined ? { text: failure } : toShownLine(words, MAX_REASON);
}

/** More than twice the gas to deploy and verify a Safe in any fork. */
const MAX_VERIFICATION_GAS = 5_000_000n;

/** Ethereum's block gas limit for many years. */
const MAX_CALL_GAS = 30_000_000n;

/** A bundler overcharges if it asks for more than this multiple of our estimate or the node's. */
const MAX_OVERCHARGE = 2n;

/** Minimum bound on chains that charge for the base layer in gas. Only bundlers know the amount. It
 * can be many times the cost of the bytes, because the base layer is more expensive. */
const DATA_IN_GAS_BOUND = 20_000_000n;

/** Data about an operation. Missing fields are unknown. */
export type OperationFacts = {
  version: EntryPointVersion;
  /** The chain's gas rules. The default is Prague's. */
  fork?: GasFork | undefined;
  /** A placeholder with the length of the account's signature. */
  dummySignature?: Hex;
  levels?: FeeLevels | undefined;
  /** In wei. */
  balance?: bigint | undefined;
  /** The account's deposit at the EntryPoint, in wei. */
  deposit?: bigint | undefined;
  isDeployed?: boolean | undefined;
  /** The deployment of the account by its own factory. */
  ownInitCode?: Hex | undefined;
  blockGasLimit?: bigint | undefined;
  /** The node's gas estimates for calls and verification, as limits of the operation. */
  nodeGas?: Partial<Record<GasField, bigint | undefined>> | undefined;
  /** The chain's data fee for the operation's bytes, in wei. The bundler pays it, and charges for
   * it in preVerificationGas. */
  dataFee?: bigint | undefined;
  paysDataInGas?: boolean | undefined;
  price?: CoinPrice | undefined;
  /** Why the calls fail. */
  failure?: Warning | undefined;
  /** A different operation that was signed with the same nonce. */
  replaced?: { hash: Hex } | undefined;
  /** Why the paymaster does not pay, if it was asked. */
  sponsorFailure?: string | undefined;
  /** Warnings about individual calls. */
  ofCalls?: readonly NumberedWarning[];
  /** Problems with the nonce, such as a gap before it. */
  ofNonce?: readonly Warning[];
};

export function decodeOperation(
  { sender, callData }: { sender: Hex; callData: Hex },
  read: OperationAccount['read'],
): DecodedOperation {
  const { calls, isCanonical } = read(callData);
  const made = calls?.map((call) => ({ ...call, from: sender }));
  return { calls: made && readCalls(made), isCanonical };
}

export function findOperationWarnings(
  operation: UserOperation,
  decoded: DecodedOperation,
  facts: OperationFacts,
): Warning[] {
  const { version, replaced, sponsorFailure, failure } = facts;
  const { callData, maxFeePerGas: fee, maxPriorityFeePerGas: priority } = operation;
  const { calls, isCanonical } = decoded;
  return listFound(
    // Without call data, the EntryPoint does not call the account.
    callData !== '0x' && !calls && danger('alert.opaque'),
    calls && !isCanonical && danger('alert.hiddenBytes'),
    // The EntryPoint refuses a malformed `paymasterAndData`.
    !payerOf(operation, version) && warning('alert.paymaster'),
    priority > fee &&
      warning('alert.priority', { priority: { fee: priority }, fee: { fee } }),
    failure,
    findDeploymentWarnings(operation, facts),
    replaced && warning('alert.replay', { hash: replaced.hash }),
    sponsorFailure !== undefined &&
      warning('alert.sponsor', { reason: writeReason(sponsorFailure) }),
    findGasWarnings(operation, facts),
    findCostWarnings(operation, decoded, facts),
    facts.ofNonce,
    numberWarnings(facts.ofCalls ?? [], 'userOperation.about'),
  );
}

function findDeploymentWarnings(
  { initCode }: UserOperation,
  { version, isDeployed, ownInitCode }: OperationFacts,
): Warning[] {
  if (initCode === '0x') {
    return isDeployed === false ? [warning('alert.undeployed')] : [];
  }
  const isOwn =
    ownInitCode === undefined || ownInitCode.toLowerCase() === initCode.toLowerCase();
  return listFound(
    !isOwn && warning('alert.factory'),
    // EntryPoint 0.9 ignores the deployment of a deployed account.
    isDeployed === true && version !== '0.9' && warning('alert.deployed'),
  );
}

function findGasWarnings(operation: UserOperation, facts: OperationFacts): Warning[] {
  const { version, blockGasLimit = MAX_CALL_GAS, isDeployed } = facts;
  // If the address has no code, the estimate is meaningless.
  const isAbsent = isDeployed === false && operation.initCode === '0x';
  const nodeGas = isAbsent ? undefined : facts.nodeGas;
  return gasLimitsOf(operation, version).flatMap(([field, gas]): Warning[] => {
    if (field === 'preVerificationGas') {
      return findPreVerificationWarnings(operation, facts);
    }
    const label = { label: gasLabels[field] };
    const estimate = nodeGas?.[field];
    if (estimate !== undefined && gas > estimate * MAX_OVERCHARGE) {
      return [warning('alert.gasEstimate', { field: label, gas, estimate })];
    }
    const bound =
      field === 'callGasLimit'
        ? smaller(MAX_CALL_GAS, blockGasLimit)
        : MAX_VERIFICATION_GAS;
    return gas > bound ? [warning('alert.gasLimit', { field: label, gas, bound })] : [];
  });
}

function findPreVerificationWarnings(
  operation: UserOperation,
  facts: OperationFacts,
): Warning[] {
  const { preVerificationGas: gas, maxFeePerGas, maxPriorityFeePerGas } = operation;
  const { version, fork = 'prague', levels } = facts;
  const { dataFee = 0n, paysDataInGas = false } = facts;
  const { dummySignature: signature = DUMMY_SIGNATURE } = facts;
  const signed = { ...operation, signature };
  const own = computePreVerificationGas(signed, { version, fork });
  // What the bundler receives per unit of gas.
  const price = smaller(
    maxFeePerGas,
    (levels?.estimatedBaseFee ?? 0n) + maxPriorityFeePerGas,
  );
  const estimate = own + dataFee / larger(price, 1n);
  const most = estimate * MAX_OVERCHARGE;
  const bound = paysDataInGas ? larger(most, DATA_IN_GAS_BOUND) : most;
  return gas > bound ? [warning('alert.preVerificationGas', { gas, estimate })] : [];
}

function findCostWarnings(
  operation: UserOperation,
  { calls = [] }: DecodedOperation,
  { version, levels, balance, deposit = 0n }: OperationFacts,
): Warning[] {
  const payer = payerOf(operation, version);
  const paysItself = payer !== undefined && isSameAddress(payer, operation.sender);
  const gasCost = paysItself ? maxCostOf(operation, version) : 0n;
  const cost = gasCost + sum(calls.map(({ value }) => value));
  // A deposit pays only for gas.
  const available = (balance ?? 0n) + smaller(deposit, gasCost);
  return listFound(
    levels && findFeeWarnings(operation.maxFeePerGas, levels),
    balance !== undefined && cost > available && warnOfBalance(cost, available),
    (!levels || balance === undefined) && warning('alert.unchecked'),
  );
}
