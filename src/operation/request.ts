// Requests for user operations that sign nothing, and the code that they share with signing
// requests.
import { array } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import type { Paymaster } from '../../packages/client/src';
import type { OperationAccount } from '../accounts/kinds/kind';
import { fetchOperationAccount, kindOf } from '../accounts/kinds/kinds';
import { getBundler } from '../chains/chain';
import type { Bundler, Chain } from '../chains/chain';
import { defineMethod } from '../context';
import type { PreparingContext } from '../context';
import { entryPoints, entryPointVersions } from '../core/entry-points';
import {
  InvalidParamsError,
  TollkeeperError,
  UnsupportedMethodError,
} from '../core/errors';
import type { UserOperation } from '../core/payload';
import { readCallData, IntentStruct, toIntent } from '../eth/account-calls';
import type { Intent } from '../eth/account-calls';
import { toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { AddressStruct, isSameAddress, toQuantity, withQuantities } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { parseOperationRequest, toPackedRequest } from '../eth/operation-request';
import type { OperationRequest as GivenOperation } from '../eth/operation-request';
import {
  limitNames,
  unpackPaymaster,
  UserOperationStruct,
} from '../eth/user-operation';
import { fetchSponsorship, fillOperation } from '../fees/fill-user-operation';
import type {
  FilledOperation,
  FillOperationSources,
  OperationRequest,
} from '../fees/fill-user-operation';
import { assertNamed, chooseChain } from '../request';
import { parse } from '../schema/parse';
import { isAbsent, list } from '../schema/structs';
import { MAX_BATCH_CALLS } from '../state/sent-transaction';

type OperationParams = { operation: UserOperation; entryPoint?: Hex };

export type IntentsOrOperation =
  { intents: Intent[] } | { request: GivenOperation; entryPoint?: Hex };

export type BundledChain = Chain & { bundler: Bundler };

export const IntentsStruct = list(IntentStruct, { min: 1, max: MAX_BATCH_CALLS });

export type FillPlace = {
  account: OperationAccount;
  chain: BundledChain;
  nonceKey?: bigint | undefined;
  /** Pays instead of the chain's paymaster. */
  paymaster?: Paymaster;
  /** Minimum call gas, whatever the bundler estimates. */
  leastCallGas?: bigint | undefined;
};

/** eth_prepareUserOperation [intent, …] → the fields that a wallet needs to build the operation for
 * the intents. Signs nothing, and does not ask for consent. */
export const ethPrepareUserOperation = defineMethod({
  parse: (params) => parseIntents(params, 'eth_prepareUserOperation: params'),
  accounts: () => [],
  countCalls: (intents) => intents.length,
  answer: async (intents, context) => {
    const account = await requireOperationAccount(context);
    const chain = await connectBundled(context);
    const callData = account.encode(intents);
    const place = { account, chain, nonceKey: context.nonceKey };
    const { operation } = await fillForEstimate({ callData }, place, context);
    const { initCode, nonce, paymasterAndData } = operation;
    const { secretUrl, publicUrl } = chain.bundler;
    return {
      callData,
      initCode,
      nonce: toQuantity(nonce),
      gasLimits: writeLimits(operation),
      dummySignature: account.dummySignature,
      dummyPaymasterAndData: paymasterAndData,
      bundlerUrl: context.mayHoldSecrets ? secretUrl : publicUrl,
    };
  },
});

/** eth_patchUserOperation [userOperation] → the fields to change before signing. If the operation
 * has a paymaster's stub, and the chain has a paymaster, this is the paymaster's final data. */
export const ethPatchUserOperation = defineMethod({
  parse: (params) => parseOperationParams(params, 'eth_patchUserOperation: params'),
  accounts: ({ operation }) => [operation.sender],
  countCalls: () => 1,
  answer: async (params, context) => {
    const own = await requireOperationAccount(context);
    assertOwnOperation(own, params);
    const { operation } = params;
    const { connect, now, knownOperations } = context;
    const chainId = await chooseChain(context);
    const version = own.entryPoint;
    const { paymasterAndData } = operation;
    const chain = paymasterAndData === '0x' ? undefined : await connect(chainId);
    const patch = chain?.paymaster
      ? await fetchSponsorship(operation, {
          chainId,
          version,
          now,
          node: chain.node,
          paymaster: chain.paymaster,
        })
      : { paymasterAndData };
    const domain = { chainId, entryPoint: version };
    await knownOperations.note({ ...operation, ...patch }, domain);
    return withQuantities(patch);
  },
});

/** eth_estimateUserOperationGas [intent, …] or [partialOperation, entryPoint?] → gas limits in the
 * form that bundlers use (ERC-7769), with the same margins as for sending. */
export const ethEstimateUserOperationGas = defineMethod({
  parse: (params) =>
    parseIntentsOrOperation(params, 'eth_estimateUserOperationGas: params'),
  accounts: findSender,
  countCalls: countRequestedCalls,
  answer: async (wanted, context) => {
    const account = await requireOperationAccount(context);
    const request = toRequest(wanted, account);
    // The caller's limits are guesses, which the estimate replaces.
    for (const name of limitNames) delete request[name];
    // A caller that sets a signature signs and sends the operation itself. If its operation has no
    // paymaster, the account pays.
    if (request.signature !== undefined) request.paymasterAndData ??= '0x';
    const chain = await connectBundled(context);
    const place = { account, chain, nonceKey: context.nonceKey };
    const filled = await fillForEstimate(request, place, context);
    return {
      ...writeLimits(filled.operation),
      ...(account.entryPoint === '0.6' ? {} : toPaymasterGas(filled)),
    };
  },
});

function writeLimits(operation: UserOperation): Record<string, Json> {
  return withQuantities(
    Object.fromEntries(limitNames.map((name) => [name, operation[name]])),
  );
}

// A sponsor's gas limits are final. Otherwise, the estimated limits replace the caller's guesses.
function toPaymasterGas({
  operation,
  sponsorship,
  paymasterGas,
}: FilledOperation): Record<string, Json> {
  const own = unpackPaymaster(operation.paymasterAndData);
  if (!own) return {};
  return withQuantities({
    paymasterVerificationGasLimit: own.verificationGasLimit,
    paymasterPostOpGasLimit: own.postOpGasLimit,
    ...(!sponsorship && paymasterGas),
  });
}

/** Parses `[userOperation]` or `[userOperation, entryPoint]`. */
export function parseOperationParams(params: unknown, root: string): OperationParams {
  const [first, second, ...others] = parse(params, array(), root);
  if (others.length > 0) {
    throw new InvalidParamsError(`${root}[2] is not expected here.`);
  }
  const operation = parse(first, UserOperationStruct, `${root}[0]`);
  return { operation, ...parseEntryPoint(second, `${root}[1]`) };
}

function parseIntents(params: unknown, root: string): Intent[] {
  const intents = parse(params, IntentsStruct, root);
  return intents.map((intent, index) => toIntent(intent, `${root}[${index}]`));
}

/** Parses `[intent, …]`, `[partialOperation]` or `[partialOperation, entryPoint]`. */
export function parseIntentsOrOperation(
  params: unknown,
  root: string,
): IntentsOrOperation {
  const given: unknown[] = Array.isArray(params) ? params : [];
  const [first, second, ...others] = given;
  if (!isObject(first) || !('callData' in first || 'sender' in first)) {
    return { intents: parseIntents(params, root) };
  }
  if (others.length > 0) {
    throw new InvalidParamsError(`${root}[2] is not expected here.`);
  }
  const request = parseOperationRequest(first, `${root}[0]`);
  return { request, ...parseEntryPoint(second, `${root}[1]`) };
}

function parseEntryPoint(given: unknown, root: string): { entryPoint?: Hex } {
  return isAbsent(given) ? {} : { entryPoint: parse(given, AddressStruct, root) };
}

export function findSender(wanted: IntentsOrOperation): Hex[] {
  if (!('request' in wanted)) return [];
  const { sender } = wanted.request;
  return sender === undefined ? [] : [sender];
}

export function countRequestedCalls(wanted: IntentsOrOperation): number {
  if ('intents' in wanted) return wanted.intents.length;
  return countInnerCalls(wanted.request.callData ?? '0x');
}

/** Counts the calls in call data of any account version; 1 if it cannot be decoded. */
export function countInnerCalls(callData: Hex): number {
  const counts = [...entryPointVersions, 'safe' as const].map(
    (contract) => readCallData(contract, callData).calls?.length ?? 1,
  );
  return Math.max(...counts);
}

/** Converts a complete or partial request. Throws `InvalidParamsError` if the request is for a
 * different account or EntryPoint, or has no call data. */
export function toRequest(
  wanted: IntentsOrOperation,
  account: OperationAccount,
): OperationRequest {
  if ('intents' in wanted) return { callData: account.encode(wanted.intents) };
  const request = toPackedRequest(wanted.request, account.entryPoint);
  if (request.sender !== undefined) {
    assertNamed(account.record, request.sender, 'sender');
  }
  assertOwnEntryPoint(account, wanted.entryPoint);
  const { callData } = request;
  if (callData !== undefined) return { ...request, callData };
  const message = "callData is missing. Set it to the operation's calls.";
  throw new InvalidParamsError(message);
}

/** Finds the request's account for user operations: a smart account, or an ordinary account that
 * delegates. Throws `UnsupportedMethodError` if an ordinary account delegates to no supported
 * contract. */
export async function requireOperationAccount(
  context: PreparingContext,
): Promise<OperationAccount> {
  const { account } = context;
  const { smart } = kindOf(account);
  if (smart) return smart;
  const { id, node } = await connectBundled(context);
  const operator = await fetchOperationAccount(account, node);
  if (operator) return operator;
  throw new UnsupportedMethodError(
    `The account ${account.address} delegates to no contract on ${toCaip2(id)} that supports user ` +
      'operations. Delegate it in Tollkeeper first.',
  );
}

export function assertOwnOperation(
  account: OperationAccount,
  { operation, entryPoint }: OperationParams,
): void {
  assertNamed(account.record, operation.sender, 'sender');
  assertOwnEntryPoint(account, entryPoint);
}

function assertOwnEntryPoint(
  { address, entryPoint: version }: OperationAccount,
  entryPoint: Hex | undefined,
): void {
  const own = entryPoints[version].entryPoint;
  if (entryPoint === undefined || isSameAddress(entryPoint, own)) return;
  throw new InvalidParamsError(
    `The entry point is ${entryPoint}, but the account ${address} is for ${own} ` +
      `(version ${version}).`,
  );
}

/** Connects the chain of a request that needs a bundler. Throws `UnavailableError` if the chain has
 * none. */
export async function connectBundled(
  context: PreparingContext,
  named?: ChainId,
): Promise<BundledChain> {
  const chain = await context.connect(await chooseChain(context, named));
  return { ...chain, bundler: getBundler(chain) };
}

// Fills in the operation at the current gas price. Throws if the chain's paymaster does not pay.
async function fillForEstimate(
  request: OperationRequest,
  place: FillPlace,
  context: PreparingContext,
): Promise<FilledOperation> {
  const calls = place.account.read(request.callData).calls;
  const filled = await fillOperation(request, toSources(place, calls, context));
  const { sponsorFailure: cause } = filled;
  if (cause) {
    const advice =
      'To pay from the account, send an operation whose paymasterAndData is "0x".';
    const details = { context: cause.context, cause };
    throw new TollkeeperError(cause.code, `${cause.message} ${advice}`, details);
  }
  const { account, chain } = place;
  const domain = { chainId: chain.id, entryPoint: account.entryPoint };
  await context.knownOperations.note(filled.operation, domain);
  return filled;
}

export function toSources(
  { account, chain, nonceKey, leastCallGas, paymaster = chain.paymaster }: FillPlace,
  calls: readonly Intent[] | undefined,
  { now, findFork }: PreparingContext,
): FillOperationSources {
  return {
    account,
    chainId: chain.id,
    node: chain.node,
    findFork: async () => findFork(chain),
    bundler: chain.bundler.client,
    now,
    calls,
    leastCallGas,
    ...(nonceKey !== undefined && { nonceKey }),
    ...(paymaster && { paymaster }),
  };
}
