// The accounts tab: the list, and an account's page with its contract, sites, key export and
// deletion. Dangerous actions have a separate step.
import type { KeyringAccount } from '@metamask/keyring-api';
import {
  Address,
  Box,
  Button,
  CollapsibleSection,
  Copyable,
  Heading,
  Row,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type {
  BoxElement,
  CollapsibleSectionElement,
  GenericSnapElement,
  SectionElement,
} from '@metamask/snaps-sdk/jsx';

import type { Takeover } from '../accounts/kinds/control';
import { listPhrases } from '../accounts/phrases';
import { InvalidParamsError } from '../core/errors';
import { toChainId } from '../eth/chain';
import { toQuantity } from '../eth/hex';
import { encryptKeystore, MIN_PASSWORD } from '../eth/keystore';
import { submitHome } from '../pipeline';
import { matches } from '../schema/parse';
import { oneOf } from '../schema/structs';
import { ScopeStruct } from '../state/account-record';
import {
  bindButton,
  danger,
  DESTRUCTIVE,
  drawNotices,
  drawRows,
  Field,
  info,
  SMALL,
  warning,
} from '../ui/components';
import type { Notice } from '../ui/components';
import { toShownChain, toShownDecimal, toShownLine, toShownTime } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import {
  findDamaged,
  findExported,
  isListedSmart,
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
import type { ChainView, FormField, FormView, HomeForm, Options } from './form';
import { inform, returnToList, Pager, Subpage, toFailure } from './tab';
import type { Action, Tab, TabView } from './tab';

export type AccountListView = AccountPageData & { translate: Translate };

type StepView = FormView & {
  step: 'show' | 'export' | 'exported' | 'delete';
  keystore: string | undefined;
};

export type AccountView = StepView & { account: AccountDetails };

type DamagedView = StepView & { damaged: ShownDamaged };

const exportForm = {
  name: 'home.accounts.export',
  fields: {
    password: {
      label: ({ translate }) => translate('export.password', { least: MIN_PASSWORD }),
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

const assetsField = <View,>(label: TextKey, form: RegExp) =>
  ({
    label,
    kind: 'text',
    parse: (text, { translate }) =>
      text.split(/[\s,]+/u).map((each) => {
        const [, token, id] = form.exec(each) ?? [];
        if (token === undefined) {
          throw new InvalidParamsError(translate('rescue.badAssets'));
        }
        return { token, ...(id !== undefined && { id: toQuantity(BigInt(id)) }) };
      }),
  }) as const satisfies FormField<View>;

const rescueFields = {
  payer: {
    label: 'rescue.payer',
    kind: 'choice',
    options: ({ payers }: { payers: Options }) => payers,
  },
  tokens: assetsField('rescue.tokens', /^(0x[\da-f]{40})$/iu),
  nfts: assetsField('rescue.nfts', /^(0x[\da-f]{40}):(\d{1,78})$/iu),
} as const;

const toRescueForm = (chain: string): HomeForm<FormView & { payers: Options }> => ({
  name: `home.accounts.rescue:${chain}`,
  fields: rescueFields,
  submit: { name: SUBMIT, label: 'delegation.revoke' },
});

const LIST = 'home.accounts.list';

const formSteps = ['create', 'import', 'restore'] as const;

const ButtonStepStruct = oneOf([...formSteps, 'export', 'delete']);

const AccountStepStruct = oneOf(['show', 'export', 'exported', 'delete']);

const goToStep: Action = ({ argument }, place) =>
  matches(argument, ButtonStepStruct) ? { ...place, step: argument } : place;

const actions: Record<string, Action> = {
  list: (_input, place) => returnToList(place),
  chain: ({ values }, place) =>
    matches(values.value, ScopeStruct) ? { ...place, chain: values.value } : place,
  show: ({ argument = '' }, place) => ({ ...place, item: argument, step: 'show' }),
  step: goToStep,
  ask: goToStep,
  // The chosen type decides which fields are shown.
  kind: (_input, place) => place,
  create,
  import: importOne,
  restore: restoreAll,
  cancel: cancelWork,
  export: async ({ values, translate, decided }, place, context) => {
    const { password, again } = readForm(exportForm.fields, values, translate);
    if (password === undefined || password !== again) {
      throw new InvalidParamsError(translate('export.differ'));
    }
    // The user has confirmed on this page. The key is shown only encrypted with the password.
    const { core } = context;
    const account = await findExported(place.item ?? '', context);
    const approval = core.acceptDecided(
      [{ account, payload: { kind: 'key' } }],
      decided,
    );
    const privateKey = await core.exportKey(approval);
    const keystore = await encryptKeystore(privateKey, password);
    return { ...place, step: 'exported', keystore };
  },
  announce: async ({ argument = '', translate }, place, { keyring, agreement }) => {
    const record = await keyring.getRecord(argument);
    const { address, unlisted } = await agreement.announce(record);
    const key = unlisted ? 'unlisted.refused' : 'unlisted.added';
    return inform(place, translate(key, { address }));
  },
  withdraw: async ({ argument = '', translate }, place, { keyring, agreement }) => {
    const record = await keyring.getRecord(argument);
    await agreement.withdraw(record);
    return inform(place, translate('listing.done', { address: record.address }));
  },
  withdrawAll: async ({ translate }, place, { repository, agreement }) => {
    const listed = (await repository.list()).filter(isListedSmart);
    const failures: Notice[] = [];
    for (const record of listed) {
      await agreement.withdraw(record).catch((error: unknown) => {
        failures.push(toFailure(error, translate));
      });
    }
    const count = String(listed.length - failures.length);
    const done = info(translate('listing.allDone', { count }));
    return { ...place, notices: [done, ...failures] };
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
    return returnToList(place);
  },
  delete: async ({ translate }, place, { keyring }) => {
    const { address } = await keyring.getRecord(place.item ?? '');
    await keyring.deleteAccount(place.item ?? '');
    return inform(returnToList(place), translate('delete.done', { address }));
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
      const phrases = await listPhrases(context.listEntropySources);
      const progress = context.progress.find();
      return (view) => RestorePage({ ...toFormView(view), phrases, progress });
    }
    const chains = await listScopes(context);
    if (step === 'import') return (view) => ImportForm({ ...toFormView(view), chains });
    if (step === 'create') {
      const phrases = await listPhrases(context.listEntropySources);
      return (view) => CreateForm({ ...toFormView(view), chains, phrases });
    }
    const allDamaged = await context.repository.listDamaged();
    const damaged = allDamaged.find(({ id }) => id === item);
    if (damaged) {
      return (view) =>
        DamagedPage({ ...toStep(view), damaged: toShownDamaged(damaged) });
    }
    const records = await context.repository.list().catch((error: unknown) => {
      // If the document cannot be read, only its imported keys can be shown.
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
  return { ...toFormView(view), step: shown, keystore };
}

// A form with secrets has failed if it is shown next to a notice.
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
    const { payer, tokens = [], nfts = [] } = readForm(rescueFields, values, translate);
    const assets = [...tokens, ...nfts];
    const rescue = { ...(payer && { payer }), ...(assets.length > 0 && { assets }) };
    const params = [{ account, chainId: argument, ...rescue }];
    const scope = toChainId(argument);
    await submitHome({ account: payer ?? account, scope, method, params }, context);
    return inform(place, translate('delegation.sent'));
  };
}

export function AccountList(view: AccountListView): BoxElement {
  const { translate, accounts, damaged, page, pages, chain, progress } = view;
  const { listedSmart } = view;
  const button = bindButton(translate);
  return (
    <Box>
      <Heading>{translate('accounts.title')}</Heading>
      {progress ? drawProgress(progress, translate) : null}
      {listedSmart > 0 ? (
        <Section>
          <Text color="warning">{translate('listing.risk')}</Text>
          <Button name="home.accounts.withdrawAll">
            {translate('listing.takeAll', { count: String(listedSmart) })}
          </Button>
        </Section>
      ) : null}
      {accounts.length + damaged.length === 0 ? (
        <Text>{translate('accounts.none')}</Text>
      ) : null}
      {damaged.map((each) => (
        <Section>
          {drawDamaged(each, translate)}
          {button(`home.accounts.show:${each.id}`, 'accounts.details', SMALL)}
        </Section>
      ))}
      {accounts.length > 0 && chain !== undefined ? (
        <ChainChoice name="home.accounts.chain" {...view} value={chain} />
      ) : null}
      {accounts.map((account) => (
        <Section>
          <Text fontWeight="bold">{account.name}</Text>
          <Address address={account.address} />
          {drawFacts(account, translate)}
          {button(`home.accounts.show:${account.id}`, 'accounts.details', SMALL)}
        </Section>
      ))}
      <Pager translate={translate} page={page} pages={pages} />
      {formSteps.map((step) =>
        button(`home.accounts.step:${step}`, `accounts.${step}`),
      )}
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
  const { id, index, phrase, balance, deployment, unlisted } = account;
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
        [
          'accounts.phrase',
          phrase === 'missing'
            ? translate('accounts.phraseMissing')
            : phrase && toShownLine(phrase.name),
        ],
        ['accounts.balance', amount],
        ['accounts.contract', deployment && translate(`accounts.${deployment}`)],
      ])}
      {unlisted ? (
        <Box direction="horizontal" alignment="space-between">
          <Text color="warning">{translate('unlisted.state')}</Text>
          {bindButton(translate)(`home.accounts.announce:${id}`, 'unlisted.add', SMALL)}
        </Box>
      ) : account.entryPoint ? (
        bindButton(translate)(`home.accounts.withdraw:${id}`, 'listing.take', SMALL)
      ) : null}
    </Box>
  );
}

export function AccountPage(view: AccountView): BoxElement {
  const { translate, step, account } = view;
  const { name, address, index, contract } = account;
  const isImported = index === undefined;
  const loss = isImported
    ? danger(translate('delete.imported'))
    : warning(translate('delete.derived'));
  const label = isImported ? 'delete.forEver' : 'delete.really';
  return (
    <Subpage translate={translate} title={name} list={LIST}>
      <Address address={address} />
      {step === 'show' ? drawAll(view) : null}
      {step === 'delete' ? (
        <Box>
          {drawNotices([loss], translate)}
          <Text>{translate('delete.meaning')}</Text>
          {bindButton(translate)('home.accounts.delete', label, DESTRUCTIVE)}
        </Box>
      ) : null}
      {drawExport(view, contract !== undefined)}
    </Subpage>
  );
}

export function DamagedPage(view: DamagedView): BoxElement {
  const { translate, step, damaged } = view;
  const { hasKey, problem } = damaged;
  const loss = danger(translate(hasKey ? 'delete.imported' : 'damaged.lost'));
  const button = bindButton(translate);
  return (
    <Box>
      {drawDamaged(damaged, translate)}
      {step === 'show' ? (
        <Box>
          {isAccountLost(damaged) ? <Text>{translate('damaged.restore')}</Text> : null}
          {problem === undefined ? null : (
            <CollapsibleSection label={translate('damaged.reason')}>
              <Text>{toShownLine(problem)}</Text>
            </CollapsibleSection>
          )}
          {hasKey ? button('home.accounts.ask:export', 'accounts.export') : null}
          {problem === undefined
            ? null
            : button('home.accounts.ask:delete', 'delete.forEver', DESTRUCTIVE)}
        </Box>
      ) : null}
      {step === 'delete' ? (
        <Box>
          {drawNotices([loss], translate)}
          {button('home.accounts.discard', 'delete.forEver', DESTRUCTIVE)}
        </Box>
      ) : null}
      {drawExport(view, false)}
      {button(LIST, 'home.back')}
    </Box>
  );
}

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

// If the whole document is damaged, its problem is shown above the tab, not with each record.
function drawDamaged(damaged: ShownDamaged, translate: Translate): GenericSnapElement {
  const { address, problem } = damaged;
  return (
    <Box>
      <Text fontWeight="bold">{translate('damaged.title')}</Text>
      {address ? <Address address={address} /> : null}
      {problem === undefined ? null : <Text>{explainLoss(damaged, translate)}</Text>}
    </Box>
  );
}

function explainLoss(damaged: ShownDamaged, translate: Translate): string {
  const { collection, key } = damaged;
  const name = toShownLine(String(key));
  if (collection === 'grants') return translate('damaged.site', { site: name });
  if (collection === 'chains') {
    return translate('damaged.chain', { chain: toShownChain(name) });
  }
  return translate(isAccountLost(damaged) ? 'damaged.account' : 'damaged.other');
}

function isAccountLost({ collection }: ShownDamaged): boolean {
  return collection === 'accounts' || collection === 'unsettled';
}

function drawAll(view: AccountView): BoxElement {
  const { translate, account } = view;
  const { contract, delegations, origins } = account;
  const button = bindButton(translate);
  return (
    <Box>
      {drawFacts(account, translate)}
      {contract ? drawContract(contract, view) : null}
      {delegations ? drawDelegations(delegations, view) : null}
      <Section>
        <Text fontWeight="bold">{translate('accounts.sites')}</Text>
        {origins.length === 0 ? <Text>{translate('accounts.noSites')}</Text> : null}
        {origins.slice(0, MAX_LISTED).map((origin) => (
          <Row label={toShownLine(origin)}>
            {button(`home.accounts.revoke:${origin}`, 'sites.revokeOne', SMALL)}
          </Row>
        ))}
        {drawHidden('accounts.moreSites', origins.length, translate)}
      </Section>
      {button('home.accounts.ask:export', 'accounts.export')}
      {button('home.accounts.ask:delete', 'accounts.delete', DESTRUCTIVE)}
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
      {drawRows(translate, [
        ['field.owner', { address: owner }],
        ['field.factory', { address: factory }],
      ])}
      {chains.slice(0, MAX_LISTED).map(({ chain, state, takeover }) => (
        <Box>
          <Field label={toShownChain(chain)} value={translate(`accounts.${state}`)} />
          {drawTakeover(chain, takeover, translate)}
          {chains.length > 1 ? (
            <Button name={`home.accounts.removeChain:${chain}`} {...SMALL}>
              {translate('chain.remove', { name: toShownChain(chain) })}
            </Button>
          ) : null}
        </Box>
      ))}
      {drawHidden('accounts.moreChains', chains.length, translate)}
      {others.length === 0 ? null : drawForm(addChainForm, { ...view, chains: others })}
    </Section>
  );
}

function drawTakeover(
  chain: string,
  takeover: Takeover | undefined,
  translate: Translate,
): BoxElement | null {
  if (takeover === undefined) return null;
  const text = translate(`takeover.${takeover}`, { chain: toShownChain(chain) });
  return <Box>{drawNotices([danger(text)], translate)}</Box>;
}

function drawDelegations(
  delegations: NonNullable<AccountDetails['delegations']>,
  view: AccountView,
): BoxElement {
  const { translate } = view;
  const button = bindButton(translate);
  return (
    <Box>
      <Text fontWeight="bold">{translate('accounts.delegations')}</Text>
      {delegations.map(([chain, found]) => {
        const label = toShownChain(chain);
        if (found === 'unknown') {
          return <Field label={label} value={translate('accounts.unknown')} />;
        }
        if (found) return drawDelegation(chain, found, view);
        return (
          <Row label={`${label}: ${translate('accounts.notDelegated')}`}>
            {button(`home.accounts.delegate:${chain}`, 'delegation.delegate', SMALL)}
          </Row>
        );
      })}
    </Box>
  );
}

function drawDelegation(
  chain: string,
  { address, implementation, isPoor, rescue }: FoundDelegation,
  view: AccountView,
): CollapsibleSectionElement {
  const { translate } = view;
  const time = toShownTime(rescue?.settledAt ?? 0, translate);
  const isKnown = implementation !== undefined;
  const notices = [
    ...(isKnown ? [] : [danger(translate('delegation.unknown'))]),
    ...(rescue?.status === 'pending' ? [info(translate('rescue.pending'))] : []),
    ...(rescue?.status === 'included'
      ? [warning(translate('rescue.failed', { time }))]
      : []),
    ...(isPoor ? [info(translate('rescue.hint'))] : []),
  ];
  const rescuing = drawRescue(chain, view);
  const name = `home.accounts.revokeDelegation:${chain}`;
  const delegate = implementation?.name ?? translate('delegation.foreign');
  return (
    <CollapsibleSection
      label={`${toShownChain(chain)}: ${delegate}`}
      isExpanded={!isKnown}
    >
      <Address address={address} />
      {drawNotices(notices, translate)}
      {isPoor && rescuing
        ? null
        : bindButton(translate)(name, 'delegation.revoke', SMALL)}
      {rescuing}
    </CollapsibleSection>
  );
}

function drawRescue(chain: string, view: AccountView): GenericSnapElement | null {
  const { payers } = view.account;
  if (payers.length === 0) return null;
  return (
    <Box>
      <Text fontWeight="bold">{view.translate('rescue.title')}</Text>
      {drawForm(toRescueForm(chain), { ...view, payers })}
    </Box>
  );
}

function drawHidden(
  key: TextKey,
  total: number,
  translate: Translate,
): GenericSnapElement | null {
  const hidden = total - MAX_LISTED;
  return hidden > 0 ? <Text>{translate(key, { count: hidden })}</Text> : null;
}
