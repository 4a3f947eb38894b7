// Fills in a user operation's nonce, deployment, fees, paymaster and gas limits. Alters no existing
// field but the signature, which becomes a dummy. The final data of a paymaster service (ERC-7677)
// is checked before the operation is signed.
import { BundlerError, PaymasterError, RpcError } from '../../packages/client/src';
import type {
  BundlerClient,
  GasEstimate,
  NodeClient,
  Paymaster,
  Sponsorship,
} from '../../packages/client/src';
import { assertControlled, fetchControl } from '../accounts/kinds/control';
import type { OperationAccount } from '../accounts/kinds/kind';
import { entryPoints } from '../core/entry-points';
import type { EntryPointVersion } from '../core/entry-points';
import { TollkeeperError, UnavailableError } from '../core/errors';
import type { UserOperation } from '../core/payload';
import { toWord } from '../eth/abi';
import { toCall } from '../eth/account-calls';
import type { Intent } from '../eth/account-calls';
import type { ChainId } from '../eth/chain';
import { larger, smaller, sum, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { forkGas } from '../eth/intrinsic-gas';
import type { GasFork } from '../eth/intrinsic-gas';
import { computePreVerificationGas, maxCostOf } from '../eth/operation-cost';
import { encodeValidation, findVerdict } from '../eth/operation-signature';
import { encodeInitCode, toNonceCall } from '../eth/smart-account';
import { limitNames, packPaymaster, unpackPaymaster } from '../eth/user-operation';
import type { GasLimits } from '../eth/user-operation';
import type { LevelName } from '../ui/i18n';
import type { Warning } from '../ui/warnings';
import { estimateOperation } from './estimate-operation';
import { chooseOperationFees, needsFees } from './fee-choice';
import { assumeGasLimit, findCallFailure } from './gas-limit';
import type { EstimatePlace } from './gas-limit';
import type { FeeLevels, FeePair } from './level';

export type OperationRequest = Partial<UserOperation> & { callData: Hex };

export type FillOperationSources = EstimatePlace & {
  account: OperationAccount;
  bundler: BundlerClient;
  paymaster?: Paymaster;
  now: () => number;
  calls: readonly Intent[] | undefined;
  /** Minimum call gas, whatever the bundler estimates. */
  leastCallGas?: bigint | undefined;
  nonceKey?: bigint;
  /** Chooses the nonce, given the EntryPoint's next one, which is the default. */
  findNonce?: (count: bigint) => bigint;
  /** Source of the fees. The default is the current gas price, which is enough for estimates. */
  fees?: { levels: () => Promise<FeeLevels>; level: LevelName };
  /** Whether to fill in an operation whose calls fail, so that the user can decide. Such an
   * operation can be included, unlike one that fails validation. */
  mayFail?: boolean;
};

type AccountState = {
  isDeployed: boolean;
  nonce: bigint;
  /** Estimated or assumed gas for the calls of an account without code; 0 if it has code. */
  callGas: bigint;
  /** In wei. */
  gasPrice: bigint;
  fork: GasFork;
};

type SponsorContext = {
  chainId: ChainId;
  version: EntryPointVersion;
  node: NodeClient;
  paymaster: Paymaster;
  now: () => number;
};

type Sponsoring = {
  /** The paymaster's stub. Missing if the account pays, or the caller supplied the paymaster's
   * data. */
  sponsorship?: Sponsorship;
  place?: SponsorContext;
  sponsorFailure?: TollkeeperError;
};

export type FilledOperation = Sponsoring & {
  operation: UserOperation;
  state: AccountState;
  /** The bundler's estimates for the paymaster, with a margin. */
  paymasterGas: Omit<GasEstimate, keyof GasLimits>;
  failure?: Warning;
  /** Whether the calls' gas limit is assumed, because the calls fail. */
  isCallGasAssumed?: boolean;
};

type Filling = {
  draft: UserOperation;
  request: OperationRequest;
  sources: FillOperationSources;
  state: AccountState;
};

/** Maximum gas to assume for calls: a sixth of 30 million, Ethereum's block limit until 2025. */
const MAX_ASSUMED_CALL_GAS = 5_000_000n;

/** Fills in an operation. The paymaster data may be a stub, which is enough for an estimate but not
 * for sending. Throws the errors of the node and the bundler, such as `BundlerError` for a refused
 * operation, and `UnavailableError` if the account's key no longer controls it on the chain. */
export async function fillOperation(
  request: OperationRequest,
  sources: FillOperationSources,
): Promise<FilledOperation> {
  return completeWithStub(await startFilling(request, sources));
}

/** Like {@link fillOperation}, but also fetches the paymaster's final data. If that fails,
 * estimates the operation again without the paymaster, because the account would otherwise pay for
 * the paymaster's part of the gas limits. */
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
  const current = { maxFeePerGas: larger(gasPrice, maxPriorityFeePerGas) };
  const pair: FeePair =
    market && fees ? market[fees.level] : { ...current, maxPriorityFeePerGas };
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
    signature: account.dummySignature,
  };
  return { draft, request, sources, state };
}

