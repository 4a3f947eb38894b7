// What the tab of accounts shows: the stored accounts without their keys, and what the nodes
// of the chains tell of them, as far as they tell it in time.
import { serves, suggestName } from '../../accounts/record';
import { fetchBalances, fetchDeployments, toNativeAsset } from '../../chains/addresses';
import { withTimeLimit } from '../../client/abort';
import { ChainIdStruct, toCaip2 } from '../../eth/chain';
import type { ChainId } from '../../eth/chain';
import { parse } from '../../schema/parse';
import type { AccountRecord, SmartRecord } from '../../state/account-record';
import type { AccountDetails } from '../../ui/home/account-details';
import type {
  AccountListView,
  ShownAccount,
  ShownDeployment,
} from '../../ui/home/accounts';
import { toPage } from './paging';
import type { HomePlace } from './place';
import type { HomeServices } from './tab';

/** How long the page waits for nodes, in ms. */
const LIMIT_MS = 5_000;

/** List the chains that have a node, CAIP-2; the snap's own network in the wallet first. */
export async function listScopes({
  chains,
}: Pick<HomeServices, 'chains'>): Promise<string[]> {
  const listed = await withTimeLimit(async () => chains.list(), LIMIT_MS).catch(
    () => [],
  );
  return listed.map((chainId) => toCaip2(chainId));
}

/** Load a page of accounts. */
export async function loadAccounts(
  place: HomePlace,
  services: HomeServices,
): Promise<Omit<AccountListView, 'translate'>> {
  const { rows, ...where } = toPage(await services.repository.list(), place.page);
  const scopes = await listScopes(services);
  const chain = scopes.find((scope) => scope === place.chain) ?? scopes[0];
  // Begun in one tick, so that the node gets one batch.
  const accounts = await Promise.all(
    rows.map(async (record) => loadAccount(record, chain, services)),
  );
  return {
    ...where,
    accounts,
    chain,
    chains: scopes,
    progress: services.progress.find(),
  };
}

/** Load an account; undefined if it is there no more. */
export async function loadDetails(
  { item = '', chain }: HomePlace,
  services: HomeServices,
): Promise<AccountDetails | undefined> {
  const record = await services.repository.find(item);
  if (!record) return undefined;
  const listed = await listScopes(services);
  const [account, contract, grants] = await Promise.all([
    loadAccount(record, chain ?? listed[0], services),
    record.type === 'eip155:eoa' ? undefined : loadContract(record, listed, services),
    services.grants.listAll(),
  ]);
  const origins = grants
    .filter(({ accounts }) => accounts.some(({ id }) => id === record.id))
    .map(({ origin }) => origin);
  return { ...account, origins, ...(contract ? { contract } : {}) };
}

async function loadAccount(
  record: AccountRecord,
  scope: string | undefined,
  services: HomeServices,
): Promise<ShownAccount> {
  const { id, address, key } = record;
  const chainId = scope === undefined ? undefined : toChainId(scope);
  const [balance, deployment] = await Promise.all([
    chainId === undefined ? undefined : findBalance(record, chainId, services),
    chainId === undefined ? undefined : findDeployment(record, chainId, services),
  ]);
  return {
    id,
    address,
    name: suggestName(record),
    ...(record.type === 'eip155:eoa' ? {} : { entryPoint: record.entryPoint }),
    ...(key.kind === 'derived' ? { index: key.index } : {}),
    ...(balance ? { balance } : {}),
    ...(deployment ? { deployment } : {}),
  };
}

async function findBalance(
  { address }: AccountRecord,
  chainId: ChainId,
  { chains }: HomeServices,
): Promise<ShownAccount['balance']> {
  const { type } = toNativeAsset(chainId);
  try {
    const fetch = async (): ReturnType<typeof fetchBalances> =>
      fetchBalances(chains, address, [type]);
    return (await withTimeLimit(fetch, LIMIT_MS))[type];
  } catch {
    return undefined;
  }
}

async function findDeployment(
  record: AccountRecord,
  chainId: ChainId,
  services: HomeServices,
): Promise<ShownDeployment | undefined> {
  if (record.type === 'eip155:eoa' || !serves(record, chainId)) return undefined;
  const found = await findDeployments(record, [chainId], services);
  return found[toCaip2(chainId)] ?? 'unknown';
}

async function findDeployments(
  { address }: SmartRecord,
  chainIds: readonly ChainId[],
  { chains }: HomeServices,
): Promise<Record<string, ShownDeployment>> {
  const fetch = async (): ReturnType<typeof fetchDeployments> =>
    fetchDeployments(chains, address, chainIds);
  return withTimeLimit(fetch, LIMIT_MS).catch(() => ({}));
}

async function loadContract(
  record: SmartRecord,
  listed: readonly string[],
  services: HomeServices,
): Promise<NonNullable<AccountDetails['contract']>> {
  const { owner, factory, scopes } = record;
  const found = await findDeployments(record, scopes.map(toChainId), services);
  const chains = scopes.map((scope) => [scope, found[scope] ?? 'unknown'] as const);
  const others = listed.filter((scope) => found[scope] === undefined);
  return { owner, factory, chains, others };
}

function toChainId(scope: string): ChainId {
  return parse(scope, ChainIdStruct, 'scope');
}
