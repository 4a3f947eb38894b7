// The tab of accounts: all of them, and one of them with its contract, the sites that see it,
// and the steps of giving its key away or deleting it. What is dangerous has a step of its own.
import type { KeyringAccount } from '@metamask/keyring-api';
import type { EntropySource } from '@metamask/snaps-sdk';
import {
  Address,
  Box,
  Button,
  Copyable,
  Field as FormField,
  Form,
  Heading,
  Input,
  Row,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { BoxElement, SectionElement, TextElement } from '@metamask/snaps-sdk/jsx';

import type { Progress } from '../accounts/range';
import { serves, suggestName } from '../accounts/record';
import type { DamagedRecord } from '../accounts/repository';
import { DEFAULT_GAP } from '../accounts/restore';
import { fetchBalances, fetchDeployments, toNativeAsset } from '../chains/addresses';
import type { Balance, Deployment } from '../chains/addresses';
import { fetchDelegation } from '../chains/delegation';
import type { Delegation } from '../chains/delegation';
import { withTimeLimit } from '../client/abort';
import type { AppContext } from '../context';
import { InvalidParamsError } from '../errors';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { encryptKeystore, MIN_PASSWORD } from '../eth/keystore';
import type { EntryPointVersion } from '../eth/user-operation';
import { submitHome } from '../pipeline';
import { matches, parse } from '../schema/parse';
import { oneOf } from '../schema/structs';
import { ScopeStruct } from '../state/account-record';
import type { AccountRecord, SmartRecord } from '../state/account-record';
import { danger, drawNotices, Field, warning } from '../ui/components';
import { toShownChain, toShownCount, toShownDecimal, toShownLine } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { writeImplementation } from '../ui/words';
import {
  cancelWork,
  create,
  CreateForm,
  drawProgress,
  ImportForm,
  importOne,
  restoreAll,
  RestorePage,
} from './account-forms';
import { ChainChoice, emptySecret, inform, listOf, Pager, toPage } from './tab';
import type { Action, DrawTab, FormState, HomePlace, Tab } from './tab';

/** An account as it is shown; nothing secret is in it. */
type ShownAccount = {
  id: string;
  name: string;
  address: Hex;
  /** Of a smart account. */
  entryPoint?: EntryPointVersion;
  /** There if its contract is a Safe. */
  implementation?: 'safe';
  /** Number of its key, from 0 on; undefined if the key was imported. */
  index?: number;
  /** On the chain that was chosen; undefined if no node tells. */
  balance?: Balance;
  /** Of a smart account on that chain. */
  deployment?: Deployment;
  /** There if it lives in Tollkeeper alone. */
  unlisted?: true;
};

/** An account with all that is known of it. */
export type AccountDetails = ShownAccount & {
  /** Of a smart account: owner, factory, and its chains (CAIP-2) with its state there. */
  contract?: {
    owner: Hex;
    factory: Hex;
    chains: readonly (readonly [string, Deployment])[];
    /** Chains that it could serve as well. */
    others: readonly string[];
  };
  /** Of a standard account, by CAIP-2 chain: whom it delegates to, or that no node tells. */
  delegations?: readonly (readonly [string, Delegation | 'unknown' | undefined])[];
  /** Sites that may see it. */
  origins: readonly string[];
};

/** A stored record that cannot be used, as it is shown. */
export type ShownDamaged = {
  id: string;
  address?: Hex | undefined;
  /** Whether it has an imported key that can be exported. */
  hasKey: boolean;
  problem?: string | undefined;
};

/** A page of accounts. */
type AccountListData = {
  accounts: readonly ShownAccount[];
  damaged: readonly ShownDamaged[];
  page: number;
  pages: number;
  /** The chain that was chosen, CAIP-2; undefined if no node is there. */
  chain: string | undefined;
  chains: readonly string[];
  progress: Progress | undefined;
};

/** A page of accounts as it is drawn. */
export type AccountListView = AccountListData & { translate: Translate };

/** A step of looking at an account or at a record that is damaged. */
type StepView = {
  translate: Translate;
  step: 'show' | 'export' | 'exported' | 'delete';
  /** The key as a keystore file, once it was made. */
  keystore: string | undefined;
  form: FormState;
  minPassword: number;
};

/** What is shown of an account. */
export type AccountView = StepView & { account: AccountDetails };

/** What is shown of a record that is damaged. */
export type DamagedView = StepView & { damaged: ShownDamaged };

/** How long the page waits for nodes, in ms. */
const LIMIT_MS = 5_000;

/** Most sites, and most chains, of an account that are listed. */
const MAX_LISTED = 20;

const EXPORT_FORM = 'home.accounts.export';

const ADD_CHAIN_FORM = 'home.accounts.addChain';

const FormStepStruct = oneOf(['create', 'import', 'restore']);

const AccountStepStruct = oneOf(['show', 'export', 'exported', 'delete']);

/** What is asked about an account before it is done. */
const QuestionStruct = oneOf(['export', 'delete']);

const deploymentKeys: Record<Deployment, TextKey> = {
  deployed: 'accounts.deployed',
  absent: 'accounts.absent',
  unknown: 'accounts.unknown',
};

const actions: Record<string, Action> = {
  list: (_input, place) => listOf(place),
  chain: ({ values }, place) =>
    matches(values.value, ScopeStruct) ? { ...place, chain: values.value } : place,
  show: ({ argument = '' }, place) => ({ ...place, item: argument, step: 'show' }),
  step: ({ argument }, place) =>
    matches(argument, FormStepStruct) ? { ...place, step: argument } : place,
  ask: ({ argument }, place) =>
    matches(argument, QuestionStruct) ? { ...place, step: argument } : place,
  create,
  import: importOne,
  restore: restoreAll,
  cancel: cancelWork,
  export: async ({ values, translate }, place, context) => {
    const { password, again } = values;
    if (typeof password !== 'string' || password !== again) {
      throw new InvalidParamsError(translate('export.differ'));
    }
    // The question was asked on the page, where the key stays under the password.
    const confirmed = async (): Promise<void> => Promise.resolve();
    const { item = '' } = place;
    const { privateKey } =
      (await findImported(item, context)) ??
      (await context.keyring.exportAccount(item, confirmed));
    const keystore = await encryptKeystore(privateKey, password);
    return { ...place, step: 'exported', keystore };
  },
  announce: async ({ argument = '', translate }, place, { keyring, agreement }) => {
    const record = await keyring.getRecord(argument);
    const { address, unlisted } = await agreement.announce(record);
    const key = unlisted ? 'unlisted.refused' : 'unlisted.added';
    return inform(place, translate(key, { address }));
  },
  addChain: changingChains(({ values: { chain } }, scopes) =>
    matches(chain, ScopeStruct) ? [...new Set([...scopes, chain])] : undefined,
  ),
  removeChain: changingChains(({ argument }, scopes) =>
    scopes.filter((scope) => scope !== argument),
  ),
  delegate: delegating('tollkeeper_delegate'),
  revokeDelegation: delegating('tollkeeper_revokeDelegation'),
  discard: async (_input, place, context) => {
    const damaged = await findDamaged(place.item, context);
    if (damaged) await context.store.discard(damaged);
    return listOf(place);
  },
  delete: async ({ translate }, place, { keyring }) => {
    const { address } = await keyring.getRecord(place.item ?? '');
    await keyring.deleteAccount(place.item ?? '');
    return inform(listOf(place), translate('delete.done', { address }));
  },
  revoke: async ({ argument: origin = '', translate }, place, { keyring, grants }) => {
    const { id, address } = await keyring.getRecord(place.item ?? '');
    await grants.revoke(origin, id);
    const values = { origin: toShownLine(origin), address };
    return inform(place, translate('sites.revokedOne', values));
  },
};

/** Accounts. */
export const accountsTab: Tab = {
  label: 'home.tab.accounts',
  isLive: false,
  load: async (place, context) => {
    const { item, step } = place;
    const phrases =
      step === 'create' || step === 'restore' ? await listPhrases(context) : [];
    if (step === 'restore') {
      const progress = context.progress.find();
      return (view) => {
        const { translate } = view;
        return RestorePage({
          translate,
          phrases,
          progress,
          gap: DEFAULT_GAP,
          form: toForm(view),
        });
      };
    }
    const chains = await listScopes(context);
    if (step === 'create' || step === 'import') {
      const draw = step === 'create' ? CreateForm : ImportForm;
      return (view) =>
        draw({ translate: view.translate, chains, phrases, form: toForm(view) });
    }
    const allDamaged = await context.repository.listDamaged();
    const damaged = allDamaged.find(({ id }) => id === item);
    if (damaged) {
      return (view) =>
        DamagedPage({ ...toStep(view), damaged: toShownDamaged(damaged) });
    }
    const records = await context.repository.list().catch((error: unknown) => {
      // Of a document that is refused only imported keys can be had.
      if (allDamaged.length === 0) throw error;
      return [];
    });
    const record = records.find(({ id }) => id === item);
    if (!record) {
      const list = { records, damaged: allDamaged.map(toShownDamaged) };
      const data = await loadList(place, list, { chains, context });
      return ({ translate }) => AccountList({ translate, ...data });
    }
    const chain = place.chain ?? chains[0];
    const account = await loadDetails(record, chain, { chains, context });
    return (view) => AccountPage({ ...toStep(view), account });
  },
  actions,
};

function toStep(view: Parameters<DrawTab>[0]): StepView {
  const { step, keystore } = view.place;
  return {
    translate: view.translate,
    step: matches(step, AccountStepStruct) ? step : 'show',
    keystore,
    form: toForm(view),
    minPassword: MIN_PASSWORD,
  };
}

async function findDamaged(
  item: string | undefined,
  { repository }: AppContext,
): Promise<DamagedRecord | undefined> {
  return (await repository.listDamaged()).find(({ id }) => id === item);
}

// An imported key needs no account that is in order: it is what is left of one that is not.
async function findImported(
  item: string,
  context: AppContext,
): Promise<{ privateKey: Hex } | undefined> {
  const damaged = await findDamaged(item, context);
  const key = damaged ?? (await context.repository.find(item))?.key;
  return key && 'privateKey' in key ? (key as { privateKey: Hex }) : undefined;
}

// The key itself is not shown.
function toShownDamaged({
  id,
  address,
  privateKey,
  problem,
}: DamagedRecord): ShownDamaged {
  return { id, address, problem, hasKey: privateKey !== undefined };
}

// Whatever was said of a form that is still there, it led to nothing.
function toForm({ place, typed }: Parameters<DrawTab>[0]): FormState {
  return { typed, hasFailed: place.notices.length > 0 };
}

function changingChains(
  change: (
    input: Parameters<Action>[0],
    scopes: KeyringAccount['scopes'],
  ) => KeyringAccount['scopes'] | undefined,
): Action {
  return async (input, place, { keyring }) => {
    const account = await keyring.getAccount(place.item ?? '');
    const scopes = change(input, account.scopes);
    if (!scopes) return place;
    await keyring.updateAccount({ ...account, scopes });
    return inform(place, input.translate('accounts.savedChains'));
  };
}

function delegating(
  method: 'tollkeeper_delegate' | 'tollkeeper_revokeDelegation',
): Action {
  return async ({ argument = '', translate }, place, context) => {
    const account = place.item ?? '';
    const params = [{ account, chainId: argument }];
    const scope = toChainId(argument);
    await submitHome({ account, scope, method, params }, context);
    return inform(place, translate('delegation.sent'));
  };
}

// Wallets that cannot list them have their first alone.
async function listPhrases({
  listEntropySources,
}: AppContext): Promise<readonly EntropySource[]> {
  return withTimeLimit(listEntropySources, LIMIT_MS).catch(() => []);
}

// The chains that have a node, CAIP-2; the snap's own network in the wallet first.
async function listScopes({ chains }: AppContext): Promise<string[]> {
  const listed = await withTimeLimit(async () => chains.list(), LIMIT_MS).catch(
    () => [],
  );
  return listed.map((chainId) => toCaip2(chainId));
}

async function loadList(
  place: HomePlace,
  { records, damaged }: { records: AccountRecord[]; damaged: ShownDamaged[] },
  { chains, context }: { chains: readonly string[]; context: AppContext },
): Promise<AccountListData> {
  const { rows, ...where } = toPage([...damaged, ...records], place.page);
  const chain = chains.find((scope) => scope === place.chain) ?? chains[0];
  // Begun in one tick, so that the node gets one batch.
  const accounts = await Promise.all(
    rows
      .filter((row) => 'type' in row)
      .map(async (record) => loadAccount(record, chain, context)),
  );
  return {
    ...where,
    ...{ accounts, damaged: rows.filter((row) => 'hasKey' in row), chain, chains },
    progress: context.progress.find(),
  };
}

async function loadDetails(
  record: AccountRecord,
  chain: string | undefined,
  { chains, context }: { chains: readonly string[]; context: AppContext },
): Promise<AccountDetails> {
  const isOrdinary = record.type === 'eip155:eoa';
  const [account, contract, delegations, grants] = await Promise.all([
    loadAccount(record, chain, context),
    isOrdinary ? undefined : loadContract(record, chains, context),
    isOrdinary ? loadDelegations(record, chains, context) : undefined,
    context.grants.listAll(),
  ]);
  const origins = grants
    .filter(({ accounts }) => accounts.some(({ id }) => id === record.id))
    .map(({ origin }) => origin);
  return {
    ...account,
    origins,
    ...(contract ? { contract } : {}),
    ...(delegations ? { delegations } : {}),
  };
}

async function loadDelegations(
  { address }: AccountRecord,
  chains: readonly string[],
  { connect }: AppContext,
): Promise<NonNullable<AccountDetails['delegations']>> {
  return Promise.all(
    chains.slice(0, MAX_LISTED).map(async (chain) => {
      const found = await withTimeLimit(async () => {
        const { node } = await connect(toChainId(chain));
        return fetchDelegation(node, address);
      }, LIMIT_MS).catch(() => 'unknown' as const);
      return [chain, found] as const;
    }),
  );
}

async function loadAccount(
  record: AccountRecord,
  scope: string | undefined,
  context: AppContext,
): Promise<ShownAccount> {
  const { id, address, key } = record;
  const chainId = scope === undefined ? undefined : toChainId(scope);
  const [balance, deployment] = await Promise.all([
    chainId === undefined ? undefined : findBalance(record, chainId, context),
    chainId === undefined ? undefined : findDeployment(record, chainId, context),
  ]);
  return {
    id,
    address,
    name: suggestName(record),
    ...(record.type === 'eip155:eoa' ? {} : { entryPoint: record.entryPoint }),
    ...('implementation' in record ? { implementation: record.implementation } : {}),
    ...(key.kind === 'derived' ? { index: key.index } : {}),
    ...(record.unlisted ? { unlisted: true } : {}),
    ...(balance ? { balance } : {}),
    ...(deployment ? { deployment } : {}),
  };
}

async function findBalance(
  { address }: AccountRecord,
  chainId: ChainId,
  { chains }: AppContext,
): Promise<Balance | undefined> {
  const { type } = toNativeAsset(chainId);
  const fetch = async (): ReturnType<typeof fetchBalances> =>
    fetchBalances(chains, address, [type]);
  return withTimeLimit(fetch, LIMIT_MS).then(
    (balances) => balances[type],
    () => undefined,
  );
}

async function findDeployment(
  record: AccountRecord,
  chainId: ChainId,
  context: AppContext,
): Promise<Deployment | undefined> {
  if (record.type === 'eip155:eoa' || !serves(record, chainId)) return undefined;
  const found = await findDeployments(record, [chainId], context);
  return found[toCaip2(chainId)] ?? 'unknown';
}

async function findDeployments(
  { address }: SmartRecord,
  chainIds: readonly ChainId[],
  { chains }: AppContext,
): Promise<Record<string, Deployment>> {
  const fetch = async (): ReturnType<typeof fetchDeployments> =>
    fetchDeployments(chains, address, chainIds);
  return withTimeLimit(fetch, LIMIT_MS).catch(() => ({}));
}

async function loadContract(
  record: SmartRecord,
  listed: readonly string[],
  context: AppContext,
): Promise<NonNullable<AccountDetails['contract']>> {
  const { owner, factory, scopes } = record;
  const found = await findDeployments(record, scopes.map(toChainId), context);
  const chains = scopes.map((scope) => [scope, found[scope] ?? 'unknown'] as const);
  const others = listed.filter((scope) => found[scope] === undefined);
  return { owner, factory, chains, others };
}

function toChainId(scope: string): ChainId {
  return parse(scope, ChainIdStruct, 'scope');
}

/** Draws a page of accounts, with what there is to do about accounts as such. */
export function AccountList(view: AccountListView): BoxElement {
  const { translate, accounts, damaged, page, pages, chain, chains, progress } = view;
  return (
    <Box>
      <Heading>{translate('accounts.title')}</Heading>
      {progress ? drawProgress(progress, translate) : null}
      {accounts.length + damaged.length === 0 ? (
        <Text>{translate('accounts.none')}</Text>
      ) : null}
      {damaged.map((each) => (
        <Section>
          {drawDamaged(each, translate)}
          <Button name={`home.accounts.show:${each.id}`} size="sm">
            {translate('accounts.details')}
          </Button>
        </Section>
      ))}
      {accounts.length > 0 && chain !== undefined ? (
        <ChainChoice
          translate={translate}
          name="home.accounts.chain"
          chains={chains}
          value={chain}
        />
      ) : null}
      {accounts.map((account) => (
        <Section>
          <Text fontWeight="bold">{account.name}</Text>
          <Address address={account.address} />
          {drawFacts(account, translate)}
          <Button name={`home.accounts.show:${account.id}`} size="sm">
            {translate('accounts.details')}
          </Button>
        </Section>
      ))}
      <Pager translate={translate} page={page} pages={pages} />
      <Button name="home.accounts.step:create">{translate('accounts.create')}</Button>
      <Button name="home.accounts.step:import">{translate('accounts.import')}</Button>
      <Button name="home.accounts.step:restore">{translate('accounts.restore')}</Button>
    </Box>
  );
}

function nameType(
  { entryPoint: version, implementation }: ShownAccount,
  translate: Translate,
): string {
  if (implementation) return translate('accounts.safe');
  return version === undefined
    ? translate('accounts.eoa')
    : translate('accounts.smart', { version });
}

// What is known of an account beside its name and address.
function drawFacts(account: ShownAccount, translate: Translate): BoxElement {
  const { index, balance, deployment } = account;
  const key =
    index === undefined
      ? translate('accounts.imported')
      : translate('accounts.derived', { number: toShownCount(index + 1, translate) });
  const amount = balance
    ? `${toShownDecimal(balance.amount, translate)} ${balance.unit}`
    : translate('accounts.unknown');
  return (
    <Box>
      <Field label={translate('accounts.type')} value={nameType(account, translate)} />
      <Field label={translate('accounts.key')} value={key} />
      <Field label={translate('accounts.balance')} value={amount} />
      {deployment === undefined ? null : (
        <Field
          label={translate('accounts.contract')}
          value={translate(deploymentKeys[deployment])}
        />
      )}
      {account.unlisted ? (
        <Box direction="horizontal" alignment="space-between">
          <Text color="warning">{translate('unlisted.state')}</Text>
          <Button name={`home.accounts.announce:${account.id}`} size="sm">
            {translate('unlisted.add')}
          </Button>
        </Box>
      ) : null}
    </Box>
  );
}

/** Draws an account, or a question about it. */
export function AccountPage(view: AccountView): BoxElement {
  const { translate, account } = view;
  return (
    <Box>
      <Heading>{account.name}</Heading>
      <Address address={account.address} />
      {steps[view.step](view)}
      <Button name="home.accounts.list">{translate('home.back')}</Button>
    </Box>
  );
}

// A whole document that is refused is named above the tab, and so is what is wrong with it.
function drawDamaged(
  { address, problem }: ShownDamaged,
  translate: Translate,
): BoxElement {
  return (
    <Box>
      <Text fontWeight="bold">{translate('damaged.title')}</Text>
      {address ? <Address address={address} /> : null}
      {problem === undefined ? null : <Text>{toShownLine(problem)}</Text>}
    </Box>
  );
}

/** Draws a record that is damaged, or a question about it. */
export function DamagedPage(view: DamagedView): BoxElement {
  const { translate, damaged } = view;
  return (
    <Box>
      {drawDamaged(damaged, translate)}
      {damagedSteps[view.step](view)}
      <Button name="home.accounts.list">{translate('home.back')}</Button>
    </Box>
  );
}

const damagedSteps: Record<StepView['step'], (view: DamagedView) => BoxElement> = {
  show: drawRescue,
  export: drawExport,
  exported: drawKeystore,
  delete: drawDiscarding,
};

function drawRescue({ translate, damaged }: DamagedView): BoxElement {
  return (
    <Box>
      <Text>{translate('damaged.meaning')}</Text>
      {damaged.hasKey ? (
        <Button name="home.accounts.ask:export">{translate('accounts.export')}</Button>
      ) : null}
      {damaged.problem === undefined ? null : (
        <Button name="home.accounts.ask:delete" variant="destructive">
          {translate('delete.forEver')}
        </Button>
      )}
    </Box>
  );
}

function drawDiscarding({ translate, damaged }: DamagedView): BoxElement {
  const words = damaged.hasKey ? 'delete.imported' : 'damaged.lost';
  return (
    <Box>
      {drawNotices([danger(translate(words))], translate)}
      <Button name="home.accounts.discard" variant="destructive">
        {translate('delete.forEver')}
      </Button>
    </Box>
  );
}

const steps: Record<AccountView['step'], (view: AccountView) => BoxElement> = {
  show: drawAll,
  export: drawExport,
  exported: drawKeystore,
  delete: drawDeletion,
};

function drawAll({ translate, account }: AccountView): BoxElement {
  return (
    <Box>
      {drawFacts(account, translate)}
      {account.contract ? drawContract(account.contract, translate) : null}
      {account.delegations ? drawDelegations(account.delegations, translate) : null}
      {drawOrigins(account.origins, translate)}
      <Button name="home.accounts.ask:export">{translate('accounts.export')}</Button>
      <Button name="home.accounts.ask:delete" variant="destructive">
        {translate('accounts.delete')}
      </Button>
    </Box>
  );
}

function drawContract(
  { owner, factory, chains, others }: NonNullable<AccountDetails['contract']>,
  translate: Translate,
): SectionElement {
  const [other] = others;
  return (
    <Section>
      <Row label={translate('field.owner')}>
        <Address address={owner} />
      </Row>
      <Row label={translate('field.factory')}>
        <Address address={factory} />
      </Row>
      {chains.slice(0, MAX_LISTED).map(([chain, state]) => (
        <Box>
          <Field
            label={toShownChain(chain, translate)}
            value={translate(deploymentKeys[state])}
          />
          {chains.length > 1 ? (
            <Button name={`home.accounts.removeChain:${chain}`} size="sm">
              {translate('settings.remove')}
            </Button>
          ) : null}
        </Box>
      ))}
      {drawHidden('accounts.moreChains', chains.length, translate)}
      {other === undefined ? null : (
        <Form name={ADD_CHAIN_FORM}>
          <ChainChoice
            translate={translate}
            name="chain"
            chains={others}
            value={other}
          />
          <Button name="home.accounts.submit" type="submit">
            {translate('accounts.addChain')}
          </Button>
        </Form>
      )}
    </Section>
  );
}

function drawDelegations(
  delegations: NonNullable<AccountDetails['delegations']>,
  translate: Translate,
): SectionElement {
  return (
    <Section>
      <Text fontWeight="bold">{translate('accounts.delegations')}</Text>
      {delegations.map(([chain, found]) => (
        <Box>
          <Field
            label={toShownChain(chain, translate)}
            value={writeDelegation(found, translate)}
          />
          {typeof found === 'object' ? <Address address={found.address} /> : null}
          {found === 'unknown' ? null : (
            <Button
              name={`home.accounts.${found ? 'revokeDelegation' : 'delegate'}:${chain}`}
              size="sm"
            >
              {translate(found ? 'delegation.revoke' : 'delegation.delegate')}
            </Button>
          )}
        </Box>
      ))}
    </Section>
  );
}

function writeDelegation(
  found: Delegation | 'unknown' | undefined,
  translate: Translate,
): string {
  if (found === 'unknown') return translate('accounts.unknown');
  if (!found) return translate('accounts.notDelegated');
  return writeImplementation(found.implementation, translate);
}

function drawOrigins(origins: readonly string[], translate: Translate): SectionElement {
  return (
    <Section>
      <Text fontWeight="bold">{translate('accounts.sites')}</Text>
      {origins.length === 0 ? <Text>{translate('accounts.noSites')}</Text> : null}
      {origins.slice(0, MAX_LISTED).map((origin) => (
        <Box direction="horizontal" alignment="space-between">
          <Text>{toShownLine(origin)}</Text>
          <Button name={`home.accounts.revoke:${origin}`} size="sm">
            {translate('sites.revokeOne')}
          </Button>
        </Box>
      ))}
      {drawHidden('accounts.moreSites', origins.length, translate)}
    </Section>
  );
}

function drawHidden(
  key: TextKey,
  total: number,
  translate: Translate,
): TextElement | null {
  const hidden = total - MAX_LISTED;
  if (hidden <= 0) return null;
  return <Text>{translate(key, { count: toShownCount(hidden, translate) })}</Text>;
}

function drawExport(view: StepView & Partial<AccountView>): BoxElement {
  const { translate, account, form, minPassword } = view;
  const least = toShownCount(minPassword, translate);
  const secret = emptySecret(form);
  return (
    <Box>
      {drawNotices([danger(translate('export.warning'))], translate)}
      <Text>{translate('export.keystore')}</Text>
      {account?.contract ? <Text>{translate('export.owner')}</Text> : null}
      <Form name={EXPORT_FORM}>
        <FormField label={translate('export.password', { least })}>
          <Input name="password" type="password" {...secret} />
        </FormField>
        <FormField label={translate('export.again')}>
          <Input name="again" type="password" {...secret} />
        </FormField>
        <Button name="home.accounts.submit" type="submit" variant="destructive">
          {translate('export.make')}
        </Button>
      </Form>
    </Box>
  );
}

function drawKeystore({ translate, keystore = '' }: StepView): BoxElement {
  return (
    <Box>
      {drawNotices([warning(translate('export.keep'))], translate)}
      <Copyable value={keystore} />
    </Box>
  );
}

function drawDeletion({ translate, account }: AccountView): BoxElement {
  const isImported = account.index === undefined;
  const notice = isImported
    ? danger(translate('delete.imported'))
    : warning(translate('delete.derived'));
  return (
    <Box>
      {drawNotices([notice], translate)}
      <Text>{translate('delete.meaning')}</Text>
      <Button name="home.accounts.delete" variant="destructive">
        {translate(isImported ? 'delete.forEver' : 'delete.really')}
      </Button>
    </Box>
  );
}
