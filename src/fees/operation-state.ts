// What a chain's node knows of a smart account before it acts: one batch.
import type { NodeClient } from '../client';
import { UnavailableError } from '../errors';
import { findWord } from '../eth/abi';
import { toCall } from '../eth/account-calls';
import type { Intent } from '../eth/account-calls';
import { entryPoints } from '../eth/entry-point';
import { toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { toNonceCall } from '../eth/operation-nonce';
import { encodeInitCode } from '../eth/smart-account';
import type { SmartRecord } from '../state/account-record';
import { UNKNOWN_CALL_GAS } from './gas-limit';

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
