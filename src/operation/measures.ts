// Fetches the data for reviewing a user operation from the node, in one batch.
import type { CallOptions, NodeClient } from '../../packages/client/src';
import { tryInTime } from '../../packages/client/src/abort';
import type { OperationAccount } from '../accounts/kinds/kind';
import type { Chain } from '../chains/chain';
import type { PreparingContext } from '../context';
import { entryPoints } from '../core/entry-points';
import type { UserOperation } from '../core/payload';
import { encodeCall, toWord } from '../eth/abi';
import { findKnownChain } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { sum } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { forkGas } from '../eth/intrinsic-gas';
import { encodeOperation, gasLimitsOf } from '../eth/operation-cost';
import { computeDataFee, fetchDataFees } from '../fees/data-fee';
import {
  simulateOperation,
  toAccountCalls,
  toVerificationGas,
} from '../fees/estimate-operation';
import type { SimulationPlace } from '../fees/estimate-operation';
import { toInitCode } from '../fees/fill-user-operation';
import { findCallFailure, findFailure } from '../fees/gas-limit';
import type { ReadPrice } from '../fees/prices';
import type { OperationFacts } from './warnings';

/** Maximum time for these requests, in ms. The dialog waits for them. */
const TIME_LIMIT_MS = 5_000;

type MeasureSources = Pick<PreparingContext, 'findFork' | 'feeLevels'> & {
  chainId: ChainId;
  /** If undefined, nothing is fetched. */
  chain: Chain | undefined;
  readPrice: ReadPrice | undefined;
};

type NodeFigures = Pick<OperationFacts, 'nodeGas' | 'failure'>;

/** Fetches the data for reviewing an account's operation, or a part of it. Never fails. */
export async function fetchOperationMeasures(
  operation: UserOperation,
  account: OperationAccount,
  { chainId, chain, findFork, feeLevels, readPrice }: MeasureSources,
): Promise<OperationFacts> {
  const { address, entryPoint: version } = account;
  const known = {
    version,
    ownInitCode: toInitCode(account, false),
    dummySignature: account.dummySignature,
    paysDataInGas: findKnownChain(chainId)?.dataFee === 'inGas',
  };
  if (!chain) return known;
  const { node } = chain;
  const { entryPoint: to } = entryPoints[version];
  const data = encodeCall('balanceOf(address)', [address]);
  const place = { version, chainId, node, findFork: async () => findFork(chain) };
  const unsigned = { ...operation, signature: known.dummySignature };
  const encode = (): Hex => encodeOperation(operation, version);
  const gas = sum(gasLimitsOf(operation, version).map(([, limit]) => limit));
  const found = await tryInTime(async (signal) => {
    const options = { signal };
    const [
      balance,
      deposit,
      code,
      fork,
      levelsFound,
      figures,
      blockGasLimit,
      dataFees,
      price,
    ] = await Promise.all([
      node.request('eth_getBalance', [address, 'latest'], options),
      node.request('eth_call', [{ to, data }, 'latest'], options),
      // A failure does not affect the other requests.
      node.request('eth_getCode', [address, 'latest'], options).catch(() => undefined),
      findFork(chain),
      feeLevels(chain).catch(() => undefined),
      fetchNodeFigures(unsigned, place, options),
      fetchBlockGasLimit(node, options).catch(() => undefined),
      fetchDataFees([encode], place, options).catch(() => undefined),
      readPrice?.(options),
    ]);
    return {
      ...known,
      ...figures,
      fork,
      levels: levelsFound,
      balance: BigInt(balance),
      deposit: toWord(deposit),
      isDeployed: code === undefined ? undefined : code !== '0x',
      blockGasLimit,
      dataFee: computeDataFee(dataFees, [gas]),
      price,
    };
  }, TIME_LIMIT_MS);
  return found ?? known;
}

async function fetchBlockGasLimit(
  node: NodeClient,
  options: CallOptions,
): Promise<bigint | undefined> {
  const block = await node.request('eth_getBlockByNumber', ['latest', false], options);
  return block?.gasLimit === undefined ? undefined : BigInt(block.gasLimit);
}

// Every node can estimate the calls of a deployed account. For an operation with a deployment, the
// node must support simulations.
async function fetchNodeFigures(
  operation: UserOperation,
  place: SimulationPlace,
  options: CallOptions,
): Promise<NodeFigures> {
  try {
    if (operation.initCode === '0x') return await estimate(operation, place, options);
    const simulating = simulateOperation(operation, place, options);
    const [gas, fork] = await Promise.all([simulating, place.findFork()]);
    const { callGasLimit } = gas;
    const verificationGasLimit = gas.verificationGasLimit + forkGas[fork].prefund;
    return { nodeGas: { callGasLimit, verificationGasLimit } };
  } catch (error) {
    return { failure: findCallFailure(error) };
  }
}

async function estimate(
  operation: UserOperation,
  place: SimulationPlace,
  options: CallOptions,
): Promise<NodeFigures> {
  const { version } = place;
  const { validation, execution } = toAccountCalls(operation, place);
  const ask = async (call: typeof validation): Promise<bigint> =>
    BigInt(await place.node.request('eth_estimateGas', [call], options));
  const asking = Promise.allSettled([ask(validation), ask(execution)]);
  const [[verification, calls], fork] = await Promise.all([asking, place.findFork()]);
  const toLimit = (gas: bigint): bigint =>
    toVerificationGas(gas, operation, { version, fork }) + forkGas[fork].prefund;
  return {
    nodeGas: {
      callGasLimit: 'value' in calls ? calls.value : undefined,
      verificationGasLimit:
        'value' in verification ? toLimit(verification.value) : undefined,
    },
    failure: 'reason' in calls ? findFailure(calls.reason) : undefined,
  };
}
