// Guard rails of user operations: what a user should know before one is signed.
import type { CallOptions, NodeClient } from '../client';
import { withTimeLimit } from '../client/abort';
import { encodeCall, findWord } from '../eth/abi';
import { decodeCalls } from '../eth/account-calls';
import type { CostAlert, FailureAlert, OperationAlert } from '../eth/alerts';
import { findKnownChain } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { isSameAddress, larger, smaller } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { findContentAlerts } from '../eth/operation-alerts';
import {
  computePreVerificationGas,
  encodeOperation,
  gasLimitsOf,
  maxCostOf,
  payerOf,
} from '../eth/operation-cost';
import type { GasField } from '../eth/operation-cost';
import { DUMMY_SIGNATURE, entryPoints } from '../eth/user-operation';
import type { EntryPointVersion, UserOperation } from '../eth/user-operation';
import type { SmartRecord } from '../state/account-record';
import {
  PREFUND_GAS,
  simulateOperation,
  toAccountCalls,
  toVerificationGas,
} from './estimate-operation';
import { findDataFee, findFeeAlerts } from './guard-rails';
import type { FeeLevels } from './level';
import { toInitCode } from './operation-draft';
import { findCallFailure, findFailure } from './failures';

// What a user operation is measured by before its user is asked: one batch to the node.

/** A confirmation waits no longer for them. */
const TIME_LIMIT_MS = 5_000;

/** Where the figures come from. */
export type MeasureSources = {
  chainId: ChainId;
  /** Without one nothing is fetched. */
  node: NodeClient | undefined;
  levels: () => Promise<FeeLevels>;
};

type NodeFigures = Pick<OperationFacts, 'nodeGas' | 'failure'>;

/** Fetches what an account's operation is measured by; never fails, but may know less. */
export async function fetchOperationMeasures(
  operation: UserOperation,
  account: SmartRecord,
  { chainId, node, levels }: MeasureSources,
): Promise<OperationFacts> {
  const { address, entryPoint: version } = account;
  const known = {
    version,
    ownInitCode: toInitCode(account, false),
    paysDataInGas: findKnownChain(chainId)?.dataFee === 'inGas',
  };
  if (!node) return known;
  const { entryPoint: to } = entryPoints[version];
  const data = encodeCall('balanceOf(address)', [address]);
  const place = { version, chainId, node };
  try {
    return await withTimeLimit(async (signal) => {
      const options = { signal };
      const [balance, deposit, code, found, figures, blockGasLimit, dataFee] =
        await Promise.all([
          node.request('eth_getBalance', [address, 'latest'], options),
          node.request('eth_call', [{ to, data }, 'latest'], options),
          node.request('eth_getCode', [address, 'latest'], options),
          // Without these the rest still counts.
          levels().catch(() => undefined),
          fetchNodeFigures(operation, place, options),
          fetchBlockGasLimit(node, options).catch(() => undefined),
          findDataFee(() => encodeOperation(operation, version), place, options).catch(
            () => undefined,
          ),
        ]);
      return {
        ...known,
        ...figures,
        levels: found,
        balance: BigInt(balance),
        deposit: findWord(deposit),
        isDeployed: code !== '0x',
        blockGasLimit,
        dataFee,
      };
    }, TIME_LIMIT_MS);
  } catch {
    return known;
  }
}

async function fetchBlockGasLimit(
  node: NodeClient,
  options: CallOptions,
): Promise<bigint | undefined> {
  const block = await node.request('eth_getBlockByNumber', ['latest', false], options);
  return block?.gasLimit === undefined ? undefined : BigInt(block.gasLimit);
}

type Place = { version: EntryPointVersion; chainId: ChainId; node: NodeClient };

// Any node estimates what a deployed account does. What another one would do, a simulation
// tells, which some nodes have.
async function fetchNodeFigures(
  given: UserOperation,
  place: Place,
  options: CallOptions,
): Promise<NodeFigures> {
  const operation = { ...given, signature: DUMMY_SIGNATURE };
  try {
    if (operation.initCode === '0x') return await estimate(operation, place, options);
    const gas = await simulateOperation(operation, place, options);
    return {
      nodeGas: {
        callGasLimit: gas.callGasLimit,
        verificationGasLimit: gas.verificationGasLimit + PREFUND_GAS,
      },
    };
  } catch (error) {
    return { failure: findCallFailure(error) };
  }
}

