// A dapp's signing request, by wallet_invokeSnap: finds the granted account, then takes
// the same way as MetaMask's requests, with a dialog on it.
import { any, array, boolean, exactOptional } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import {
  InvalidParamsError,
  UnauthorizedError,
  UnsupportedMethodError,
} from '../errors';
import { ChainIdStruct } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { AddressStruct } from '../eth/hex';
import { NonceKeyStruct } from '../eth/operation-nonce';
import type { Keyring } from '../keyring/keyring';
import { findMethod } from '../methods';
import type { Method, OperationOptions, RouteServices } from '../methods';
import { describeUnknown } from '../routes';
import { matches, parse } from '../schema/parse';
import { named, paramObject } from '../schema/structs';
import type { AccountRecord } from '../state/account-record';
import type { Consent } from './consent';
import { findGranted } from './find-granted';
import type { Grants } from './grants';
import type { RateLimit } from './rate-limit';

const AccountStruct = named<string>(
  'an address or the id of an account',
  (value) =>
    matches(value, AddressStruct) ||
    (typeof value === 'string' && /^[0-9a-f-]{36}$/u.test(value)),
);

/** What may be said outright: the params of the method, and which account and chain. */
export const OutrightStruct = paramObject({
  account: exactOptional(AccountStruct),
  scope: exactOptional(ChainIdStruct),
  nonceKey: exactOptional(NonceKeyStruct),
  selfSponsored: exactOptional(boolean()),
  params: array(any()),
});

/** Params, and what was said outright beside them. */
type Outright = {
  account?: string;
  scope?: ChainId;
  options?: OperationOptions;
  params: Json;
};

/** What a dapp's signing request needs. */
export type SigningServices = {
  rateLimit: RateLimit;
  grants: Grants;
  keyring: Keyring;
  consent: Consent;
  methodServices: RouteServices;
};

/**
 * Have a dapp's request signed.
 *
 * @param params - The method's own array, or `{ account?, scope?, params }`.
 * @throws {UnauthorizedError} If the account was not granted to the origin, or is not any
 * more when its user has approved.
 */
export async function handleSigningRequest(
  { origin, method: name, params }: { origin: string; method: string; params: Json },
  { rateLimit, grants, keyring, consent, ...services }: SigningServices,
): Promise<Json> {
  // Filling and estimating ask servers before the user is asked anything.
  rateLimit(origin, 'sign');
  const method = findMethod(name);
  if (!method) throw new UnsupportedMethodError(describeUnknown(name));
  const outright = parseOutright(name, params);
  const methodServices = narrow(services.methodServices, origin, grants);
  const named =
    outright.account === undefined
      ? await method.findAddresses(outright.params, methodServices)
      : [outright.account];
  const account =
    named.length === 0
      ? getOnlyAccount(method, await grants.list(origin))
      : await grants.require(origin, named);
  rateLimit(origin, 'sign', method.countCalls(outright.params));
  return keyring.submitRequest(
    {
      account: account.id,
      origin,
      scope: outright.scope,
      method: name,
      params: outright.params,
      options: outright.options ?? {},
    },
    {
      ...methodServices,
      requireConsent: async (asking) => {
        const approved = await consent.require(origin, asking);
        // The grant can have been taken back while its user was asked.
        await grants.require(origin, [account.id]);
        return approved;
      },
      confirmsItself: true,
      isFromDapp: true,
      mayHoldSecrets: false,
    },
  );
}

function narrow(
  services: RouteServices,
  origin: string,
  grants: Grants,
): RouteServices {
  const { findSent } = services;
  return {
    ...services,
    findSent: async (hash) => findGranted(hash, origin, { grants, findSent }),
  };
}

/** Read params that may be the array of the method or the object that says more. */
export function parseOutright(method: string, params: Json): Outright {
  if (!isObject(params) || Array.isArray(params)) return { params };
  const outright = parse(params, OutrightStruct, `${method}: params`);
  const { nonceKey, selfSponsored, ...others } = outright;
  const options = {
    ...(nonceKey === undefined ? {} : { nonceKey }),
    ...(selfSponsored === undefined ? {} : { selfSponsored }),
  };
  assertTaken(method, options);
  return { ...others, options, params: others.params as Json };
}

function assertTaken(name: string, options: OperationOptions): void {
  const [option] = Object.keys(options);
  if (option === undefined || findMethod(name)?.takesOptions) return;
  throw new InvalidParamsError(`${name}: params.${option} is not expected here.`);
}

/**
 * Get the account that is meant by params that name none: there must be just one.
 *
 * @throws {UnauthorizedError} If there is none.
 * @throws {InvalidParamsError} If there are several.
 */
export function getOnlyAccount(
  { name, accountTypes }: Pick<Method, 'name' | 'accountTypes'>,
  granted: readonly AccountRecord[],
): AccountRecord {
  const [account, ...others] = granted.filter(({ type }) =>
    accountTypes.includes(type),
  );
  if (!account) {
    throw new UnauthorizedError(
      `This origin was granted no account of type ${accountTypes.join(' or ')}. Ask for one with wallet_requestPermissions.`,
    );
  }
  if (others.length === 0) return account;
  throw new InvalidParamsError(
    `This origin was granted ${others.length + 1} accounts that offer ${name}. Say which: ` +
      '{ "account": address or id, "scope"?: CAIP-2 chain, "params": [...] }.',
  );
}
