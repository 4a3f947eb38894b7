// Determines the account and the chain of a request. A request can name them in its envelope and in
// its content; if it names them in both, they must agree.
import { any, array, define, exactOptional } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { scopesOf, serves } from './accounts/repository';
import { InvalidParamsError, UnauthorizedError } from './core/errors';
import { ChainIdStruct, toCaip2 } from './eth/chain';
import type { ChainId } from './eth/chain';
import { AddressStruct, isSameAddress } from './eth/hex';
import { NonceKeyStruct } from './eth/smart-account';
import { offers } from './routes';
import type { Offer } from './routes';
import { matches, parse } from './schema/parse';
import { paramObject } from './schema/structs';
import { accountTypes } from './state/account-record';
import type { AccountRecord } from './state/account-record';

export type SiteRequest = { origin: string; method: string; params: Json };

export const AccountStruct = define<string>(
  'an address or the id of an account',
  (value) =>
    matches(value, AddressStruct) ||
    (typeof value === 'string' && /^[0-9a-f-]{36}$/u.test(value)),
);

/** An envelope around a method's params. It can name the account, the chain and the nonce's key. */
export const EnvelopeStruct = paramObject({
  account: exactOptional(AccountStruct),
  scope: exactOptional(ChainIdStruct),
  nonceKey: exactOptional(NonceKeyStruct),
  params: array(any()),
});

type RequestEnvelope = {
  account?: string;
  scope?: ChainId;
  nonceKey?: bigint;
  params: Json;
};

export function parseEnvelope(
  method: string,
  params: Json,
  takesNonceKey = false,
): RequestEnvelope {
  if (!isObject(params) || Array.isArray(params)) return { params };
  if (!Object.hasOwn(params, 'params')) {
    throw new InvalidParamsError(
      `${method}: params must be an array, or an object { account?, scope?, params }.`,
    );
  }
  const envelope = parse(params, EnvelopeStruct, `${method}: params`);
  if (envelope.nonceKey !== undefined && !takesNonceKey) {
    throw new InvalidParamsError(`${method}: params.nonceKey is not expected here.`);
  }
  return { ...envelope, params: envelope.params as Json };
}

/** Gets the account for params that name none. Exactly one account must offer the method: throws
 * `UnauthorizedError` if none does, `InvalidParamsError` if several do. */
export function getOnlyAccount(
  method: string,
  granted: readonly AccountRecord[],
  route: Offer = {},
): AccountRecord {
  const { accounts: types = accountTypes } = route;
  const [account, ...others] = granted.filter((each) =>
    offers(each, { ...route, accounts: types }),
  );
  if (!account) {
    throw new UnauthorizedError(
      `This origin was granted no account of type ${types.join(' or ')}. Ask for one with wallet_requestPermissions.`,
    );
  }
  if (others.length === 0) return account;
  throw new InvalidParamsError(
    `This origin was granted ${others.length + 1} accounts that offer ${method}. Say which: ` +
      '{ "account": address or id, "scope"?: CAIP-2 chain, "params": [...] }.',
  );
}

/** Throws `InvalidParamsError` if `named`, an address or account id in the params, is not the
 * request's account. */
export function assertNamed(
  { id, address }: AccountRecord,
  named: string,
  field: string,
): void {
  if (named === id || isSameAddress(named, address)) return;
  throw new InvalidParamsError(
    `${field} is ${named}, but the request is for the account ${address}.`,
  );
}

/** Chooses the chain of a request: the one it names directly, else the one in its content, such as
 * a typed-data domain, else the account's only chain, else the default network. Throws
 * `InvalidParamsError` if the request and its content name different chains, or the account does
 * not serve the chain. */
export async function chooseChain(
  {
    account,
    scope,
    chains,
  }: {
    account: AccountRecord;
    scope: ChainId | undefined;
    chains: { own: () => Promise<ChainId> };
  },
  content?: ChainId,
): Promise<ChainId> {
  assertSameChain(scope, content);
  const chainId =
    scope ?? content ?? findOnlyChain(scopesOf(account)) ?? (await chains.own());
  assertServed(account, chainId);
  return chainId;
}

/** Throws `InvalidParamsError` if the content is for a different chain than the request. */
export function assertSameChain(
  scope: ChainId | undefined,
  content: ChainId | undefined,
): void {
  if (scope === undefined || content === undefined || scope === content) return;
  throw new InvalidParamsError(
    `The request is for ${toCaip2(scope)}, but its content is for ${toCaip2(content)}.`,
  );
}

export function assertServed(account: AccountRecord, chainId: ChainId): void {
  if (serves(account, chainId)) return;
  throw new InvalidParamsError(
    `The account ${account.address} serves ${scopesOf(account).join(', ')}, not ${toCaip2(chainId)}.`,
  );
}

export function findOnlyChain(scopes: Iterable<string>): ChainId | undefined {
  const [only, ...others] = new Set(scopes);
  if (only === undefined || others.length > 0 || only === 'eip155:0') return undefined;
  return parse(only, ChainIdStruct, 'scope');
}
