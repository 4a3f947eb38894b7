// Signs and sends user operations.
import type { Json } from '@metamask/utils';

import { assertControlled, fetchControl } from '../accounts/kinds/control';
import type { Control } from '../accounts/kinds/control';
import type { OperationAccount } from '../accounts/kinds/kind';
import { reasons } from '../activity/call-batches';
import { findDoubt } from '../activity/judge';
import type { Tracker } from '../activity/tracker';
import type { Chain } from '../chains/chain';
import { bindSteps, defineMethod } from '../context';
import type { AnsweringContext, PreparingContext, ApprovedContext } from '../context';
import type { Approval } from '../core/approval';
import { entryPoints } from '../core/entry-points';
import { InvalidParamsError, TollkeeperError, UnavailableError } from '../core/errors';
import { hashUserOperation } from '../core/operation';
import type { SigningDomain, SigningTask, UserOperation } from '../core/payload';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { hasAddress, toLower, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { maxCostWithValue } from '../eth/operation-cost';
import { keyOf, sequenceOf } from '../eth/smart-account';
import type { TransactionRequest } from '../eth/transaction';
import { UserOperationStruct } from '../eth/user-operation';
import { listActions } from '../fees/estimate-operation';
import {
  fetchOperationNonce,
  fillPaidOperation,
  toInitCode,
} from '../fees/fill-user-operation';
import type {
  FilledOperation,
  FillOperationSources,
  OperationRequest,
} from '../fees/fill-user-operation';
import { chooseChain } from '../request';
import { warnOfNonce, warnOfNewAccount } from '../review/facts';
import { getOutlook, reviewCalls, EMPTY_REVIEW } from '../review/review';
import { parse } from '../schema/parse';
import type { Confirmation, Snapshot } from '../sites/consent';
import { toAccountRef } from '../state/account-record';
import { toShownCoins } from '../ui/format';
import type { Warning } from '../ui/warnings';
import { fetchOperationMeasures } from './measures';
import {
  assertOwnOperation,
  connectBundled,
  countInnerCalls,
  countRequestedCalls,
  findSender,
  parseOperationParams,
  parseIntentsOrOperation,
  requireOperationAccount,
  toRequest,
  toSources,
} from './request';
import type { BundledChain, FillPlace } from './request';
import { UserOperationConfirmation } from './view';
import { decodeOperation, findOperationWarnings } from './warnings';
import type { DecodedOperation } from './warnings';

type PreparedOperation = {
  shown: {
    operation: UserOperation;
    decoded: DecodedOperation;
    sponsorship?: FilledOperation['sponsorship'];
    sponsorFailure?: FilledOperation['sponsorFailure'];
    failure?: Warning | undefined;
    isCallGasAssumed?: boolean | undefined;
    /** Undefined for an operation that is only signed. */
    state?: FilledOperation['state'];
  };
  account: OperationAccount;
  chainId: ChainId;
  /** Undefined if no server is available, or if only MetaMask asks before signing. */
  chain: Chain | undefined;
};

export type PreparedSending = PreparedOperation & { chain: BundledChain };

type SendingContext = { account: OperationAccount; chain: BundledChain };

const SEND_ROOT = 'eth_sendUserOperation: params';

/** eth_signUserOperation [userOperation, entryPoint?] → signature (ERC-4337), valid only for the
 * account's own entry point on one chain. */
export const ethSignUserOperation = defineMethod({
  parse: (params) => parseOperationParams(params, 'eth_signUserOperation: params'),
  accounts: ({ operation }) => [operation.sender],
  countCalls: ({ operation }) => countInnerCalls(operation.callData),
  prepare: async (params, context): Promise<PreparedOperation> => {
    const account = await requireOperationAccount(context);
    assertOwnOperation(account, params);
    const chainId = await chooseChain(context);
    const { operation } = params;
    // A smart account can sign even if no server is available.
    const chain = context.confirmsItself
      ? await context.connect(chainId).catch(() => undefined)
      : undefined;
    await assertStillControlled({ account, chainId, chain });
    const decoded = decodeOperation(operation, account.read);
    return { shown: { operation, decoded }, account, chainId, chain };
  },
  review: reviewOperation,
  sign: async (approval, prepared, context) =>
    (await signOperation(approval, prepared, context)).signature,
});

export const operationSteps = {
  review: reviewOperation,
  sign: async (
    approval: Approval,
    prepared: PreparedSending & { callsId?: string },
    context: ApprovedContext,
  ): Promise<Hex> => {
    const operation = await signOperation(approval, prepared, context);
    const { calls } = prepared.shown.decoded;
    return context.broadcastOperation({ operation, calls }, prepared, context);
  },
};

type Requested = SendingContext & { request: OperationRequest };

/** eth_sendUserOperation [intent, …] or [partialOperation, entryPoint?] → hash. An operation that
 * is already signed is sent unchanged. */
export const ethSendUserOperation = defineMethod({
  parse: (params) => parseIntentsOrOperation(params, SEND_ROOT),
  accounts: findSender,
  countCalls: countRequestedCalls,
  choose: async (wanted, context) => {
    const account = await requireOperationAccount(context);
    const request = toRequest(wanted, account);
    const requested = { request, account, chain: await connectBundled(context) };
    // The placeholder of an estimate is not a signature.
    const { signature = '0x' } = request;
    return signature === '0x' || signature.toLowerCase() === account.dummySignature
      ? bindSteps(signAndSend, requested)
      : bindSteps(sendSigned, requested);
  },
});

const signAndSend = {
  ...operationSteps,
  prepare: async (
    { request, ...place }: Requested,
    context: PreparingContext,
  ): Promise<PreparedSending> => {
    const { nonceKey } = context;
    return prepareOperation(request, { ...place, nonceKey }, context);
  },
};

const sendSigned = {
  answer: async (
    { request, ...place }: Requested,
    context: AnsweringContext,
  ): Promise<Hex> => {
    const operation = getSigned(request, place);
    await assertSupport(place);
    const { calls } = decodeOperation(operation, place.account.read);
    return context.broadcastOperation({ operation, calls }, place, context);
  },
};

function getSigned(
  request: OperationRequest,
  { account, chain }: SendingContext,
): UserOperation {
  // The unpacked form omits empty fields.
  const whole = { initCode: '0x', paymasterAndData: '0x', ...request };
  const operation = parse(whole, UserOperationStruct, `${SEND_ROOT}[0]`);
  if (account.isSigned(operation, chain.id)) return operation;
  throw new InvalidParamsError(
    `${SEND_ROOT}[0].signature is not by ${account.address}'s owner, or not for this operation. Omit it ` +
      'to have the operation signed.',
  );
}

/** eth_sendTransaction for a smart account. Returns the hash of the transaction that includes the
 * operation. */
export const sendAsOperation = {
  ...operationSteps,
  prepare: async (
    { request, chainId }: { request: TransactionRequest; chainId: ChainId },
    context: PreparingContext,
  ): Promise<PreparedSending> => {
    assertFits(request);
    const account = await requireOperationAccount(context);
    const chain = await connectBundled(context, chainId);
    const { to, value, data, gasPrice, gasLimit } = request;
    const { maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice } = request;
    const fees = {
      ...(maxFeePerGas !== undefined && { maxFeePerGas }),
      ...(maxPriorityFeePerGas !== undefined && { maxPriorityFeePerGas }),
    };
    return prepareOperation(
      { callData: account.encode([{ to, value, data }]), ...fees },
      { account, chain, leastCallGas: gasLimit },
      context,
    );
  },
  follow: async (
    sent: Json,
    { chainId }: PreparedSending,
    tracker: Tracker,
  ): Promise<Hex> =>
    getCarrier(sent as Hex, await tracker.awaitSettled(sent as Hex, chainId)),
};

/** Fills in a user operation, with a nonce reserved until sending. Throws `UnavailableError` if the
 * bundler serves a different chain or does not support the account's EntryPoint, or if another
 * pending operation deploys the account. */
export async function prepareOperation(
  request: OperationRequest,
  sending: FillPlace,
  context: PreparingContext,
): Promise<PreparedSending> {
  const { account, chain, nonceKey } = sending;
  const { address } = account;
  const decoded = decodeOperation({ ...request, sender: address }, account.read);
  const { calls } = decoded;
  const sender = { chain: toCaip2(chain.id), from: address };
  const wanted = { nonce: request.nonce, key: nonceKey };
  const reserved = await context.operationNonces.reserve(sender, wanted);
  context.cleanups.push(reserved.release);
  const [level, levels] = await Promise.all([
    context.feeLevel(),
    context.prepareFeeLevels(chain),
  ]);
  const sources: FillOperationSources = {
    ...toSources(sending, calls, context),
    nonceKey: reserved.key,
    findNonce: reserved.choose,
    fees: { levels, level },
    mayFail: true,
  };
  // Both start in one tick, so that the bundler gets one batch.
  const [, paid] = await Promise.all([
    assertSupport(sending),
    fillPaidOperation(request, sources),
  ]);
  // Each of the operations would deploy the account, but only the first one can.
  if (!paid.state.isDeployed && reserved.hasOthers) {
    throw new UnavailableError(
      `The user operation that deploys ${address} is pending or being confirmed, and the ` +
        'account can send no other until it is included. Nothing was sent: try again then.',
    );
  }
  return { shown: { ...paid, decoded }, account, chainId: chain.id, chain };
}

async function assertSupport({
  chain: { id, bundler },
  account,
}: SendingContext): Promise<void> {
  const { chainId, entryPoints: served } = await bundler.client.fetchSupport();
  const name = `The bundler of ${toCaip2(id)}`;
  if (chainId !== id) {
    throw new UnavailableError(
      `${name} is for ${toCaip2(chainId)}, but the operation is for ` +
        `${toCaip2(id)}. Nothing was sent. Configure another with tollkeeper_setChain.`,
    );
  }
  const { entryPoint } = entryPoints[account.entryPoint];
  if (hasAddress(served, entryPoint)) return;
  throw new UnavailableError(
    `${name} does not serve the account's EntryPoint ${entryPoint} ` +
      `(version ${account.entryPoint}); it serves ${served.join(', ') || 'none'}. Nothing was sent.`,
  );
}

async function reviewOperation(
  prepared: PreparedOperation,
  context: PreparingContext,
): Promise<Confirmation> {
  const { shown, account, chainId } = prepared;
  const { operation, decoded, sponsorship, sponsorFailure } = shown;
  const { entryPoint } = account;
  const { origin } = context;
  const { warnings, review, price } = context.confirmsItself
    ? await findFacts(prepared, context)
    : { warnings: [], review: EMPTY_REVIEW, price: undefined };
  // The operation is noted even if the user refuses it, because a site may then ask to sign its
  // hash as a message.
  if (context.confirmsItself) {
    await context.knownOperations.note(operation, { chainId, entryPoint });
  }
  const values = (decoded.calls ?? []).map(({ value }) => value);
  const cost = maxCostWithValue(operation, entryPoint, values);
  const task: SigningTask = {
    account: toAccountRef(account.record),
    payload: { kind: 'operation', operation, domain: toDomain(account, chainId) },
    open: isDeploymentOpen(prepared) ? ['deployment'] : [],
  };
  const takeSnapshot = (): Snapshot => {
    const outlook = getOutlook(review, warnings, toCaip2(chainId));
    return {
      tasks: [task],
      effects: review.calls,
      costs: [{ label: 'field.maxCost', amount: cost, write: toShownCoins }],
      warnings: outlook.risks,
      draw: (translate) =>
        UserOperationConfirmation({
          translate,
          origin,
          entryPoint,
          operation,
          chain: toCaip2(chainId),
          calls: decoded.calls && review.calls,
          isCallGasAssumed: shown.isCallGasAssumed ?? false,
          isDeploymentOpen: isDeploymentOpen(prepared),
          warnings: [...warnings, ...outlook.warnings],
          sponsor: sponsorship?.sponsor,
          isSponsorMissing: sponsorFailure !== undefined,
          price,
          simulation: outlook.simulation,
        }),
    };
  };
  return { takeSnapshot, pending: review.pendingSimulation?.pending };
}

async function findFacts(
  { shown, account, chainId, chain }: PreparedOperation,
  context: PreparingContext,
) {
  const { operation, decoded, sponsorFailure, failure } = shown;
  const { entryPoint } = account;
  const hash = hashUserOperation(operation, { chainId, entryPoint });
  const [signed, readPrice] = await Promise.all([
    context.signedOperations.find({
      chain: toCaip2(chainId),
      sender: operation.sender,
      nonce: toQuantity(operation.nonce),
    }),
    chain && context.preparePrice(chain),
  ]);
  const { calls = [] } = decoded;
  const [review, measures, ofNonce] = await Promise.all([
    reviewCalls(
      calls,
      {
        signer: operation.sender,
        chainId,
        chain,
        simulated: listActions(operation, { chainId, version: entryPoint }),
        // A deployment may run first, so the account's code is not known.
        nextCode: null,
        // If a paymaster pays for gas, the sender does not pay for creating accounts.
        findsNew: operation.paymasterAndData === '0x',
      },
      context,
    ),
    fetchOperationMeasures(operation, account, {
      ...context,
      chainId,
      chain,
      readPrice,
    }),
    chain ? findNonceWarnings(operation, { account, chain }, context) : [],
  ]);
  const newAccountWarnings = review.newAccounts.map(({ number, gas }) => ({
    number,
    warning: warnOfNewAccount(gas, operation.maxFeePerGas),
  }));
  const warnings = [
    ...findOperationWarnings(operation, decoded, {
      ...measures,
      ofNonce,
      ofCalls: [...review.ofCalls, ...newAccountWarnings],
      failure: measures.failure ?? failure,
      ...(signed !== undefined && signed !== hash && { replaced: { hash: signed } }),
      ...(sponsorFailure && { sponsorFailure: sponsorFailure.message }),
    }),
    ...review.ofPast,
  ];
  return { warnings, review, price: measures.price };
}

async function findNonceWarnings(
  { sender: from, nonce }: UserOperation,
  { account, chain }: { account: OperationAccount; chain: Chain },
  { operationNonces }: PreparingContext,
): Promise<Warning[]> {
  const { id, node } = chain;
  return warnOfNonce(sequenceOf(nonce), async () => {
    const used = await fetchOperationNonce(account, keyOf(nonce), node);
    const next = await operationNonces.skipPending({ chain: toCaip2(id), from }, used);
    return { next: sequenceOf(next), used: sequenceOf(used) };
  });
}

function toDomain(
  { entryPoint, implementation }: OperationAccount,
  chainId: ChainId,
): SigningDomain {
  return { chainId, entryPoint, ...(implementation && { implementation }) };
}

// Records the hash for the nonce before the signature is returned.
async function signOperation(
  approval: Approval,
  prepared: PreparedOperation,
  { core, signedOperations, connect }: ApprovedContext,
): Promise<UserOperation> {
  const { account, chainId } = prepared;
  // The dialog may have been open for a long time, so connecting again restarts the time limits.
  const chain = prepared.chain && (await connect(chainId).catch(() => undefined));
  const control = await assertStillControlled({ ...prepared, chain });
  const isDeployed = control?.isDeployed === true && omitsDeployment(prepared);
  const signed = await core.signOperation(approval, 0, { isDeployed });
  await signedOperations.note({
    chain: toCaip2(chainId),
    sender: signed.sender,
    nonce: toQuantity(signed.nonce),
    hash: hashUserOperation(signed, { chainId, entryPoint: account.entryPoint }),
  });
  return signed;
}

// Returns undefined if no server answers.
async function assertStillControlled({
  account,
  chainId,
  chain,
}: Pick<PreparedOperation, 'account' | 'chainId' | 'chain'>): Promise<
  Control | undefined
> {
  const control =
    chain && (await fetchControl(account, chain.node).catch(() => undefined));
  if (control) assertControlled(control, account, chainId);
  return control;
}

/** Returns whether to omit the deployment of an account that was deployed in the meantime, because
 * the EntryPoint would refuse to deploy it again (AA10). Throws `UnavailableError` if the
 * deployment must be omitted but the dialog did not say so. */
function omitsDeployment(prepared: PreparedOperation): boolean {
  if (isDeploymentOpen(prepared)) return true;
  const { shown, account } = prepared;
  const { operation } = shown;
  const isMeanwhile = operation.initCode !== '0x' && shown.state?.isDeployed === false;
  // EntryPoint 0.9 ignores the deployment.
  if (!isMeanwhile || account.entryPoint === '0.9') return false;
  throw new UnavailableError(
    `The account ${operation.sender} is already deployed, and the user operation would deploy it ` +
      'again, which its EntryPoint refuses (AA10). Nothing was signed: try again.',
  );
}

// Returns whether the deployment is omitted if someone else deploys the account while the dialog is
// open. The dialog says so. False for a sponsored operation, because the paymaster approved all of
// it, and for a caller's own deployment, which is never changed.
function isDeploymentOpen({ shown, account }: PreparedOperation): boolean {
  const { operation, state } = shown;
  const { initCode, paymasterAndData } = operation;
  const isOwn = toLower(initCode) === toLower(toInitCode(account, false));
  const isNeeded = initCode !== '0x' && state?.isDeployed === false;
  return isNeeded && isOwn && paymasterAndData === '0x';
}

// An access list is ignored, because it only saves gas.
function assertFits({ nonce, authorizationList }: TransactionRequest): void {
  const foreign =
    nonce === undefined ? authorizationList && 'authorizationList' : 'nonce';
  if (foreign === undefined) return;
  throw new InvalidParamsError(
    `eth_sendTransaction: params[0].${foreign} is not supported by the user operation of a smart account; ` +
      'omit it.',
  );
}

function getCarrier(
  hash: Hex,
  { sent, failure }: Awaited<ReturnType<Tracker['awaitSettled']>>,
): Hex {
  const { status = 'unknown', inclusion } = sent ?? {};
  const doubt = sent && findDoubt(sent);
  const { transactionHash, success } = inclusion ?? {};
  const context = { userOperationHash: hash };
  if (transactionHash === undefined) {
    throw new UnavailableError(
      status !== 'replaced'
        ? `User operation ${hash} was sent and is ${status === 'pending' ? 'still ' : ''}${status}. ` +
            (failure === undefined ? '' : `The last look-up failed: ${failure} `) +
            `${doubt ? reasons[doubt] : 'Do not send it again.'} Check its status with ` +
            'eth_getUserOperationReceipt.'
        : `User operation ${hash} was sent, but another one was executed with its nonce.`,
      { context },
    );
  }
  // The transaction that includes the operation succeeds even if the operation's call reverts.
  if (success !== false) return transactionHash;
  const message = `User operation ${hash} was included in transaction ${transactionHash}, but its call reverted.`;
  // Nodes' code for a reverted execution.
  throw new TollkeeperError(3, message, { context: { ...context, transactionHash } });
}
