// Signing and sending user operations: fill, have it paid for, confirm, sign, send, follow.
import type { Operator } from '../accounts/kinds/kind';
import { toOutgoingOperation } from '../activity/broadcast';
import type { LentNonce } from '../activity/nonces';
import type { AwaitSettled } from '../activity/tracker';
import type { Chain } from '../chains/chain';
import { defineMethod } from '../context';
import type { RequestContext } from '../context';
import { InvalidParamsError, TollkeeperError, UnavailableError } from '../errors';
import type { Intent } from '../eth/account-calls';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { isSameAddress, toQuantity } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { keyOf, sequenceOf } from '../eth/operation-nonce';
import { hashUserOperation } from '../eth/sign-user-operation';
import type { TransactionRequest } from '../eth/transaction';
import { entryPoints, UserOperationStruct } from '../eth/user-operation';
import type { UserOperation } from '../eth/user-operation';
import { listActions } from '../fees/estimate-operation';
import { fetchOperationNonce, fillPaidOperation } from '../fees/fill-user-operation';
import type {
  FilledOperation,
  FillOperationSources,
  OperationRequest,
} from '../fees/fill-user-operation';
import type { CoinPrice } from '../fees/prices';
import { assertOwnAddress, chooseChain } from '../request';
import { findNonceGap, tellNewAccount } from '../review/facts';
import { leaveToWallet, lookAhead, reviewCalls } from '../review/review';
import type { Review } from '../review/review';
import { parse } from '../schema/parse';
import type { Approval } from '../sites/approval';
import type { Picture } from '../sites/dialogs';
import type { Warning } from '../ui/warnings';
import { fetchOperationMeasures } from './measures';
import {
  assertOwnOperation,
  connectBundled,
  countInnerCalls,
  countWanted,
  findSender,
  parseOperationParams,
  parseWanted,
  requireOperator,
  toRequest,
  toSources,
} from './request';
import type { FillPlace } from './request';
import { UserOperationConfirmation } from './view';
import type { OperationTitle } from './view';
import { decodeOperation, findOperationWarnings } from './warnings';
import type { DecodedOperation } from './warnings';

/** Who sends what, and from where. */
export type OperationSending = FillPlace & {
  origin: string;
  title: OperationTitle;
  /** Has what was approved and signed sent, by `broadcast`; by default that is all. */
  send?: (hash: Hex, broadcast: () => Promise<Hex>) => Promise<void>;
};

/** An operation that is shown, who pays for it, or why nobody else does. */
type ShownOperation = Pick<
  FilledOperation,
  'operation' | 'sponsorship' | 'sponsorFailure' | 'failure' | 'isCallGasAssumed'
> & { decoded: DecodedOperation };

/** How an operation is shown. */
type Showing = {
  account: Operator;
  chainId: ChainId;
  /** Undefined if it has no server: then little can be measured. */
  chain: Chain | undefined;
  origin: string;
  title: OperationTitle;
};

/** Whose operation it is, who asks for it, and where it is sent. */
type SigningPlace = Pick<OperationSending, 'account' | 'origin' | 'chain'>;

const SEND_ROOT = 'eth_sendUserOperation: params';

/** Code for an execution that was reverted, as nodes have it. */
const REVERTED = 3;

/**
 * eth_signUserOperation [userOperation, entryPoint?] → signature (ERC-4337): for the account's own
 * entry point and one chain.
 */
export const ethSignUserOperation = defineMethod({
  parse: (params) => parseOperationParams(params, 'eth_signUserOperation: params'),
  findAddresses: ({ operation }) => [operation.sender],
  countCalls: ({ operation }) => countInnerCalls(operation.callData),
  run: async (params, context) => {
    const account = await requireOperator(context);
    assertOwnOperation(account, params);
    const { origin, scope, ownChain } = context;
    const chainId = await chooseChain({ account: context.account, scope, ownChain });
    const { operation } = params;
    // It can be signed where nothing can be asked.
    const chain = context.confirmsItself
      ? await context.connect(chainId).catch(() => undefined)
      : undefined;
    const approval = await confirmOperation(
      { operation, decoded: decodeOperation(operation, account.read) },
      { account, chainId, chain, origin, title: 'userOperation.title' },
      context,
    );
    const { signature } = await signOperation(approval, { account, chainId }, context);
    return signature;
  },
});

