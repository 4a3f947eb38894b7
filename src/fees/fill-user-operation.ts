// Filling a user operation: what is absent is found, what is present is never altered. The
// node is asked in one batch, the bundler once for its price and once for an estimate.
import type { BundlerClient, NodeClient, Paymaster, Sponsorship } from '../client';
import { TollkeeperError } from '../errors';
import { decodeCalls } from '../eth/account-calls';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { DUMMY_SIGNATURE } from '../eth/user-operation';
import type { UserOperation } from '../eth/user-operation';
import type { SmartRecord } from '../state/account-record';
import { estimateOperation, VERIFICATION_GAS_BOUND } from './estimate-operation';
import type { FeeLevels, FeePair, LevelName } from './level';
import { chooseOperationFees } from './operation-fees';
import { fetchAccountState, toInitCode } from './operation-state';
import type { AccountState } from './operation-state';
import { fetchStub, toSponsored } from './sponsor-operation';

/** An operation of which only the calls must be there. */
export type OperationRequest = Partial<UserOperation> & { callData: Hex };

/** Where missing fields come from. */
export type FillOperationSources = {
  account: SmartRecord;
  chainId: ChainId;
  node: NodeClient;
  bundler: BundlerClient;
  /** Who is to pay, where the account does not. */
  paymaster?: Paymaster;
  now: () => number;
  /** Of which key the nonce is; 0 by default. */
  nonceKey?: bigint;
  /** Finds the nonce from the EntryPoint's count on; that itself by default. */
  findNonce?: (count: bigint) => Promise<bigint>;
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
  const pair = (market && sources.fees && market[sources.fees.level]) ?? toPair(state);
  const fees = chooseOperationFees(request, pair, floor);
  const nonce =
    request.nonce ?? (await sources.findNonce?.(state.nonce)) ?? state.nonce;
  const draft = toDraft(request, { account, state, fees, nonce });
  const sponsor = await findSponsor(draft, request, sources);
  const sponsored = sponsor.sponsorship ? toSponsored(sponsor.sponsorship) : {};
  const operation = { ...draft, ...sponsored, ...givenLimits(request) };
  const limits = await findLimits(operation, request, { sources, state });
  return { operation: { ...operation, ...limits }, state, ...sponsor };
}

function needsFees(request: OperationRequest): boolean {
  return (
    request.maxFeePerGas === undefined || request.maxPriorityFeePerGas === undefined
  );
}

const toPair = ({ gasPrice }: AccountState): FeePair => ({
  maxFeePerGas: gasPrice,
  maxPriorityFeePerGas: gasPrice,
});

type DraftParts = {
  account: SmartRecord;
  state: AccountState;
  fees: FeePair;
  nonce: bigint;
};

function toDraft(
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

async function findSponsor(
  draft: UserOperation,
  { paymasterAndData }: OperationRequest,
  sources: FillOperationSources,
): Promise<Pick<FilledOperation, 'sponsorship' | 'sponsorFailure'>> {
  const { paymaster, account, chainId, node, now } = sources;
  if (!paymaster || paymasterAndData !== undefined) return {};
  const place = { chainId, version: account.entryPoint, node, paymaster, now };
  try {
    return { sponsorship: await fetchStub(draft, place) };
  } catch (error) {
    // The account can pay itself: whoever asked decides.
    if (error instanceof TollkeeperError) return { sponsorFailure: error };
    throw error;
  }
}

const limitNames = [
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
] as const;

function givenLimits(request: OperationRequest): Partial<UserOperation> {
  const given = limitNames.filter((name) => request[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, request[name]]));
}

async function findLimits(
  operation: UserOperation,
  request: OperationRequest,
  { sources, state }: { sources: FillOperationSources; state: AccountState },
): Promise<Partial<UserOperation>> {
  const given = givenLimits(request);
  if (Object.keys(given).length === limitNames.length) return given;
  const { account, ...servers } = sources;
  const version = account.entryPoint;
  const { callGas } = state;
  const found = await estimateOperation(operation, { ...servers, version, callGas });
  return { ...found, ...given };
}