// Bundlers ignore the calls of an account without code, so the node estimates their gas.
async function fetchAccountState({
  account,
  chainId,
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
  const [control, nonce, gasPrice, fork, ...estimates] = await Promise.all([
    fetchControl(account, node),
    fetchOperationNonce(account, nonceKey, node),
    node.request('eth_gasPrice', []),
    findFork(),
    ...(calls ?? []).map(estimateCall),
  ]);
  assertControlled(control, account, chainId);
  const { unknownCall, innerCall } = forkGas[fork];
  const { isDeployed } = control;
  const gas = estimates.map((estimate) => (estimate ?? unknownCall) + innerCall);
  const callGas = isDeployed ? 0n : calls ? sum(gas) : unknownCall;
  return { isDeployed, nonce, callGas, gasPrice: BigInt(gasPrice), fork };
}

/** Fetches the next nonce for a nonce key; throws `UnavailableError` if the chain does not have the
 * account's EntryPoint. */
export async function fetchOperationNonce(
  { address: sender, entryPoint }: OperationAccount,
  key: bigint,
  node: NodeClient,
): Promise<bigint> {
  const call = toNonceCall(entryPoint, sender, key);
  const nonce = toWord(await node.request('eth_call', [call, 'latest']));
  if (nonce !== undefined) return nonce;
  throw new UnavailableError(
    `There is no EntryPoint ${entryPoint} at ${entryPoints[entryPoint].entryPoint} on the ` +
      `chain of ${node.label}.`,
  );
}

export function toInitCode({ origin }: OperationAccount, isDeployed: boolean): Hex {
  return isDeployed || !origin ? '0x' : encodeInitCode(origin);
}

async function completeWithStub(filling: Filling): Promise<FilledOperation> {
  const sponsoring = await findSponsor(filling);
  const { sponsorship, place } = sponsoring;
  try {
    const filled = await complete(filling, sponsoring);
    // Final data is not requested again, so this is the only check.
    if (place && sponsorship?.isFinal) {
      await assertPaymasterAccepts(filled.operation, place);
    }
    return filled;
  } catch (error) {
    // The paymaster does not pay in spite of its service's data, but the account still can.
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

// A paymaster's failure is returned, not thrown: the account can pay, and the user decides.
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
  const packedPaymaster = sponsorship?.paymasterAndData ?? draft.paymasterAndData;
  const operation = { ...draft, paymasterAndData: packedPaymaster };
  // Final data may be valid only with the assumed gas limit.
  const needsPaymasterGas = sponsorship?.isCheckGasAssumed && !sponsorship.isFinal;
  if (Object.keys(given).length === limitNames.length && !needsPaymasterGas) {
    return { operation, state, paymasterGas: {}, ...sponsoring };
  }
  const { gas, failure } = await findGas(operation, sources, state);
  const { callGasLimit, verificationGasLimit, preVerificationGas, ...paymasterGas } =
    gas;
  const limits = { callGasLimit, verificationGasLimit, preVerificationGas, ...given };
  const checkGas = paymasterGas.paymasterVerificationGasLimit;
  // Only packed data (EntryPoint 0.7 and later) contains the paymaster's gas limit.
  const fields = needsPaymasterGas ? unpackPaymaster(packedPaymaster) : undefined;
  const paymasterAndData =
    fields && checkGas !== undefined
      ? packPaymaster({ ...fields, verificationGasLimit: checkGas })
      : packedPaymaster;
  return {
    operation: { ...operation, ...limits, paymasterAndData },
    state,
    paymasterGas,
    ...(failure && { failure, isCallGasAssumed: given.callGasLimit === undefined }),
    ...sponsoring,
  };
}

// Bundlers do not estimate an operation whose calls fail, so a second attempt omits the calls.
async function findGas(
  operation: UserOperation,
  sources: FillOperationSources,
  { callGas, fork }: AccountState,
): Promise<{ gas: GasEstimate; failure?: Warning }> {
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
        // The bundler did not count the bytes of the omitted calls.
        preVerificationGas: (gas.preVerificationGas * own + ownIdle - 1n) / ownIdle,
      },
      failure,
    };
  }
}