/**
 * eth_sendUserOperation [intent, …] or [partialOperation, entryPoint?] → hash. One that its owner
 * has signed is only sent.
 */
export const ethSendUserOperation = defineMethod({
  parse: (params) => parseWanted(params, SEND_ROOT),
  findAddresses: findSender,
  countCalls: countWanted,
  run: async (wanted, context) => {
    const account = await requireOperator(context);
    const request = toRequest(wanted, account);
    const chain = await connectBundled(context);
    const { origin, options } = context;
    const place = { account, origin, chain };
    if (isSigned(request, account)) {
      const operation = getSigned(request, place);
      await assertSupport(place);
      const { calls } = decodeOperation(operation, account.read);
      return broadcastSigned({ operation, calls }, place, context);
    }
    const title = 'userOperation.send';
    return sendOperation(request, { ...place, options, title }, context);
  },
});

// What stands for a signature in an estimate is none.
function isSigned({ signature = '0x' }: OperationRequest, account: Operator): boolean {
  return signature !== '0x' && signature.toLowerCase() !== account.dummySignature;
}

function getSigned(
  request: OperationRequest,
  { account, chain }: SigningPlace,
): UserOperation {
  // The unpacked form leaves out what there is none of.
  const whole = { initCode: '0x', paymasterAndData: '0x', ...request };
  const operation = parse(whole, UserOperationStruct, `${SEND_ROOT}[0]`);
  if (account.isSigned(operation, chain.id)) {
    return operation;
  }
  throw new InvalidParamsError(
    `${SEND_ROOT}[0].signature is not that of ${account.address}'s owner for this operation. Leave it ` +
      'out to have the operation signed.',
  );
}

/**
 * eth_sendTransaction of a smart account: sends a user operation that makes the call, and answers
 * when a transaction has carried it.
 */
export async function sendFromSmartAccount(
  request: TransactionRequest,
  context: RequestContext,
): Promise<Hex> {
  assertFits(request);
  const account = await requireOperator(context);
  assertOwnAddress(account.record, request.from, 'from');
  const { origin, options } = context;
  const chain = await connectBundled(context, request.chainId);
  const { to, value, data, gasPrice, gasLimit } = request;
  const { maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice } = request;
  const hash = await sendOperation(
    {
      callData: account.encode([{ to, value, data }]),
      ...(maxFeePerGas === undefined ? {} : { maxFeePerGas }),
      ...(maxPriorityFeePerGas === undefined ? {} : { maxPriorityFeePerGas }),
    },
    {
      ...{ account, origin, chain, options },
      ...{ title: 'userOperation.send', leastCallGas: gasLimit },
    },
    context,
  );
  return getCarrier(hash, await context.awaitSettled(hash, chain.id));
}

/**
 * Fills, confirms, signs and sends a user operation, and follows it.
 *
 * @returns Its hash.
 * @throws {UnavailableError} If the bundler serves another chain, or not this EntryPoint.
 * @throws What the bundler says if it refuses it.
 */
export async function sendOperation(
  request: OperationRequest,
  sending: OperationSending,
  context: RequestContext,
): Promise<Hex> {
  const { account, chain, options } = sending;
  const { address } = account;
  const decoded = decodeOperation({ ...request, sender: address }, account.read);
  const { calls } = decoded;
  const sender = { chain: toCaip2(chain.id), from: address };
  const wanted = { nonce: request.nonce, key: options.nonceKey };
  return context.operationNonces.lend(sender, wanted, async (lent) => {
    const sources = await findSendingSources(sending, { calls, lent }, context);
    // Begun together, so that the bundler is asked in one batch.
    const [, paid] = await Promise.all([
      assertSupport(sending),
      fillPaidOperation(request, sources),
    ]);
    if (!paid.state.isDeployed && lent.hasOthers) refuseUndeployed(sending);
    const place = { ...sending, chainId: chain.id };
    const approval = await confirmOperation({ ...paid, decoded }, place, context);
    const operation = await signOperation(approval, place, context);
    return broadcastSigned({ operation, calls }, sending, context);
  });
}

