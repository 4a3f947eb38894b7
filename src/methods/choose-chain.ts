// Which chain a request is for: what it names outright, else what its content names, else
// the account's only chain, else the snap's own network in the wallet.
import { scopesOf, serves } from '../accounts/record';
import { InvalidParamsError } from '../errors';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { parse } from '../schema/parse';
import type { AccountRecord } from '../state/account-record';

/** What can name a chain. */
export type ChainHints = {
  account: AccountRecord;
  /** Named outright. */
  scope: ChainId | undefined;
  /** Named by the content: a transaction's or a typed-data domain's chain. */
  named?: ChainId | undefined;
  ownChain: () => Promise<ChainId>;
};

/**
 * Choose the chain of a request.
 *
 * @throws {InvalidParamsError} If the scope and the content name different chains, or the
 * account does not serve the chain.
 */
export async function chooseChain(hints: ChainHints): Promise<ChainId> {
  const { account, scope, named, ownChain } = hints;
  assertSameChain(scope, named);
  const chainId = scope ?? named ?? findOnlyChain(account) ?? (await ownChain());
  assertServed(account, chainId);
  return chainId;
}

/** Refuse content that is for another chain than the one named outright. */
export function assertSameChain(
  scope: ChainId | undefined,
  named: ChainId | undefined,
): void {
  if (scope === undefined || named === undefined || scope === named) return;
  throw new InvalidParamsError(
    `The request is for ${toCaip2(scope)}, but its content is for ${toCaip2(named)}.`,
  );
}

/** Refuse a chain that the account does not serve. */
export function assertServed(account: AccountRecord, chainId: ChainId): void {
  if (serves(account, chainId)) return;
  throw new InvalidParamsError(
    `The account ${account.address} serves ${scopesOf(account).join(', ')}, not ${toCaip2(chainId)}.`,
  );
}

function findOnlyChain(account: AccountRecord): ChainId | undefined {
  const [only, ...others] = scopesOf(account);
  if (others.length > 0 || only === 'eip155:0') return undefined;
  return parse(only, ChainIdStruct, 'scope');
}
