// Reads the params of requests to the mock wallet.
import { isAddress, isHex, numberToHex } from 'viem';
import type { Address, Hex } from 'viem';
import { createSiweMessage } from 'viem/siwe';

import { fail } from './errors';

/** A request, and the chain that it is for. */
export type Asked = { method: string; params: readonly unknown[]; chainId: Hex };

/** A transaction as viem takes it. */
export type Transaction = {
  to?: Address;
  data?: Hex;
  value?: bigint;
  gas?: bigint;
  nonce?: number;
};

/** Reads params; `{ scope, params }` names the chain of a request to the snap. */
export function toAsked(method: string, given: unknown, selected: Hex): Asked {
  if (Array.isArray(given)) return { method, params: given, chainId: selected };
  const { scope, params = [] } = given as { scope?: string; params?: unknown[] };
  if (scope === undefined) return { method, params: [given], chainId: selected };
  return { method, params, chainId: numberToHex(BigInt(scope.replace('eip155:', ''))) };
}

/**
 * Refuses params that are not what the method takes.
 *
 * @throws {ProviderRpcError} -32602.
 */
export function assertParams(isRight: boolean, { method }: Asked): void {
  if (!isRight) fail('invalidParams', `${method}: params are not what it takes.`);
}

/** Refuses to grant or revoke anything but accounts. */
export function assertPermission(asked: Asked): void {
  assertParams(Object.keys(toObject(asked.params[0])).join() === 'eth_accounts', asked);
}

/** Whether a value is an address, whatever its case. */
export function isNamed(value: unknown): value is Address {
  return typeof value === 'string' && isAddress(value, { strict: false });
}

/** Makes an object of a param, to read fields from. */
export function toObject(param: unknown): Record<string, unknown> {
  return Object(param) as Record<string, unknown>;
}

/** Reads the `chainId` of the first param. */
export function readChainId({ method, params }: Asked): Hex {
  const { chainId } = toObject(params[0]);
  if (isHex(chainId)) return numberToHex(BigInt(chainId));
  return fail('invalidParams', `${method}: chainId has to be a hex number.`);
}

/** Reads a typed document, which most libraries send as JSON. */
export function readDocument(given: unknown): unknown {
  try {
    return typeof given === 'string' ? JSON.parse(given) : given;
  } catch {
    return undefined;
  }
}

/** The page that asks; tests in Node have none. */
export function findOrigin(): string {
  return typeof location === 'undefined' ? 'http://localhost' : location.origin;
}

/**
 * Reads what is to be signed in with (ERC-7846).
 *
 * @returns Writes the message for an address.
 */
export function readSignIn(given: unknown, asked: Asked): (address: Address) => string {
  const { nonce, chainId, issuedAt, expirationTime, notBefore, ...rest } =
    toObject(given);
  assertParams(typeof nonce === 'string' && isHex(chainId), asked);
  const origin = findOrigin();
  const toTime = (time: unknown): Date | undefined =>
    time === undefined ? undefined : new Date(time as string);
  return (address) =>
    createSiweMessage({
      domain: new URL(origin).host,
      uri: origin,
      version: '1',
      ...rest,
      address,
      chainId: Number(chainId),
      nonce: String(nonce),
      issuedAt: toTime(issuedAt) ?? new Date(),
      expirationTime: toTime(expirationTime),
      notBefore: toTime(notBefore),
    });
}

/** Reads a transaction or a call. */
export function readTransaction(given: unknown): Transaction {
  const fields = toObject(given) as Record<string, Hex | undefined>;
  const { to, data = fields['input'], nonce } = fields;
  const amounts = ['value', 'gas', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas']
    .filter((name) => fields[name] !== undefined)
    .map((name) => [name, BigInt(fields[name] as Hex)]);
  return {
    ...(to && { to }),
    ...(data && { data }),
    ...(nonce !== undefined && { nonce: Number(nonce) }),
    ...Object.fromEntries(amounts),
  } as Transaction;
}