// The fees of the user's level, a nonce that is lent.
async function findSendingSources(
  place: FillPlace,
  { calls, lent }: { calls: readonly Intent[] | undefined; lent: LentNonce },
  context: RequestContext,
): Promise<FillOperationSources> {
  const [level, levels] = await Promise.all([
    context.feeLevel(),
    context.prepareFeeLevels(place.chain),
  ]);
  return {
    ...toSources(place, calls, context),
    nonceKey: lent.key,
    findNonce: lent.choose,
    fees: { levels, level },
    mayFail: true,
  };
}

async function assertSupport({
  chain: { id, bundler },
  account,
}: Pick<FillPlace, 'chain' | 'account'>): Promise<void> {
  const { chainId, entryPoints: served } = await bundler.client.fetchSupport();
  const name = `The bundler of ${toCaip2(id)}`;
  if (chainId !== id) {
    throw new UnavailableError(
      `${name} is for ${toCaip2(chainId)}, but the operation is for ` +
        `${toCaip2(id)}. Nothing was sent. Configure another with tollkeeper_setChain.`,
    );
  }
  const { entryPoint } = entryPoints[account.entryPoint];
  if (served.some((each) => isSameAddress(each, entryPoint))) return;
  throw new UnavailableError(
    `${name} does not serve the account's EntryPoint ${entryPoint} ` +
      `(version ${account.entryPoint}); it serves ${served.join(', ') || 'none'}. Nothing was sent.`,
  );
}

// Each would deploy the account, which only the first one can.
function refuseUndeployed({ account: { address } }: OperationSending): never {
  throw new UnavailableError(
    `The user operation that deploys ${address} is pending or being confirmed, and the ` +
      'account can send no other before it is included. Nothing was sent: try again then.',
  );
}

/**
 * Obtains consent to a user operation.
 *
 * @throws {UserRejectedError} If the user refuses.
 */
async function confirmOperation(
  shown: ShownOperation,
  showing: Showing,
  context: RequestContext,
): Promise<Approval<UserOperation>> {
  const { operation, decoded, sponsorship, sponsorFailure } = shown;
  const { account, chainId, origin, title } = showing;
  const { entryPoint } = account;
  const { warnings, review, price }: Findings = context.confirmsItself
    ? await findOut(shown, showing, context)
    : { warnings: [], review: leaveToWallet(decoded.calls ?? []) };
  // What is refused here must not be signed as a message.
  if (context.confirmsItself) {
    await context.knownOperations.note(operation, { chainId, entryPoint });
  }
  const takePicture = (): Picture<UserOperation> => {
    const outlook = lookAhead(review, warnings);
    return {
      approve: () => operation,
      warnings: outlook.risks,
      draw: (translate) =>
        UserOperationConfirmation({
          translate,
          title,
          origin,
          chain: toCaip2(chainId),
          entryPoint,
          operation,
          calls: decoded.calls && review.calls,
          isCallGasAssumed: shown.isCallGasAssumed ?? false,
          warnings: [...warnings, ...outlook.warnings],
          sponsor: sponsorship?.sponsor,
          isSponsorMissing: sponsorFailure !== undefined,
          price,
          foretold: outlook.foretold,
        }),
    };
  };
  const { foretelling } = review;
  return context.requireConsent({ takePicture, pending: foretelling?.pending });
}

/** What is found out about an operation for whoever confirms it. */
type Findings = {
  warnings: readonly Warning[];
  /** Of what it executes. */
  review: Review;
  price?: CoinPrice | undefined;
};

async function findOut(
  { operation, decoded, sponsorFailure, failure }: ShownOperation,
  { account, chainId, chain }: Showing,
  context: RequestContext,
): Promise<Findings> {
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
  const [review, measures, nonceGap] = await Promise.all([
    reviewCalls(
      calls,
      {
        signer: operation.sender,
        chainId,
        chain,
        simulated: listActions(operation, { chainId, version: entryPoint }),
        // It is deployed by then.
        nextCode: null,
        // What a paymaster pays is not dearer for the account.
        findsNew: operation.paymasterAndData === '0x',
      },
      context,
    ),
    fetchOperationMeasures(operation, account, {
      chainId,
      node: chain?.node,
      findFork: async () => context.findFork(chain as Chain),
      levels: async () => context.feeLevels(chain as Chain),
      readPrice: async (options) => readPrice?.(options),
    }),
    chain ? findGap(operation, { account, chain }, context) : [],
  ]);
  const dearer = review.newAccounts.map(({ number, gas }) => ({
    number,
    warning: tellNewAccount(gas, operation.maxFeePerGas),
  }));
  const warnings = [
    ...findOperationWarnings(operation, decoded, {
      ...measures,
      nonceGap,
      ofCalls: [...review.ofCalls, ...dearer],
      failure: measures.failure ?? failure,
      ...(signed === undefined || signed === hash
        ? {}
        : { replaced: { hash: signed } }),
      ...(sponsorFailure ? { sponsorFailure: sponsorFailure.message } : {}),
    }),
    ...review.addresses,
  ];
  return { warnings, review, price: measures.price };
}

