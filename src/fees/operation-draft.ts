// A user operation before its gas is known: what is given, and what stands for the rest.
import type { NodeClient } from '../client';
import { UnavailableError } from '../errors';
import { findWord } from '../eth/abi';
import { toCall } from '../eth/account-calls';
import type { Intent } from '../eth/account-calls';
import { toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { toNonceCall } from '../eth/operation-nonce';
import { encodeInitCode } from '../eth/smart-account';
import { DUMMY_SIGNATURE, entryPoints, limitNames } from '../eth/user-operation';
import type { GasLimits, UserOperation } from '../eth/user-operation';
import type { SmartRecord } from '../state/account-record';
import { VERIFICATION_GAS_BOUND } from './estimate-operation';
import { UNKNOWN_CALL_GAS } from './gas-limit';
import type { FeePair } from './level';

// What a chain's node knows of a smart account before it acts: one batch.

/** An account as its chain knows it. */
export type AccountState = {
  isDeployed: boolean;
  /** Next nonce of the key that was asked for. */
  nonce: bigint;
  /** Gas that the calls need, found without the account's code; 0 if it has code. */
  callGas: bigint;
  /** What gas costs now, in wei. */
  gasPrice: bigint;
};

/** What is asked: for which nonces, and what the account is to do, where that is known. */
export type StateQuestion = {
  nonceKey: bigint;
  intents: readonly Intent[] | undefined;
};

/** Gas that a call costs more when an account makes it: the account's own code, and what
 * sending value to a fresh address costs a contract (2,600 + 9,000 + 25,000). */
export const EXECUTE_OVERHEAD = 40_000n;

/**
 * Fetch an account's nonce, whether it is deployed, and what gas costs, in one batch.
 *
 * While the account has no code a bundler sees its calls do nothing, so their gas is
 * estimated here.
 *
 * @throws {UnavailableError} If the chain has no such EntryPoint.
 */
export async function fetchAccountState(
  account: SmartRecord,
  { nonceKey: key, intents }: StateQuestion,
  node: NodeClient,
): Promise<AccountState> {
  const { address: sender } = account;
  const [code, nonce, gasPrice, ...gas] = await Promise.all([
    node.request('eth_getCode', [sender, 'latest']),
    fetchOperationNonce(account, key, node),
    node.request('eth_gasPrice', []),
    ...(intents ?? []).map(async (intent) => estimateCall(sender, intent, node)),
  ]);
  const isDeployed = code !== '0x';
  const callGas = gas.reduce((sum, each) => sum + each + EXECUTE_OVERHEAD, 0n);
  return {
    isDeployed,
    nonce,
    callGas: isDeployed ? 0n : intents ? callGas : UNKNOWN_CALL_GAS,
    gasPrice: BigInt(gasPrice),
  };
}

/**
 * Fetch the next nonce of a key.
 *
 * @throws {UnavailableError} If the chain has no such EntryPoint.
 */
export async function fetchOperationNonce(
  account: SmartRecord,
  key: bigint,
  node: NodeClient,
): Promise<bigint> {
  const { address: sender, entryPoint } = account;
  const call = toNonceCall({ entryPoint, sender, key });
  const answer = await node.request('eth_call', [call, 'latest']);
  return findWord(answer) ?? noEntryPoint(account, node);
}

/** Write what deploys an account; `0x` if and only if it has code. */
export function toInitCode(account: SmartRecord, isDeployed: boolean): Hex {
  const { entryPoint, factory, owner, salt } = account;
  if (isDeployed) return '0x';
  return encodeInitCode({ entryPoint, factory, owner, salt: BigInt(salt) });
}

function noEntryPoint({ entryPoint }: SmartRecord, node: NodeClient): never {
  throw new UnavailableError(
    `There is no EntryPoint ${entryPoint} at ${entryPoints[entryPoint].entryPoint} on the ` +
      `chain of ${node.label}.`,
  );
}

async function estimateCall(
  from: Hex,
  intent: Intent,
  node: NodeClient,
): Promise<bigint> {
  const { to, value, data } = toCall(intent);
  try {
    const call = { from, to, value: toQuantity(value), data };
    return BigInt(await node.request('eth_estimateGas', [call]));
  } catch {
    return UNKNOWN_CALL_GAS;
  }
}

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
