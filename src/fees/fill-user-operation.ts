// Filling a user operation: nonce, deployment, fees, who pays, gas limits. What is absent is
// found, what is present is never altered. The node is asked in one batch, the bundler once for
// its price and once for an estimate.
import type {
  BundlerClient,
  NodeClient,
  Paymaster,
  Sponsorship,
} from '../../packages/client/src';
import { TollkeeperError, UnavailableError } from '../errors';
import { findWord } from '../eth/abi';
import { toCall } from '../eth/account-calls';
import type { Intent } from '../eth/account-calls';
import { larger, smaller, sum, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { forkGas } from '../eth/intrinsic-gas';
import type { GasFork } from '../eth/intrinsic-gas';
import { computePreVerificationGas } from '../eth/operation-cost';
import { toNonceCall } from '../eth/operation-nonce';
import { encodeInitCode } from '../eth/smart-account';
import {
  dummySignatureOf,
  entryPoints,
  limitNames,
  packPaymaster,
  unpackPaymaster,
} from '../eth/user-operation';
import type { GasLimits, PaymasterFields, UserOperation } from '../eth/user-operation';
import type { SmartRecord } from '../state/account-record';
import type { LevelName } from '../state/public-state';
import type { Warning } from '../ui/warnings';
import { estimateOperation } from './estimate-operation';
import type { OperationGas } from './estimate-operation';
import { chooseOperationFees, needsFees } from './fee-choice';
import { assumeGasLimit, findCallFailure } from './gas-limit';
import type { EstimatePlace } from './gas-limit';
import type { FeeLevels, FeePair } from './level';
import { assertTaken, fetchSponsorship, isPaymasterRefusal } from './sponsor-operation';
import type { SponsorPlace } from './sponsor-operation';

/** An operation of which only the calls must be there. */
export type OperationRequest = Partial<UserOperation> & { callData: Hex };

/** Where missing fields come from. */
export type FillOperationSources = EstimatePlace & {
  account: SmartRecord;
  bundler: BundlerClient;
  /** Who is to pay, where the account does not. */
  paymaster?: Paymaster;
  now: () => number;
  /** What the account executes; undefined if its call data cannot be read. */
  calls: readonly Intent[] | undefined;
  /** The least gas for the calls, whatever the bundler estimates. */
  leastCallGas?: bigint | undefined;
  /** Of which key the nonce is; 0 by default. */
  nonceKey?: bigint;
  /** Finds the nonce from the EntryPoint's count on; that itself by default. */
  findNonce?: (count: bigint) => bigint;
  /** Fee levels, and which; what gas costs now by default, which is for estimates only. */
  fees?: { levels: () => Promise<FeeLevels>; level: LevelName };
  /** Whether an operation whose calls fail is filled even so, for its user to decide about:
   * unlike one that fails validation, it can be included. */
  mayFail?: boolean;
};

/** An account as its chain knows it. */
export type AccountState = {
  isDeployed: boolean;
  /** Next nonce of the key that was asked for. */
  nonce: bigint;
  /** Gas that the calls need, found without the account's code; 0 if it has code. */
  callGas: bigint;
  /** What gas costs now, in wei. */
  gasPrice: bigint;
  /** The chain's rules of gas. */
  fork: GasFork;
};

/** Who pays for an operation. */
type Sponsoring = {
  /** What the paymaster said for now; absent if the account pays, or data were given. */
  sponsorship?: Sponsorship;
  /** Where it is asked once more, if the operation must be changed. */
  place?: SponsorPlace;
  /** Why the paymaster that was asked does not pay. */
  sponsorFailure?: TollkeeperError;
};

/** An operation with nothing left open but its signature. */
export type FilledOperation = Sponsoring & {
  operation: UserOperation;
  state: AccountState;
  /** What the bundler estimates for the paymaster of the operation, with a margin. */
  paymasterGas: Omit<OperationGas, keyof GasLimits>;
  /** Why its calls fail. */
  failure?: Warning;
  /** Whether the gas limit of the calls is assumed, since they fail. */
  isCallGasAssumed?: boolean;
};

/** An operation before its gas is known. */
type Filling = {
  /** Its gas limits are those to estimate with. */
  draft: UserOperation;
  request: OperationRequest;
  sources: FillOperationSources;
  state: AccountState;
};

/** Most gas that is assumed for calls: a sixth of what a block of Ethereum took for years. */
const MAX_ASSUMED_CALL_GAS = 5_000_000n;

/**
 * Fills what an operation lacks. It holds the paymaster's stub, unless that is final: enough for
 * an estimate.
 *
 * @throws {BundlerError} What the bundler says against the operation.
 * @throws What the node says.
 */
export async function fillOperation(
  request: OperationRequest,
  sources: FillOperationSources,
): Promise<FilledOperation> {
  return completeWithStub(await startFilling(request, sources));
}

/**
 * Fills what an operation lacks, as {@link fillOperation}, and has it paid for. If the paymaster
 * does not pay after all, the operation is estimated again without it: what its stub made of the
 * gas limits would be paid by the account.
 *
 * @throws As {@link fillOperation}.
 */
export async function fillPaidOperation(
  request: OperationRequest,
  sources: FillOperationSources,
): Promise<FilledOperation> {
  const filling = await startFilling(request, sources);
  const filled = await completeWithStub(filling);
  const { operation, sponsorship, place } = filled;
  if (!sponsorship || !place || sponsorship.isFinal) return filled;
  try {
    const sponsored = await fetchSponsorship(operation, place);
    return { ...filled, operation: { ...operation, ...sponsored } };
  } catch (error) {
    return complete(filling, { sponsorFailure: toSponsorFailure(error) });
  }
}

async function startFilling(
  request: OperationRequest,
  sources: FillOperationSources,
): Promise<Filling> {
  const { account, bundler, fees, findNonce } = sources;
  const [state, market, floor] = await Promise.all([
    fetchAccountState(sources),
    needsFees(request) ? fees?.levels() : undefined,
    needsFees(request) && fees ? bundler.findFloor() : undefined,
  ]);
  const { gasPrice } = state;
  const { maxPriorityFeePerGas = gasPrice } = request;
  const now = { maxFeePerGas: larger(gasPrice, maxPriorityFeePerGas) };
  const pair: FeePair =
    market && fees ? market[fees.level] : { ...now, maxPriorityFeePerGas };
  const draft: UserOperation = {
    initCode: toInitCode(account, state.isDeployed),
    callGasLimit: 0n,
    verificationGasLimit: forkGas[state.fork].deployment,
    preVerificationGas: 0n,
    paymasterAndData: '0x',
    ...request,
    ...chooseOperationFees(request, pair, floor),
    sender: account.address,
    nonce: request.nonce ?? findNonce?.(state.nonce) ?? state.nonce,
    signature: dummySignatureOf(account),
  };
  return { draft, request, sources, state };
}

/**
 * Fetches what a chain knows of an account, in one batch. While the account has no code a bundler
 * sees its calls do nothing, so their gas is estimated here.
 *
 * @throws {UnavailableError} If the chain has no such EntryPoint.
 */
async function fetchAccountState({
  account,
  node,
  findFork,
  calls,
  nonceKey = 0n,
}: FillOperationSources): Promise<AccountState> {
  const { address: from } = account;
  const estimateCall = async (intent: Intent): Promise<bigint | undefined> => {
    const { to, value, data } = toCall(intent);
    const call = { from, to, value: toQuantity(value), data };
    const estimate = node.request('eth_estimateGas', [call]);
    return estimate.then(BigInt, () => undefined);
  };
  const [code, nonce, gasPrice, fork, ...estimates] = await Promise.all([
    node.request('eth_getCode', [from, 'latest']),
    fetchOperationNonce(account, nonceKey, node),
    node.request('eth_gasPrice', []),
    findFork(),
    ...(calls ?? []).map(estimateCall),
  ]);
  const { unknownCall, innerCall } = forkGas[fork];
  const isDeployed = code !== '0x';
  const gas = estimates.map((estimate) => (estimate ?? unknownCall) + innerCall);
  const callGas = isDeployed ? 0n : calls ? sum(gas) : unknownCall;
  return { isDeployed, nonce, callGas, gasPrice: BigInt(gasPrice), fork };
}

/**
 * Fetches the next nonce of a key.
 *
 * @throws {UnavailableError} If the chain has no such EntryPoint.
 */
export async function fetchOperationNonce(
  { address: sender, entryPoint }: SmartRecord,
  key: bigint,
  node: NodeClient,
): Promise<bigint> {
  const call = toNonceCall({ entryPoint, sender, key });
  const nonce = findWord(await node.request('eth_call', [call, 'latest']));
  if (nonce !== undefined) return nonce;
  throw new UnavailableError(
    `There is no EntryPoint ${entryPoint} at ${entryPoints[entryPoint].entryPoint} on the ` +
      `chain of ${node.label}.`,
  );
}

/** Writes what deploys an account; `0x` if and only if it has code. */
export function toInitCode(account: SmartRecord, isDeployed: boolean): Hex {
  if (isDeployed) return '0x';
  return encodeInitCode({ ...account, salt: BigInt(account.salt) });
}

async function completeWithStub(filling: Filling): Promise<FilledOperation> {
  const sponsoring = await findSponsor(filling);
  const { sponsorship, place } = sponsoring;
  try {
    const filled = await complete(filling, sponsoring);
    // What is final is not asked for again, so it is looked at here.
    if (place && sponsorship?.isFinal) await assertTaken(filled.operation, place);
    return filled;
  } catch (error) {
    // What the service gave is not what its contract takes: the account can still pay.
    if (!sponsorship || !isPaymasterRefusal(error)) throw error;
    return complete(filling, { sponsorFailure: error });
  }
}

async function findSponsor({ draft, request, sources }: Filling): Promise<Sponsoring> {
  const { paymaster, account, chainId, node, now } = sources;
  if (!paymaster || request.paymasterAndData !== undefined) return {};
  const { client, context } = paymaster;
  const version = account.entryPoint;
  const place = { chainId, version, node, paymaster, now };
  try {
    const sponsorship = await client.fetchStub(draft, { chainId, version, context });
    return { sponsorship, place };
  } catch (error) {
    return { sponsorFailure: toSponsorFailure(error) };
  }
}

// The account can pay itself: whoever asked decides.
function toSponsorFailure(error: unknown): TollkeeperError {
  if (error instanceof TollkeeperError) return error;
  throw error;
}

async function complete(
  { draft, request, sources, state }: Filling,
  sponsoring: Sponsoring,
): Promise<FilledOperation> {
  const { sponsorship } = sponsoring;
  const given = Object.fromEntries(
    limitNames
      .filter((name) => request[name] !== undefined)
      .map((name) => [name, request[name]]),
  ) as Partial<GasLimits>;
  const payer = sponsorship?.paymasterAndData ?? draft.paymasterAndData;
  const operation = { ...draft, paymasterAndData: payer };
  // Final data can be for the assumed gas alone.
  const isCheckGasOpen = sponsorship?.isCheckGasAssumed && !sponsorship.isFinal;
  if (Object.keys(given).length === limitNames.length && !isCheckGasOpen) {
    return { operation, state, paymasterGas: {}, ...sponsoring };
  }
  const { gas, failure } = await findGas(operation, sources, state);
  const { callGasLimit, verificationGasLimit, preVerificationGas, ...paymasterGas } =
    gas;
  const limits = { callGasLimit, verificationGasLimit, preVerificationGas, ...given };
  const checkGas = paymasterGas.paymasterVerificationGasLimit;
  const paymasterAndData =
    isCheckGasOpen && checkGas !== undefined ? withCheckGas(payer, checkGas) : payer;
  return {
    operation: { ...operation, ...limits, paymasterAndData },
    state,
    paymasterGas,
    ...(failure && { failure, isCallGasAssumed: given.callGasLimit === undefined }),
    ...sponsoring,
  };
}

// Nobody estimates an operation whose calls fail: it is estimated without them.
async function findGas(
  operation: UserOperation,
  sources: FillOperationSources,
  { callGas, fork }: AccountState,
): Promise<{ gas: OperationGas; failure?: Warning }> {
  const { account, calls = [], leastCallGas = 0n } = sources;
  const version = account.entryPoint;
  const place = { ...sources, version, findFork: async () => Promise.resolve(fork) };
  try {
    const gas = await estimateOperation(operation, { ...place, callGas });
    return { gas: { ...gas, callGasLimit: larger(gas.callGasLimit, leastCallGas) } };
  } catch (error) {
    const failure = sources.mayFail ? findCallFailure(error) : undefined;
    if (!failure) throw error;
    const idle = { ...operation, callData: '0x' } as const;
    const gas = await estimateOperation(idle, { ...place, callGas: 0n });
    const own = computePreVerificationGas(operation, { version, fork });
    const ownIdle = computePreVerificationGas(idle, { version, fork });
    const { innerCall, unknownCall } = forkGas[fork];
    const each = calls.map((call) => assumeGasLimit(call, fork) + innerCall);
    const assumed = smaller(larger(sum(each), unknownCall), MAX_ASSUMED_CALL_GAS);
    return {
      gas: {
        ...gas,
        callGasLimit: larger(assumed, leastCallGas),
        // The bundler counted fewer bytes.
        preVerificationGas: (gas.preVerificationGas * own + ownIdle - 1n) / ownIdle,
      },
      failure,
    };
  }
}

function withCheckGas(paymasterAndData: Hex, verificationGasLimit: bigint): Hex {
  // Only a packed paymaster's gas is assumed.
  const fields = unpackPaymaster(paymasterAndData) as PaymasterFields;
  return packPaymaster({ ...fields, verificationGasLimit });
}
