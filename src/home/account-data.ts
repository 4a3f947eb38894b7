// Loads the data of the accounts tab: accounts and damaged records, and the accounts' state on
// chains. If a node does not answer in time, that state is unknown.
import type { EntropySource } from '@metamask/snaps-sdk';

import { tryInTime, withTimeLimit } from '../../packages/client/src/abort';
import type { Progress } from '../accounts/announce';
import { fetchControl } from '../accounts/kinds/control';
import type { Takeover } from '../accounts/kinds/control';
import type { SmartAccount } from '../accounts/kinds/kind';
import { kindOf } from '../accounts/kinds/kinds';
import { createNaming, findPhrase, listPhrases, namePhrase } from '../accounts/phrases';
import { serves } from '../accounts/repository';
import type { DamagedRecord } from '../accounts/repository';
import { fetchBalances, fetchDeployments, toNativeAsset } from '../chains/addresses';
import type { Deployment } from '../chains/addresses';
import { fetchDelegation } from '../chains/delegation';
import type { Delegation } from '../chains/delegation';
import type { AppContext } from '../context';
import { implementations } from '../core/authorization';
import { entryPoints } from '../core/entry-points';
import type { AccountRef } from '../core/payload';
import { toCaip2, toChainId } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import { isSameAddress, toLower, ZERO_ADDRESS } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { toAccountRef, toHeldRef } from '../state/account-record';
import type { AccountRecord } from '../state/account-record';
import type { SentTransaction } from '../state/sent-transaction';
import { toShortHex } from '../ui/format';
import type { Options } from './form';
import { toPage } from './tab';
import type { HomePlace } from './tab';

export type ShownAccount = Awaited<ReturnType<typeof loadAccount>>;

export type FoundDelegation = Delegation & {
  /** Whether the account has no native currency to pay for gas. */
  isPoor: boolean;
  /** The last attempt to revoke or replace the delegation with another account's transaction,
   * unless it has worked. */
  rescue?: Pick<SentTransaction, 'status' | 'settledAt'> | undefined;
};

export type AccountDetails = ShownAccount & {
  /** Only for a smart account. */
  contract?: Awaited<ReturnType<typeof loadContract>> | undefined;
  /** Only for a standard account. */
  delegations?: Awaited<ReturnType<typeof loadDelegations>> | undefined;
  payers: Options;
  origins: readonly string[];
};

export type ShownDamaged = Pick<
  DamagedRecord,
  'id' | 'collection' | 'key' | 'address' | 'problem'
> & {
  hasKey: boolean;
};

export type AccountPageData = {
  accounts: readonly ShownAccount[];
  damaged: readonly ShownDamaged[];
  page: number;
  pages: number;
  /** CAIP-2; undefined if there is no node. */
  chain: string | undefined;
  chains: readonly string[];
  progress: Progress | undefined;
  /** Number of smart accounts in MetaMask's list, on all pages. */
  listedSmart: number;
};

const LIMIT_MS = 5_000;

/** Maximum number of sites, and of chains, to list for an account. */
export const MAX_LISTED = 20;

const MAX_PAYERS = 100;

export async function findDamaged(
  item: string | undefined,
  { repository }: AppContext,
): Promise<DamagedRecord | undefined> {
  return (await repository.listDamaged()).find(({ id }) => id === item);
}

/** Finds the account whose key is exported. An imported key is exported under its own address, even
 * if it belongs to a smart account or a damaged record. */
export async function findExported(
  item: string,
  context: AppContext,
): Promise<AccountRef> {
  const { held, address = held } = (await findDamaged(item, context)) ?? {};
  if (held && address) return toHeldRef(item, held);
  const account = toAccountRef(await context.keyring.getRecord(item));
  const [key] = account.keys;
  return key?.kind === 'imported' ? toHeldRef(`imported.${item}`, key.held) : account;
}

export function toShownDamaged(damaged: DamagedRecord): ShownDamaged {
  const { held, ...shown } = damaged;
  return { ...shown, hasKey: held !== undefined };
}

/** Lists the chains that have a node (CAIP-2), starting with the default network. Returns an empty
 * list if they cannot be listed in time. */
export async function listScopes({ chains }: AppContext): Promise<string[]> {
  return ((await tryInTime(async () => chains.list(), LIMIT_MS)) ?? []).map(toCaip2);
}

export async function loadList(
  place: HomePlace,
  { records, damaged }: { records: AccountRecord[]; damaged: ShownDamaged[] },
  { chains, context }: { chains: readonly string[]; context: AppContext },
): Promise<AccountPageData> {
  const { rows, ...where } = toPage([...damaged, ...records], place.page);
  const chain = chains.find((scope) => scope === place.chain) ?? chains[0];
  // All accounts are loaded in one tick, so that the node gets one batch.
  const accounts = await Promise.all(
    rows
      .filter((row) => 'type' in row)
      .map(async (record) => loadAccount(record, chain, context)),
  );
  return {
    ...where,
    accounts,
    damaged: rows.filter((row) => 'hasKey' in row),
    chain,
    chains,
    progress: context.progress.find(),
    listedSmart: records.filter(isListedSmart).length,
  };
}

/** Returns whether an account is a smart account in MetaMask's list. MetaMask plans to drop this
 * account type. */
export function isListedSmart({ type, unlisted }: AccountRecord): boolean {
  return type !== 'eip155:eoa' && !unlisted;
}

export async function loadDetails(
  record: AccountRecord,
  chain: string | undefined,
  { chains, context }: { chains: readonly string[]; context: AppContext },
): Promise<AccountDetails> {
  const { smart } = kindOf(record);
  const [account, contract, delegations, grants] = await Promise.all([
    loadAccount(record, chain, context),
    smart && loadContract(smart, chains, context),
    smart ? undefined : loadDelegations(record, chains, context),
    context.grants.listAll(),
  ]);
  const origins = grants
    .filter(({ accounts }) => accounts.some(({ id }) => id === record.id))
    .map(({ origin }) => origin);
  const payers = smart ? [] : await listPayers(record, context);
  return { ...account, origins, contract, delegations, payers };
}