async function estimate(
  operation: UserOperation,
  place: Place,
  options: CallOptions,
): Promise<NodeFigures> {
  const { validation, execution } = toAccountCalls(operation, place);
  const ask = async (call: typeof validation): Promise<bigint> =>
    BigInt(await place.node.request('eth_estimateGas', [call], options));
  const [verification, calls] = await Promise.allSettled([
    ask(validation),
    ask(execution),
  ]);
  const verified = 'value' in verification ? verification.value : undefined;
  return {
    nodeGas: {
      callGasLimit: 'value' in calls ? calls.value : undefined,
      verificationGasLimit:
        verified === undefined
          ? undefined
          : toVerificationGas(verified, operation, place.version) + PREFUND_GAS,
    },
    failure: 'reason' in calls ? findFailure(calls.reason) : undefined,
  };
}

/** Deploying and verifying a SimpleAccount takes less than a tenth of it. */
const MAX_VERIFICATION_GAS = 5_000_000n;

/** What a whole block of Ethereum took for years. */
const MAX_CALL_GAS = 30_000_000n;

/** A bundler that asks for more than so many times our own figure, or the node's, overcharges. */
const MAX_TIMES_OWN = 2n;

/** Where the base layer is paid in gas, only bundlers know how much: when the chain is cheap and
 * its base layer is not, many times what the bytes cost. */
const DATA_IN_GAS_BOUND = 20_000_000n;

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
  /** What the node says that calls and verification need, as limits of the operation. */
  nodeGas?: Partial<Record<GasField, bigint | undefined>> | undefined;
  /** What the chain charges for the operation's bytes beside gas, which the bundler pays and
   * asks for in preVerificationGas; wei. */
  dataFee?: bigint | undefined;
  /** Whether the chain charges for its base layer in gas. */
  paysDataInGas?: boolean | undefined;
  /** Why its calls fail. */
  failure?: FailureAlert | undefined;
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
  const { replaced, sponsorFailure: reason, failure } = facts;
  return [
    ...findContentAlerts(operation, facts.version),
    ...(failure ? [failure] : []),
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
  const { version, blockGasLimit = MAX_CALL_GAS, isDeployed } = facts;
  // What a call to an address without code takes says nothing.
  const isAbsent = isDeployed === false && operation.initCode === '0x';
  const nodeGas = isAbsent ? undefined : facts.nodeGas;
  return gasLimitsOf(operation, version).flatMap(([field, gas]): OperationAlert[] => {
    if (field === 'preVerificationGas') {
      return findPreVerificationAlerts(operation, facts);
    }
    const estimate = nodeGas?.[field];
    if (estimate !== undefined && gas > estimate * MAX_TIMES_OWN) {
      return [{ kind: 'gasEstimate', field, gas, estimate }];
    }
    const bound =
      field === 'callGasLimit'
        ? smaller(MAX_CALL_GAS, blockGasLimit)
        : MAX_VERIFICATION_GAS;
    return gas > bound ? [{ kind: 'gasLimit', field, gas, bound }] : [];
  });
}

function findPreVerificationAlerts(
  operation: UserOperation,
  { version, levels, dataFee = 0n, paysDataInGas = false }: OperationFacts,
): OperationAlert[] {
  const { preVerificationGas: gas, maxFeePerGas, maxPriorityFeePerGas } = operation;
  const signed = { ...operation, signature: DUMMY_SIGNATURE };
  const own = computePreVerificationGas(signed, version);
  // What the bundler is paid for a unit of gas.
  const price = smaller(
    maxFeePerGas,
    (levels?.estimatedBaseFee ?? 0n) + maxPriorityFeePerGas,
  );
  const estimate = own + dataFee / larger(price, 1n);
  const most = estimate * MAX_TIMES_OWN;
  const bound = paysDataInGas ? larger(most, DATA_IN_GAS_BOUND) : most;
  return gas > bound ? [{ kind: 'preVerificationGas', gas, estimate }] : [];
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
