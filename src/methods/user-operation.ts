// What the user-operation methods share: params, and the checks that an operation is the
// account's own.
import { array } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';

import { getBundler } from '../chains/chain';
import type { Bundler, Chain } from '../chains/chain';
import { InternalError, InvalidParamsError } from '../errors';
import {
  decodeCalls,
  encodeIntents,
  IntentStruct,
  toIntent,
} from '../eth/account-calls';
import type { Intent } from '../eth/account-calls';
import { AddressStruct, isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { parseOperationRequest, toPackedRequest } from '../eth/operation-request';
import type { OperationRequest as GivenOperation } from '../eth/operation-request';
import {
  entryPoints,
  entryPointVersions,
  UserOperationStruct,
} from '../eth/user-operation';
import type { UserOperation } from '../eth/user-operation';
import type { OperationRequest } from '../fees/operation-draft';
import { parse } from '../schema/parse';
import { isAbsent, list } from '../schema/structs';
import type { AccountRecord, SmartRecord } from '../state/account-record';
import { MAX_CALLS } from '../state/public-state';
import { assertOwnAddress } from './account-check';
import { chooseChain } from './choose-chain';
import type { MethodRequest, MethodServices } from './method';

/** An operation, and the entry point if the caller named one. */
export type OperationParams = { operation: UserOperation; entryPoint?: Hex };

/** What is to be done: intents, or an operation of which parts are there. */
export type Wanted =
  { intents: Intent[] } | { request: GivenOperation; entryPoint?: Hex };

/** A chain that has a bundler. */
export type BundledChain = Chain & { bundler: Bundler };

/** What an account is to do: one call or several. */
export const IntentsStruct = list(IntentStruct, { min: 1, max: MAX_CALLS });

/** Read `[userOperation]` or `[userOperation, entryPoint]`. */
export function parseOperationParams(params: unknown, root: string): OperationParams {
  const [first, second, ...others] = parse(params, array(), root);
  if (others.length > 0) {
    throw new InvalidParamsError(`${root}[2] is not expected here.`);
  }
  const operation = parse(first, UserOperationStruct, `${root}[0]`);
  return { operation, ...parseEntryPoint(second, `${root}[1]`) };
}

/** Read `[intent, …]`. */
export function parseIntents(params: unknown, root: string): Intent[] {
  const intents = parse(params, IntentsStruct, root);
  return intents.map((intent, index) => toIntent(intent, `${root}[${index}]`));
}

/** Read `[intent, …]`, `[partialOperation]` or `[partialOperation, entryPoint]`. */
export function parseWanted(params: unknown, root: string): Wanted {
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

/** Find the address that names the account: an operation's sender. */
export function findSender(wanted: Wanted): Hex[] {
  if (!('request' in wanted)) return [];
  const { sender } = wanted.request;
  return sender === undefined ? [] : [sender];
}

/** Count the calls that are wanted. */
export function countWanted(wanted: Wanted): number {
  if ('intents' in wanted) return wanted.intents.length;
  return countInnerCalls(wanted.request.callData ?? '0x');
}

/** Count the calls in an account's call data, of whichever version; one where none are read. */
export function countInnerCalls(callData: Hex): number {
  const counts = entryPointVersions.map(
    (version) => decodeCalls(version, callData)?.length ?? 1,
  );
  return Math.max(...counts);
}

/**
 * Write what is wanted of an account as an operation, as far as it is there.
 *
 * @throws {InvalidParamsError} If it is another account's, or for another entry point.
 */
export function toRequest(wanted: Wanted, account: SmartRecord): OperationRequest {
  const { entryPoint: version } = account;
  if ('intents' in wanted) {
    return { callData: encodeIntents(version, wanted.intents) };
  }
  const { entryPoint } = wanted;
  const request = toPackedRequest(wanted.request, version);
  if (request.sender !== undefined) {
    assertOwnAddress(account, request.sender, 'sender');
  }
  assertOwnEntryPoint(account, entryPoint);
  const { callData } = request;
  if (callData !== undefined) return { ...request, callData };
  throw new InvalidParamsError('callData is missing: what is the operation to do?');
}

/** Get the smart account of a request; the keyring has checked its type. */
export function getSmartAccount(account: AccountRecord): SmartRecord {
  if (account.type === 'eip155:erc4337') return account;
  throw new InternalError('A user operation reached an account of another type.');
}

/** Refuse an operation of another sender, or for another entry point. */
export function assertOwnOperation(
  account: SmartRecord,
  { operation, entryPoint }: OperationParams,
): void {
  assertOwnAddress(account, operation.sender, 'sender');
  assertOwnEntryPoint(account, entryPoint);
}

function assertOwnEntryPoint(
  { address, entryPoint: version }: SmartRecord,
  entryPoint: Hex | undefined,
): void {
  const own = entryPoints[version].entryPoint;
  if (entryPoint === undefined || isSameAddress(entryPoint, own)) return;
  throw new InvalidParamsError(
    `The entry point is ${entryPoint}, but the account ${address} is for ${own} ` +
      `(version ${version}).`,
  );
}

/**
 * Connect the chain of a request that needs a bundler.
 *
 * @throws {UnavailableError} If none is configured.
 */
export async function connectBundled(
  { account, scope }: Pick<MethodRequest, 'account' | 'scope'>,
  { ownChain, connect }: Pick<MethodServices, 'ownChain' | 'connect'>,
): Promise<BundledChain> {
  const chainId = await chooseChain({ account, scope, ownChain });
  const chain = await connect(chainId);
  return { ...chain, bundler: getBundler(chain) };
}