// Whether others have to come first.
async function findGap(
  { sender: from, nonce }: UserOperation,
  { account, chain }: { account: Operator; chain: Chain },
  { operationNonces }: RequestContext,
): Promise<Warning[]> {
  const { id, node } = chain;
  return findNonceGap(sequenceOf(nonce), async () => {
    const next = await fetchOperationNonce(account, keyOf(nonce), node);
    return sequenceOf(
      await operationNonces.skipPending({ chain: toCaip2(id), from }, next),
    );
  });
}

// Which one was signed for a nonce is remembered before the signature leaves.
async function signOperation(
  approval: Approval<UserOperation>,
  { account, chainId }: { account: Operator; chainId: ChainId },
  { sign, signedOperations }: RequestContext,
): Promise<UserOperation> {
  // An ordinary account's key is derived as such, whatever contract it delegates to.
  const signed = await sign(approval, (operation, key) => ({
    ...operation,
    signature: account.sign(operation, chainId, key),
  }));
  await signedOperations.note({
    chain: toCaip2(chainId),
    sender: signed.sender,
    nonce: toQuantity(signed.nonce),
    hash: hashUserOperation(signed, { chainId, entryPoint: account.entryPoint }),
  });
  return signed;
}

// Follows it, too; answers its hash.
async function broadcastSigned(
  {
    operation,
    calls,
  }: { operation: UserOperation; calls: readonly Intent[] | undefined },
  { account, origin, chain, send }: SigningPlace & Pick<OperationSending, 'send'>,
  { broadcastOperation }: RequestContext,
): Promise<Hex> {
  const domain = { chainId: chain.id, entryPoint: account.entryPoint };
  const hash = hashUserOperation(operation, domain);
  const outgoing = toOutgoingOperation(
    { operation, hash, domain, calls },
    { account: account.record, origin },
  );
  const broadcast = async (): Promise<Hex> =>
    broadcastOperation(chain, outgoing, operation);
  if (!send) return broadcast();
  await send(hash, broadcast);
  return hash;
}

// An access list only saves gas, and is left out.
function assertFits({ to, data, nonce, authorizationList }: TransactionRequest): void {
  const [foreign] = Object.entries({ nonce, authorizationList }).flatMap(
    ([name, value]) => (value === undefined ? [] : [name]),
  );
  if (foreign !== undefined) {
    throw new InvalidParamsError(
      `eth_sendTransaction: params[0].${foreign} has no place in the user operation that a smart account sends; ` +
        'leave it out.',
    );
  }
  if (to === null && data === '0x') {
    throw new InvalidParamsError(
      `eth_sendTransaction: params[0]: a contract creation (no "to") needs data.`,
    );
  }
}

function getCarrier(
  hash: Hex,
  { sent, failure }: Awaited<ReturnType<AwaitSettled>>,
): Hex {
  const { status = 'unknown', inclusion } = sent ?? {};
  const { transactionHash, success } = inclusion ?? {};
  const context = { userOperationHash: hash };
  if (transactionHash === undefined) {
    throw new UnavailableError(
      status === 'pending'
        ? `User operation ${hash} was sent and is still pending. ` +
            (failure === undefined ? '' : `The last look-up failed: ${failure} `) +
            'Do not send it again: it is followed, and eth_getUserOperationReceipt tells what ' +
            'becomes of it.'
        : `User operation ${hash} was sent, but was not included: it is ${status}.`,
      { context },
    );
  }
  // The transaction that carried it succeeds even so.
  if (success !== false) return transactionHash;
  throw new TollkeeperError(
    REVERTED,
    `User operation ${hash} was included in transaction ${transactionHash}, but its call was ` +
      'reverted.',
    { context: { ...context, transactionHash } },
  );
}
