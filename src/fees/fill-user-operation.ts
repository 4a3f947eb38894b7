// Filling a user operation: what is absent is found, what is present is never altered. The
// node is asked in one batch, the bundler once for its price and once for an estimate.
import type { BundlerClient, NodeClient, Paymaster, Sponsorship } from '../client';
import { TollkeeperError } from '../errors';
import { decodeCalls } from '../eth/account-calls';
import type { ChainId } from '../eth/chain';
import { larger } from '../eth/hex';
import { limitNames } from '../eth/user-operation';
import type { GasLimits, UserOperation } from '../eth/user-operation';
import type { SmartRecord } from '../state/account-record';
import { estimateOperation } from './estimate-operation';
import type { FeeLevels, FeePair, LevelName } from './level';
import { limitsOf, toDraft } from './operation-draft';
import type { OperationRequest } from './operation-draft';
import { chooseOperationFees } from './operation-fees';
import { fetchAccountState } from './operation-state';
import type { AccountState } from './operation-state';
import {
  assertTaken,
  fetchStub,
  isPaymasterRefusal,
  toSponsored,
} from './sponsor-operation';
import type { SponsorPlace } from './sponsor-operation';

/** Where missing fields come from. */
export type FillOperationSources = {
  account: SmartRecord;
  chainId: ChainId;
  node: NodeClient;
  bundler: BundlerClient;
  /** Who is to pay, where the account does not. */
  paymaster?: Paymaster;
  now: () => number;
  /** The least gas for the calls, whatever the bundler estimates. */
  leastCallGas?: bigint | undefined;
  /** Of which key the nonce is; 0 by default. */
  nonceKey?: bigint;
  /** Finds the nonce from the EntryPoint's count on; that itself by default. */
  findNonce?: (count: bigint) => bigint;
  /** Fee levels, and which; what gas costs now by default, which is for estimates only. */
  fees?: { levels: () => Promise<FeeLevels>; level: LevelName };
};

/** An operation with nothing left open but its signature. */
export type FilledOperation = {
  operation: UserOperation;
  state: AccountState;
  /** What the paymaster said for now; absent if the account pays, or data were given. */
  sponsorship?: Sponsorship;
  /** Why the paymaster that was asked does not pay. */
  sponsorFailure?: TollkeeperError;
};

type Sponsoring = Pick<FilledOperation, 'sponsorship' | 'sponsorFailure'>;

/**
 * Fill what an operation lacks: nonce, deployment, fees, who pays, gas limits.
 *
 * @throws {BundlerError} What the bundler says against the operation.
 * @throws What the node says.
 */
export async function fillOperation(
  request: OperationRequest,
  sources: FillOperationSources,
): Promise<FilledOperation> {
  const { account, node, nonceKey = 0n } = sources;
  const intents = decodeCalls(account.entryPoint, request.callData);
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
  const sponsoring = await findSponsor(draft, request, sources);
  const filling = { draft, request, sources, state };
  try {
    return await complete(filling, sponsoring);
  } catch (error) {
    // What the service gave is not what its contract takes: the account can still pay.
    if (!sponsoring.sponsorship || !isPaymasterRefusal(error)) throw error;
    return complete(filling, { sponsorFailure: error });
  }
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

async function findSponsor(
  draft: UserOperation,
  { paymasterAndData }: OperationRequest,
  sources: FillOperationSources,
): Promise<Sponsoring> {
  const place = findSponsorPlace(sources);
  if (!place || paymasterAndData !== undefined) return {};
  try {
    return { sponsorship: await fetchStub(draft, place) };
  } catch (error) {
    return { sponsorFailure: toSponsorFailure(error) };
  }
}

function findSponsorPlace(sources: FillOperationSources): SponsorPlace | undefined {
  const { paymaster, account, chainId, node, now } = sources;
  return paymaster && { chainId, version: account.entryPoint, node, paymaster, now };
}

// The account can pay itself: whoever asked decides.
function toSponsorFailure(error: unknown): TollkeeperError {
  if (error instanceof TollkeeperError) return error;
  throw error;
}

// What is final is not asked for again, so it is looked at here.
async function withCheckedSponsor(
  filled: FilledOperation,
  sources: FillOperationSources,
): Promise<FilledOperation> {
  const { operation, state, sponsorship } = filled;
  const place = findSponsorPlace(sources);
  if (!place || sponsorship?.isFinal !== true) return filled;
  try {
    await assertTaken(operation, place);
    return filled;
  } catch (error) {
    const own = { ...operation, paymasterAndData: '0x' } as const;
    return { operation: own, state, sponsorFailure: toSponsorFailure(error) };
  }
}

type Filling = {
  draft: UserOperation;
  request: OperationRequest;
  sources: FillOperationSources;
  state: AccountState;
};

async function complete(
  { draft, request, sources, state }: Filling,
  sponsoring: Sponsoring,
): Promise<FilledOperation> {
  const { sponsorship } = sponsoring;
  const sponsored = sponsorship ? toSponsored(sponsorship) : {};
  // Final data can be for these limits alone; a stub's are for the estimate.
  const final = sponsorship?.isFinal === true ? limitsOf(sponsored) : {};
  const known = { ...final, ...limitsOf(request) };
  const operation = { ...draft, ...sponsored, ...known };
  const limits = await findLimits(operation, known, { sources, state });
  const filled = { operation: { ...operation, ...limits }, state, ...sponsoring };
  return withCheckedSponsor(filled, sources);
}

async function findLimits(
  operation: UserOperation,
  known: Partial<GasLimits>,
  { sources, state }: { sources: FillOperationSources; state: AccountState },
): Promise<Partial<GasLimits>> {
  if (Object.keys(known).length === limitNames.length) return known;
  const { account, leastCallGas = 0n, ...servers } = sources;
  const version = account.entryPoint;
  const { callGas } = state;
  const found = await estimateOperation(operation, { ...servers, version, callGas });
  const callGasLimit = larger(found.callGasLimit, leastCallGas);
  return { ...found, callGasLimit, ...known };
}