/** The paymaster's clock, which sets the start of validity, may be this far ahead of ours. */
const CLOCK_TOLERANCE_S = 60n;

/** Fetches the paymaster's data for an operation that has the stub and lacks only its signature.
 * Throws `PaymasterError` if the paymaster refuses, or if its contract does not confirm the data,
 * and otherwise the client's errors. */
export async function fetchSponsorship(
  operation: UserOperation,
  place: SponsorContext,
): Promise<{ paymasterAndData: Hex }> {
  const { client, context } = place.paymaster;
  const { paymasterAndData } = await client.fetchData(operation, { ...place, context });
  await assertPaymasterAccepts({ ...operation, paymasterAndData }, place);
  return { paymasterAndData };
}

function isPaymasterRefusal(error: unknown): error is TollkeeperError {
  if (error instanceof PaymasterError) return true;
  if (!(error instanceof BundlerError)) return false;
  // ERC-7769's code for a refusal by the paymaster's contract.
  return error.code === -32501 || /^AA3/u.test(error.aaCode ?? '');
}

/** Checks whether a paymaster's contract accepts the data for an operation, by the same call that
 * the EntryPoint makes. Throws `PaymasterError` if not, or if the node cannot make the call. No
 * other check detects data for a different sender, EntryPoint or time. */
export async function assertPaymasterAccepts(
  operation: UserOperation,
  { chainId, version, node, paymaster, now }: SponsorContext,
): Promise<void> {
  const { entryPoint: from } = entryPoints[version];
  const to = operation.paymasterAndData.slice(0, 42) as Hex;
  const data = encodeValidation(
    operation,
    { chainId, entryPoint: version },
    { contract: 'paymaster', amount: maxCostOf(operation, version) },
  );
  const refuse = (words: string, cause: { cause?: unknown } = {}): never => {
    throw new PaymasterError(paymaster.client.label, words, cause);
  };
  const answer = await node
    .request('eth_call', [{ from, to, data }, 'latest'])
    .catch((error: unknown) => {
      if (!(error instanceof TollkeeperError)) throw error;
      // Only a revert is the contract's answer.
      const isReverted = error instanceof RpcError && error.kind === 'reverted';
      const what = isReverted ? 'refuses the operation' : 'could not be asked';
      return refuse(`Its contract ${what}: ${error.message}`, { cause: error });
    });
  const verdict = findVerdict(answer, version) ?? refuse(`${to} is not a paymaster.`);
  const { isSignatureValid, validAfter, validUntil } = verdict;
  if (!isSignatureValid) {
    refuse(`Its contract ${to} does not accept the data for this operation.`);
  }
  const seconds = BigInt(Math.floor(now() / 1000));
  if (validUntil !== 0n && validUntil <= seconds) refuse('Its data has expired.');
  if (validAfter > seconds + CLOCK_TOLERANCE_S) refuse('Its data is not yet valid.');
}
