// Filling a user operation: what is absent is found, what is present is never altered. The
// node is asked in one batch, the bundler once for its price and once for an estimate.
import type { BundlerClient, FeeFloor, NodeClient, Paymaster, Sponsorship } from '../client';
import { TollkeeperError } from '../errors';
import type { Intent } from '../eth/account-calls';
import type { ChainId } from '../eth/chain';
import { larger, smaller, sum } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { computePreVerificationGas } from '../eth/operation-cost';
import { packPaymaster, unpackPaymaster } from '../eth/packed-fields';
import type { PaymasterFields } from '../eth/packed-fields';
import { limitNames } from '../eth/user-operation';
import type { UserOperation } from '../eth/user-operation';
import type { SmartRecord } from '../state/account-record';
import type { LevelName } from '../state/public-state';
import type { Warning } from '../ui/warnings';
import { estimateOperation } from './estimate-operation';
import type { EstimateSources, OperationGas, PaymasterGas } from './estimate-operation';
import { assumeGasLimit, UNKNOWN_CALL_GAS } from './gas-limit';
import type { FeeLevels, FeePair } from './level';
import { EXECUTE_OVERHEAD, fetchAccountState, limitsOf, toDraft } from './operation-draft';
import type { AccountState, OperationRequest } from './operation-draft';
import { findCallFailure } from './failures';
import { assertTaken, fetchSponsorship, fetchStub, isPaymasterRefusal } from './sponsor-operation';
import type { SponsorPlace } from './sponsor-operation';

// Fees of a user operation: the market's, at least what the bundler asks for. Pure.

/** Fees that the caller gave. */
export type GivenFees = Partial<
  Pick<UserOperation, 'maxFeePerGas' | 'maxPriorityFeePerGas'>
>;

/**
 * Choose the fees of an operation: what is given stands, what is absent is the market's,
 * raised to the least that the bundler takes.
 */
export function chooseOperationFees(
  given: GivenFees,
  market: FeePair,
  floor: FeeFloor | undefined,
): FeePair {
  const { maxFeePerGas, maxPriorityFeePerGas } = raise(market, floor);
  if (given.maxFeePerGas !== undefined) {
    const priority = given.maxPriorityFeePerGas ?? maxPriorityFeePerGas;
    // The caller's maximum stands, so our priority has to fit below it.
    const fitting = given.maxPriorityFeePerGas ?? smaller(priority, given.maxFeePerGas);
    return { maxFeePerGas: given.maxFeePerGas, maxPriorityFeePerGas: fitting };
  }
  if (given.maxPriorityFeePerGas === undefined) {
    return { maxFeePerGas, maxPriorityFeePerGas };
  }
  const priority = given.maxPriorityFeePerGas;
  const forBaseFee = maxFeePerGas - maxPriorityFeePerGas;
  const most = larger(forBaseFee + priority, floor?.maxFeePerGas ?? 0n);
  return { maxFeePerGas: most, maxPriorityFeePerGas: priority };
}

function raise(market: FeePair, floor: FeeFloor | undefined): FeePair {
  if (!floor) return market;
  const priority = larger(market.maxPriorityFeePerGas, floor.maxPriorityFeePerGas);
  const forBaseFee = market.maxFeePerGas - market.maxPriorityFeePerGas;
  const most = larger(forBaseFee + priority, floor.maxFeePerGas ?? 0n);
  return { maxFeePerGas: most, maxPriorityFeePerGas: priority };
}

/** Most gas that is assumed for calls: a sixth of what a block of Ethereum took for years. */
const MAX_ASSUMED_CALL_GAS = 5_000_000n;

/** Where missing fields come from. */
export type FillOperationSources = {
  account: SmartRecord;
  chainId: ChainId;
  node: NodeClient;
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
  /** Whether one whose calls fail is filled even so, for its user to decide about: unlike one
   * that fails validation, it can be included. */
  mayFail?: boolean;
};

