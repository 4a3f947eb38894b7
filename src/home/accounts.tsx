// The tab of accounts: the list, and the page of an account with its contract, its sites, the
// export of its key and its deletion. Dangerous actions take a step of their own.
import type { KeyringAccount } from '@metamask/keyring-api';
import {
  Address,
  Box,
  Button,
  Copyable,
  Heading,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type {
  BoxElement,
  GenericSnapElement,
  SectionElement,
  TextElement,
} from '@metamask/snaps-sdk/jsx';

import type { Deployment } from '../chains/addresses';
import type { Delegation } from '../chains/delegation';
import { InvalidParamsError } from '../errors';
import { toChainId } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import { encryptKeystore, MIN_PASSWORD } from '../eth/keystore';
import { submitHome } from '../pipeline';
import { matches } from '../schema/parse';
import { oneOf } from '../schema/structs';
import { ScopeStruct } from '../state/account-record';
import {
  AddressField,
  danger,
  drawNotices,
  drawRows,
  Field,
  info,
  warning,
} from '../ui/components';
import { toShownChain, toShownDecimal, toShownLine, toShownTime } from '../ui/format';
import { writeImplementation } from '../ui/i18n';
import type { TextKey, Translate } from '../ui/i18n';
import {
  findDamaged,
  findImported,
  listPhrases,
  listScopes,
  loadDetails,
  loadList,
  MAX_LISTED,
  toShownDamaged,
} from './account-data';
import type {
  AccountDetails,
  AccountPageData,
  FoundDelegation,
  ShownAccount,
  ShownDamaged,
} from './account-data';
import {
  cancelWork,
  create,
  CreateForm,
  drawProgress,
  ImportForm,
  importOne,
  restoreAll,
  RestorePage,
  SUBMIT,
} from './account-forms';
import { ChainChoice, chainField, drawForm, readForm } from './form';
import type { ChainView, FormView, HomeForm, Options } from './form';
import { inform, listOf, Pager, Subpage } from './tab';
import type { Action, Tab, TabView } from './tab';

export type AccountListView = AccountPageData & { translate: Translate };

/** A step on the page of an account or of a damaged record. */
type StepView = FormView & {
  step: 'show' | 'export' | 'exported' | 'delete';
  /** The exported key as a keystore file. */
  keystore: string | undefined;
  minPassword: number;
};

export type AccountView = StepView & { account: AccountDetails };

export type DamagedView = StepView & { damaged: ShownDamaged };

const exportForm = {
  name: 'home.accounts.export',
  fields: {
    password: {
      label: ({ translate, minPassword }) =>
        translate('export.password', { least: minPassword }),
      kind: 'secret',
    },
    again: { label: 'export.again', kind: 'secret' },
  },
  submit: { name: SUBMIT, label: 'export.make', variant: 'destructive' },
} as const satisfies HomeForm<StepView>;

const addChainForm = {
  name: 'home.accounts.addChain',
  fields: { chain: chainField },
  submit: { name: SUBMIT, label: 'accounts.addChain' },
} as const satisfies HomeForm<FormView & ChainView>;

const rescueFields = {
  payer: {
    label: 'rescue.payer',
    kind: 'choice',
    options: ({ payers }: { payers: Options }) => payers,
  },
  assets: {
    label: 'rescue.assets',
    kind: 'text',
    hint: '0x… 0x…:7',
    parse: (text: string, { translate }: { translate: Translate }) =>
      text.split(/[\s,]+/u).map((each) => {
        const [, token, id] = /^(0x[\da-f]{40})(?::(\d{1,78}))?$/iu.exec(each) ?? [];
        if (token === undefined) {
          throw new InvalidParamsError(translate('rescue.badAssets'));
        }
        return { token, ...(id !== undefined && { id: toQuantity(BigInt(id)) }) };
      }),
  },
} as const;

/** Has another account pay for the revocation on a chain. */
const toRescueForm = (chain: string): HomeForm<FormView & { payers: Options }> => ({
  name: `home.accounts.rescue:${chain}`,
  fields: rescueFields,
  submit: { name: SUBMIT, label: 'rescue.submit' },
});

const LIST = 'home.accounts.list';

const formSteps = ['create', 'import', 'restore'] as const;

const ButtonStepStruct = oneOf([...formSteps, 'export', 'delete']);

const AccountStepStruct = oneOf(['show', 'export', 'exported', 'delete']);

const deploymentKeys: Record<Deployment, TextKey> = {
  deployed: 'accounts.deployed',
  absent: 'accounts.absent',
  unknown: 'accounts.unknown',
};

const goToStep: Action = ({ argument }, place) =>
  matches(argument, ButtonStepStruct) ? { ...place, step: argument } : place;

const actions: Record<string, Action> = {
  list: (_input, place) => listOf(place),
  chain: ({ values }, place) =>
    matches(values.value, ScopeStruct) ? { ...place, chain: values.value } : place,
  show: ({ argument = '' }, place) => ({ ...place, item: argument, step: 'show' }),
  step: goToStep,
  ask: goToStep,
  create,
  import: importOne,
  restore: restoreAll,
  cancel: cancelWork,
  export: async ({ values, translate }, place, context) => {
    const { password, again } = readForm(exportForm.fields, values, translate);
    if (password === undefined || password !== again) {
      throw new InvalidParamsError(translate('export.differ'));
    }
    // The user has confirmed on the page, where the key stays encrypted with the password.
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
  rescue: delegating('tollkeeper_revokeDelegation'),
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

export const accountsTab: Tab = {
  label: 'home.tab.accounts',
  isLive: false,
  load: async (place, context) => {
    const { item, step } = place;
    if (step === 'restore') {
      const [phrases, progress] = [await listPhrases(context), context.progress.find()];
      return (view) => RestorePage({ ...toFormView(view), phrases, progress });
    }
    const chains = await listScopes(context);
    if (step === 'import') return (view) => ImportForm({ ...toFormView(view), chains });
    if (step === 'create') {
      const phrases = await listPhrases(context);
      return (view) => CreateForm({ ...toFormView(view), chains, phrases });
    }
    const allDamaged = await context.repository.listDamaged();
    const damaged = allDamaged.find(({ id }) => id === item);
    if (damaged) {
      return (view) =>
        DamagedPage({ ...toStep(view), damaged: toShownDamaged(damaged) });
    }
    const records = await context.repository.list().catch((error: unknown) => {
      // Only imported keys can be read from a document that is refused.
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

function toStep(view: TabView): StepView {
  const { step, keystore } = view.place;
  const shown = matches(step, AccountStepStruct) ? step : 'show';
  return { ...toFormView(view), step: shown, keystore, minPassword: MIN_PASSWORD };
}

// A form that is still shown together with a notice has failed.
function toFormView({ translate, place, typed }: TabView): FormView {
  return { translate, form: { typed, hasFailed: place.notices.length > 0 } };
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
  return async ({ argument = '', values, translate }, place, context) => {
    const account = place.item ?? '';
    const { payer, assets } = readForm(rescueFields, values, translate);
    const params = [
      {
        account,
        chainId: argument,
        ...(payer && { payer }),
        ...(assets && { assets }),
      },
    ];
    const scope = toChainId(argument);
    await submitHome({ account: payer ?? account, scope, method, params }, context);
    return inform(place, translate('delegation.sent'));
  };
}

export function AccountList(view: AccountListView): BoxElement {
  const { translate, accounts, damaged, page, pages, chain, chains, progress } = view;
  const drawDetails = (id: string): GenericSnapElement => (
    <Button name={`home.accounts.show:${id}`} size="sm">
      {translate('accounts.details')}
    </Button>
  );
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
          {drawDetails(each.id)}
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
          {drawDetails(account.id)}
        </Section>
      ))}
      <Pager translate={translate} page={page} pages={pages} />
      {formSteps.map((step) => (
        <Button name={`home.accounts.step:${step}`}>
          {translate(`accounts.${step}`)}
        </Button>
      ))}
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

function drawFacts(account: ShownAccount, translate: Translate): BoxElement {
  const { index, balance, deployment } = account;
  const key =
    index === undefined
      ? translate('accounts.imported')
      : translate('accounts.derived', { number: index + 1 });
  const amount = balance
    ? `${toShownDecimal(balance.amount, translate)} ${balance.unit}`
    : translate('accounts.unknown');
  return (
    <Box>
      {drawRows(translate, [
        ['accounts.type', nameType(account, translate)],
        ['accounts.key', key],
        ['accounts.balance', amount],
        ['accounts.contract', deployment && translate(deploymentKeys[deployment])],
      ])}
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

export function AccountPage(view: AccountView): BoxElement {
  const { translate, step, account } = view;
  const isImported = account.index === undefined;
  const loss = isImported
    ? danger(translate('delete.imported'))
    : warning(translate('delete.derived'));
  return (
    <Subpage translate={translate} title={account.name} list={LIST}>
      <Address address={account.address} />
      {step === 'show' ? drawAll(view) : null}
      {step === 'delete' ? (
        <Box>
          {drawNotices([loss], translate)}
          <Text>{translate('delete.meaning')}</Text>
          <Button name="home.accounts.delete" variant="destructive">
            {translate(isImported ? 'delete.forEver' : 'delete.really')}
          </Button>
        </Box>
      ) : null}
      {drawExport(view, account.contract !== undefined)}
    </Subpage>
  );
}

export function DamagedPage(view: DamagedView): BoxElement {
  const { translate, step, damaged } = view;
  const loss = damaged.hasKey ? 'delete.imported' : 'damaged.lost';
  return (
    <Box>
      {drawDamaged(damaged, translate)}
      {step === 'show' ? drawRescue(view) : null}
      {step === 'delete' ? (
        <Box>
          {drawNotices([danger(translate(loss))], translate)}
          <Button name="home.accounts.discard" variant="destructive">
            {translate('delete.forEver')}
          </Button>
        </Box>
      ) : null}
      {drawExport(view, false)}
      <Button name={LIST}>{translate('home.back')}</Button>
    </Box>
  );
}

// The form for an export, or the exported file.
function drawExport(view: StepView, isOwnerKey: boolean): BoxElement | null {
  const { translate, step, keystore = '' } = view;
  if (step === 'exported') {
    return (
      <Box>
        {drawNotices([warning(translate('export.keep'))], translate)}
        <Copyable value={keystore} />
      </Box>
    );
  }
  if (step !== 'export') return null;
  return (
    <Box>
      {drawNotices([danger(translate('export.warning'))], translate)}
      <Text>{translate('export.keystore')}</Text>
      {isOwnerKey ? <Text>{translate('export.owner')}</Text> : null}
      {drawForm(exportForm, view)}
    </Box>
  );
}

// A document that is refused as a whole, and its problem, are shown above the tab.
function drawDamaged(
  { address, problem }: ShownDamaged,
  translate: Translate,
): GenericSnapElement {
  return (
    <Box>
      <Text fontWeight="bold">{translate('damaged.title')}</Text>
      {address ? <Address address={address} /> : null}
      {problem === undefined ? null : <Text>{toShownLine(problem)}</Text>}
    </Box>
  );
}

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

function drawAll({ translate, form, account }: AccountView): BoxElement {
  const { contract, delegations, origins } = account;
  return (
    <Box>
      {drawFacts(account, translate)}
      {contract ? drawContract(contract, { translate, form }) : null}
      {delegations
        ? drawDelegations(delegations, { ...account, translate, form })
        : null}
      {drawOrigins(origins, translate)}
      <Button name="home.accounts.ask:export">{translate('accounts.export')}</Button>
      <Button name="home.accounts.ask:delete" variant="destructive">
        {translate('accounts.delete')}
      </Button>
    </Box>
  );
}

function drawContract(
  { owner, factory, chains, others }: NonNullable<AccountDetails['contract']>,
  view: FormView,
): SectionElement {
  const { translate } = view;
  return (
    <Section>
      <AddressField label={translate('field.owner')} address={owner} />
      <AddressField label={translate('field.factory')} address={factory} />
      {chains.slice(0, MAX_LISTED).map(([chain, state]) => (
        <Box>
          <Field label={toShownChain(chain)} value={translate(deploymentKeys[state])} />
          {chains.length > 1 ? (
            <Button name={`home.accounts.removeChain:${chain}`} size="sm">
              {translate('settings.remove')}
            </Button>
          ) : null}
        </Box>
      ))}
      {drawHidden('accounts.moreChains', chains.length, translate)}
      {others.length === 0 ? null : drawForm(addChainForm, { ...view, chains: others })}
    </Section>
  );
}

function drawDelegations(
  delegations: NonNullable<AccountDetails['delegations']>,
  view: FormView & { payers: Options },
): SectionElement {
  const { translate } = view;
  return (
    <Section>
      <Text fontWeight="bold">{translate('accounts.delegations')}</Text>
      {delegations.map(([chain, found]) => (
        <Box>
          <Field
            label={toShownChain(chain)}
            value={writeDelegation(found, translate)}
          />
          {typeof found === 'object' ? drawDelegation(chain, found, view) : null}
          {found === undefined ? (
            <Button name={`home.accounts.delegate:${chain}`} size="sm">
              {translate('delegation.delegate')}
            </Button>
          ) : null}
        </Box>
      ))}
    </Section>
  );
}

function drawDelegation(
  chain: string,
  { address, isPoor, rescue }: FoundDelegation,
  view: FormView & { payers: Options },
): BoxElement {
  const { translate, payers } = view;
  const time = toShownTime(rescue?.settledAt ?? 0, translate);
  const notices = [
    ...(rescue?.status === 'pending' ? [info(translate('rescue.pending'))] : []),
    ...(rescue?.status === 'included'
      ? [warning(translate('rescue.failed', { time }))]
      : []),
    ...(isPoor ? [info(translate('rescue.hint'))] : []),
  ];
  const rescuing = payers.length > 0 ? drawForm(toRescueForm(chain), view) : null;
  return (
    <Box>
      <Address address={address} />
      {drawNotices(notices, translate)}
      {isPoor ? rescuing : null}
      <Button name={`home.accounts.revokeDelegation:${chain}`} size="sm">
        {translate('delegation.revoke')}
      </Button>
      {isPoor ? null : rescuing}
    </Box>
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
  return <Text>{translate(key, { count: hidden })}</Text>;
}