async function listPayers(
  { id }: AccountRecord,
  { repository, listEntropySources }: AppContext,
): Promise<Options> {
  const payers = (await repository.list())
    .filter((each) => each.type === 'eip155:eoa' && each.id !== id)
    .slice(0, MAX_PAYERS);
  const nameOf = await createNaming(payers, listEntropySources);
  return payers.map((each) => [each.id, `${nameOf(each)} ${toShortHex(each.address)}`]);
}

// Lists delegations by CAIP-2 chain: `unknown` if no node answers, undefined if there is no
// delegation.
async function loadDelegations(
  { address }: AccountRecord,
  chains: readonly string[],
  { connect, ledger }: AppContext,
) {
  const sent = await ledger.list();
  return Promise.all(
    chains.slice(0, MAX_LISTED).map(async (chain) => {
      const find = async (): Promise<FoundDelegation | undefined> => {
        const { node } = await connect(toChainId(chain));
        const [found, balance] = await Promise.all([
          fetchDelegation(node, address),
          node.request('eth_getBalance', [address, 'latest']),
        ]);
        const last = sent.find(
          (each) => each.chain === chain && isRescue(each, address),
        );
        const hasWorked = found && last && authorizes(last, found.address);
        const rescue = hasWorked ? undefined : last;
        return found && { ...found, isPoor: BigInt(balance) === 0n, rescue };
      };
      const finding = withTimeLimit(find, LIMIT_MS).catch(() => 'unknown' as const);
      return [chain, await finding] as const;
    }),
  );
}

// A rescue is a transaction that another account sent from here: to the rescued account, with its
// revocation, or to an EntryPoint, with a delegation to the contract offered for it. The receipt
// does not say whether the chain applied the authorization.
function isRescue(sent: SentTransaction, account: Hex): boolean {
  const { from, to, raw = '0x' } = sent;
  if (from === account || !raw.includes(account.slice(2)) || to === null) return false;
  if (isSameAddress(to, account)) return authorizes(sent, ZERO_ADDRESS);
  return implementations.some(
    ({ address, entryPoint }) =>
      isSameAddress(to, entryPoints[entryPoint].entryPoint) &&
      authorizes(sent, address),
  );
}

function authorizes({ raw = '0x' }: SentTransaction, delegate: Hex): boolean {
  return raw.startsWith('0x04') && raw.includes(`94${toLower(delegate).slice(2)}`);
}

async function loadAccount(
  record: AccountRecord,
  scope: string | undefined,
  context: AppContext,
) {
  const { id, address, key } = record;
  const { smart } = kindOf(record);
  const chainIds = scope === undefined ? [] : [toChainId(scope)];
  const served = chainIds.filter((each) => smart && serves(record, each));
  const assets = chainIds.map((each) => toNativeAsset(each).type);
  const { listEntropySources } = context;
  const [balances, deployments, nameOf, phrases] = await Promise.all([
    tryInTime(async () => fetchBalances(context.chains, address, assets), LIMIT_MS),
    findDeployments(record, served, context),
    createNaming([record], listEntropySources),
    listPhrases(listEntropySources),
  ]);
  const [balance] = Object.values(balances ?? {});
  const [deployment] = Object.values(deployments);
  return {
    id,
    address,
    /** Undefined if no node answers. */
    balance,
    deployment,
    name: nameOf(record),
    phrase: findPhraseName(record, phrases),
    entryPoint: smart?.entryPoint,
    implementation: smart?.record.implementation,
    /** Undefined if the key was imported. */
    index: key.kind === 'derived' ? key.index : undefined,
    unlisted: record.unlisted,
  };
}

/** Finds the name of an account's phrase if the wallet has several phrases; `missing` if the wallet
 * does not have the account's phrase. */
function findPhraseName(
  record: AccountRecord,
  phrases: readonly EntropySource[],
): { name: string } | 'missing' | undefined {
  if (phrases.length === 0 || record.key.kind !== 'derived') return undefined;
  const phrase = findPhrase(record, phrases);
  if (!phrase) return 'missing';
  return phrases.length > 1 ? { name: namePhrase(phrase, phrases) } : undefined;
}

async function findDeployments(
  { address }: AccountRecord,
  chainIds: readonly ChainId[],
  { chains }: AppContext,
): Promise<Record<string, Deployment>> {
  const unknown = chainIds.map((id) => [toCaip2(id), 'unknown'] as const);
  const fetch = async (): Promise<Record<string, Deployment>> =>
    fetchDeployments(chains, address, chainIds);
  return { ...Object.fromEntries(unknown), ...(await tryInTime(fetch, LIMIT_MS)) };
}

async function loadContract(
  account: SmartAccount,
  listed: readonly string[],
  context: AppContext,
) {
  const { owner, factory, scopes } = account.record;
  const found = await findDeployments(account.record, scopes.map(toChainId), context);
  const others = listed.filter((scope) => found[scope] === undefined);
  const chains = Object.entries(found).map(async ([chain, state], index) => {
    const find = async (): Promise<Takeover | undefined> => {
      const { node } = await context.connect(toChainId(chain));
      return (await fetchControl(account, node)).takeover;
    };
    const isAsked = state === 'deployed' && index < MAX_LISTED;
    const takeover = isAsked ? await tryInTime(find, LIMIT_MS) : undefined;
    return { chain, state, takeover };
  });
  return { owner, factory, chains: await Promise.all(chains), others };
}