/** An operation with nothing left open but its signature. */
export type FilledOperation = Sponsoring & {
  operation: UserOperation;
  state: AccountState;
  /** What the bundler estimates for the paymaster of the operation, with a margin. */
  paymasterGas: PaymasterGas;
  /** Why its calls fail. */
  failure?: Warning;
  /** Whether the gas limit of the calls is assumed, since they fail. */
  isCallGasAssumed?: boolean;
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

/**
 * Fills what an operation lacks: nonce, deployment, fees, who pays, gas limits. It holds the
 * paymaster's stub, unless that is final: enough for an estimate.
 *
 * @throws {BundlerError} What the bundler says against the operation.
 * @throws What the node says.
 */
export async function fillOperation(
  request: OperationRequest,
  sources: FillOperationSources,
): Promise<FilledOperation> {
  const filling = await startFilling(request, sources);
  return completeWithStub(filling);
}

/**
 * Fills what an operation lacks, as {@link fillOperation}, and has it paid for. If the
 * paymaster does not pay after all, the operation is estimated again without it: what its
 * stub made of the gas limits would be paid by the account.
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

/** An operation before its gas is known. */
type Filling = {
  draft: UserOperation;
  request: OperationRequest;
  sources: FillOperationSources;
  state: AccountState;
};

async function startFilling(
  request: OperationRequest,
  sources: FillOperationSources,
): Promise<Filling> {
  const { account, node, calls: intents, nonceKey = 0n } = sources;
  const [state, market, floor] = await Promise.all([
    fetchAccountState(account, { nonceKey, intents }, node),
    needsFees(request) ? sources.fees?.levels() : undefined,
    needsFees(request) && sources.fees ? sources.bundler.findFloor() : undefined,
  ]);
  const pair =
    (market && sources.fees && market[sources.fees.level]) ?? toPair(state, request);
  const fees = chooseOperationFees(request, pair, floor);
  const nonce = request.nonce ?? sources.findNonce?.(state.nonce) ?? state.nonce;
  const draft = toDraft(request, { account, state, fees, nonce });
  return { draft, request, sources, state };
}

function needsFees(request: OperationRequest): boolean {
  return (
    request.maxFeePerGas === undefined || request.maxPriorityFeePerGas === undefined
  );
}

function toPair(
  { gasPrice }: AccountState,
  { maxPriorityFeePerGas = gasPrice }: OperationRequest,
): FeePair {
  return {
    maxFeePerGas: larger(gasPrice, maxPriorityFeePerGas),
    maxPriorityFeePerGas,
  };
}

async function completeWithStub(filling: Filling): Promise<FilledOperation> {
  const sponsoring = await findSponsor(filling);
  try {
    const filled = await complete(filling, sponsoring);
    const { sponsorship, place } = sponsoring;
    // What is final is not asked for again, so it is looked at here.
    if (place && sponsorship?.isFinal) await assertTaken(filled.operation, place);
    return filled;
  } catch (error) {
    // What the service gave is not what its contract takes: the account can still pay.
    if (!sponsoring.sponsorship || !isPaymasterRefusal(error)) throw error;
    return complete(filling, { sponsorFailure: error });
  }
}

async function findSponsor({ draft, request, sources }: Filling): Promise<Sponsoring> {
  const { paymaster, account, chainId, node, now } = sources;
  if (!paymaster || request.paymasterAndData !== undefined) return {};
  const place = { chainId, version: account.entryPoint, node, paymaster, now };
  try {
    return { sponsorship: await fetchStub(draft, place), place };
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
  const { account, ...servers } = sources;
  const { entryPoint: version } = account;
  const given = limitsOf(request);
  const payer = sponsorship?.paymasterAndData ?? draft.paymasterAndData;
  const operation = { ...draft, paymasterAndData: payer };
  // Final data can be for the assumed gas alone.
  const isCheckGasOpen = sponsorship?.isCheckGasAssumed && !sponsorship.isFinal;
  if (Object.keys(given).length === limitNames.length && !isCheckGasOpen) {
    return { operation, state, paymasterGas: {}, ...sponsoring };
  }
  const { gas, failure } = await findGas(operation, { ...servers, version }, state);
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

type GasSources = Omit<EstimateSources, 'callGas'> &
  Pick<FillOperationSources, 'calls' | 'mayFail' | 'leastCallGas'>;

// Nobody estimates an operation whose calls fail: it is estimated without them.
async function findGas(
  operation: UserOperation,
  { calls = [], mayFail = false, leastCallGas = 0n, ...servers }: GasSources,
  { callGas }: AccountState,
): Promise<{ gas: OperationGas; failure?: Warning }> {
  try {
    const gas = await estimateOperation(operation, { ...servers, callGas });
    return { gas: { ...gas, callGasLimit: larger(gas.callGasLimit, leastCallGas) } };
  } catch (error) {
    const failure = mayFail ? findCallFailure(error) : undefined;
    if (!failure) throw error;
    const { version } = servers;
    const idle = { ...operation, callData: '0x' } as const;
    const gas = await estimateOperation(idle, { ...servers, callGas: 0n });
    const [own, ownIdle] = [operation, idle].map((each) =>
      computePreVerificationGas(each, version),
    ) as [bigint, bigint];
    const assumed = assumeCallGas(calls);
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

/** Assumes a gas limit for calls that cannot be estimated. */
function assumeCallGas(calls: readonly Intent[]): bigint {
  const each = calls.map((call) => assumeGasLimit(call) + EXECUTE_OVERHEAD);
  return smaller(larger(sum(each), UNKNOWN_CALL_GAS), MAX_ASSUMED_CALL_GAS);
}

function withCheckGas(paymasterAndData: Hex, verificationGasLimit: bigint): Hex {
  // Only a packed paymaster's gas is assumed.
  const fields = unpackPaymaster(paymasterAndData) as PaymasterFields;
  return packPaymaster({ ...fields, verificationGasLimit });
}
