// wallet_getCapabilities [address?, chainIds?] (EIP-5792): the chains on which a granted account
// can send calls, and how.
import { nullable, optional, tuple } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { TimeoutError } from '../../packages/client/src';
import { withTimeLimit } from '../../packages/client/src/abort';
import { kindOf } from '../accounts/kinds/kinds';
import { serves } from '../accounts/repository';
import type { Chains } from '../chains/chain';
import { fetchDelegation, findOffered } from '../chains/delegation';
import { WAIT_MS } from '../chains/servers';
import { WALLET_LABEL } from '../chains/wallet-node';
import type { AppContext } from '../context';
import { InvalidParamsError, UnavailableError } from '../core/errors';
import { ChainIdStruct } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { AddressStruct, toQuantity } from '../eth/hex';
import { assertNamed, getOnlyAccount, parseEnvelope } from '../request';
import type { SiteRequest } from '../request';
import { tryBriefly } from '../review/ask';
import { parse } from '../schema/parse';
import { list } from '../schema/structs';
import type { AccountRecord } from '../state/account-record';

/** Maximum number of chains to ask MetaMask about, which switches the snap's network for each one.
 * Further chains are left out. */
const MAX_OTHERS = 10;

export const CapabilitiesParamsStruct = tuple([
  optional(nullable(AddressStruct)),
  optional(nullable(list(ChainIdStruct, { max: 1_000 }))),
]);

/** Lists a granted account's capabilities by chain, without chains where it can send nothing. A
 * chain that only MetaMask has is listed only if it is requested or is the default network. Throws
 * `UnauthorizedError` if the account was not granted, `TimeoutError` if a required MetaMask node
 * does not answer. */
export async function getCapabilities(
  { origin, method, params }: SiteRequest,
  { grants, chains }: AppContext,
): Promise<Json> {
  const { account: outer, scope, params: own } = parseEnvelope(method, params);
  const root = `${method}: params`;
  const given: Json[] = Array.isArray(own) ? own : [own];
  if (given.length > 2) {
    throw new InvalidParamsError(`${root}[2] is not expected here.`);
  }
  const both = [given[0], given[1]];
  const [address, chainIds] = parse(both, CapabilitiesParamsStruct, root);
  const named = outer ?? address ?? undefined;
  const wanted = chainIds ?? (scope === undefined ? undefined : [scope]);
  const account =
    named === undefined
      ? getOnlyAccount(method, await grants.list(origin))
      : await grants.require(origin, [named]);
  // The envelope may name a different account.
  if (address) assertNamed(account, address, `${root}[0]`);
  const fetchAll = async (): Promise<Json> => {
    const listed = await chains.list();
    const known = listed.filter((chainId) => wanted?.includes(chainId) ?? true);
    const others = (wanted ?? []).filter((chainId) => !listed.includes(chainId));
    const rows = await Promise.all([
      ...known.map(async (chainId) => toRows(chainId, account, chains)),
      ...others.slice(0, MAX_OTHERS).map(async (chainId) => {
        const found = await toRows(chainId, account, chains);
        return found.length > 0 && (await isServed(chainId, chains)) ? found : [];
      }),
    ]);
    return Object.fromEntries(rows.flat());
  };
  const toError = (): Error => new TimeoutError({ label: WALLET_LABEL }, WAIT_MS);
  return withTimeLimit(fetchAll, WAIT_MS, toError);
}

// Connects to find out whether MetaMask has the chain, because it cannot list its chains.
async function isServed(chainId: ChainId, { connect }: Chains): Promise<boolean> {
  return connect(chainId).then(
    () => true,
    (error: unknown) => {
      if (error instanceof UnavailableError) return false;
      throw error;
    },
  );
}

// A smart account's calls go to a bundler. An ordinary account can make them atomically only in one
// transaction, through the contract it delegates to.
async function toRows(
  chainId: ChainId,
  account: AccountRecord,
  { row, connect }: Chains,
): Promise<[string, Json][]> {
  if (!serves(account, chainId)) return [];
  const isSmart = kindOf(account).smart !== undefined;
  const { bundlerUrl } = await row(chainId);
  if (isSmart && bundlerUrl === undefined) return [];
  const fetch = async (): Promise<'supported' | 'ready' | 'unsupported'> => {
    const chain = await connect(chainId);
    const delegation = await fetchDelegation(chain.node, account.address);
    if (delegation) return delegation.implementation ? 'supported' : 'unsupported';
    return (await findOffered(chain, account.address)) ? 'ready' : 'unsupported';
  };
  const status = isSmart ? 'supported' : ((await tryBriefly(fetch)) ?? 'unsupported');
  const supported = status === 'supported' && bundlerUrl !== undefined;
  const capabilities = {
    atomic: { status },
    paymasterService: { supported },
    gasLimitOverride: { supported: true },
  };
  return [[toQuantity(chainId), capabilities]];
}
