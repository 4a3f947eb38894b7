// The settings tab: general settings, and each chain's servers. Saving has the same effect as
// tollkeeper_setSettings and tollkeeper_setChain, but without a dialog, because the form is the
// user's consent.
import { Box, Heading, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { findNextRow, getChains, removeChain } from '../chains/configuration';
import type { Finding, ServerFacts } from '../chains/probe';
import type { AppContext } from '../context';
import { InvalidParamsError, TollkeeperError } from '../core/errors';
import { ChainIdStruct, toCaip2 } from '../eth/chain';
import { changeSettings, configureChain } from '../management';
import { matches, parse, validate } from '../schema/parse';
import { ScopeStruct } from '../state/account-record';
import type { ChainRow } from '../state/chain-row';
import type { PrivateState } from '../state/private-state';
import {
  bindButton,
  danger,
  DESTRUCTIVE,
  drawNotices,
  drawRows,
  info,
  SMALL,
  warning,
} from '../ui/components';
import type { LabeledValue, Notice } from '../ui/components';
import { toShownChain, toRoundedFee, toShownLine } from '../ui/format';
import { levelNames, modeKeys } from '../ui/i18n';
import type { Translate } from '../ui/i18n';
import {
  CHAIN_FORM,
  ChainForm,
  labelOf,
  listServers,
  ServerFieldStruct,
  toChanges,
} from './chain-form';
import { drawForm, readForm } from './form';
import type { FormView, HomeForm } from './form';
import { inform, returnToList, Pager, Subpage, toPage } from './tab';
import type { Action, HomePlace, ListView, Tab } from './tab';

export type SettingsView = FormView &
  ListView & {
    settings: PrivateState['settings'];
    /** Chains (CAIP-2), with their servers for display. */
    chains: readonly { chain: string; servers: readonly LabeledValue[] }[];
  };

const settingsForm = {
  name: 'home.settings.save',
  fields: {
    feeLevel: {
      label: 'settings.feeLevel',
      kind: 'choice',
      options: ({ translate }) =>
        levelNames.map((name) => [name, translate(`level.${name}`)]),
    },
    approvalMode: {
      label: 'settings.approvalMode',
      kind: 'choice',
      options: ({ translate }) =>
        Object.entries(modeKeys).map(([mode, key]) => [mode, translate(key)]),
    },
    secondConfirmation: { label: 'settings.secondConfirmation', kind: 'box' },
    notifications: { label: 'settings.notifications', kind: 'box' },
    prices: { label: 'settings.prices', kind: 'box' },
  },
  submit: { name: 'home.settings.submit:save', label: 'settings.save' },
} as const satisfies HomeForm<FormView>;

const addForm = {
  name: 'home.settings.add',
  fields: { chain: { label: 'settings.chainId', kind: 'text', hint: '11155111' } },
  submit: { name: 'home.settings.submit:add', label: 'settings.add' },
} as const satisfies HomeForm<FormView>;

const MAX_NAMED = 5;

const actions: Record<string, Action> = {
  list: (_input, place) => returnToList(place),
  save: async ({ values, translate }, place, { store }) => {
    const params = readForm(settingsForm.fields, values, translate);
    await changeSettings(params as Json, store);
    return inform(returnToList(place), translate('settings.saved'));
  },
  add: ({ values, translate }, place) => {
    const { chain } = readForm(addForm.fields, values, translate);
    const read = validate(chain, ChainIdStruct);
    if ('value' in read) return edit(place, toCaip2(read.value));
    throw new InvalidParamsError(translate('settings.noChainId'));
  },
  edit: ({ argument }, place) =>
    matches(argument, ScopeStruct) ? edit(place, argument) : place,
  askRemove: ({ argument }, place) =>
    matches(argument, ScopeStruct)
      ? { ...place, item: argument, step: 'remove' }
      : place,
  remove: async ({ translate }, place, { store, chains }) => {
    const { item = '' } = place;
    await removeChain(item, store);
    await chains.applyChanges();
    const values = { chain: toShownChain(item) };
    return inform(returnToList(place), translate('settings.removed', values));
  },
  saveChain: async ({ values, translate }, place, context) => {
    const params = await readParams(values, { place, translate, context });
    await inFormWords(translate, async () => configureChain(params, context));
    const shown = { chain: toShownChain(place.item ?? '') };
    return inform(returnToList(place), translate('settings.savedChain', shown));
  },
  test: async ({ argument, values, translate }, place, context) => {
    if (!matches(argument, ServerFieldStruct)) return place;
    const typed = (values[CHAIN_FORM] ?? {}) as Record<string, Json>;
    const params = await readParams(typed, { place, translate, context });
    const finding = await inFormWords(translate, async () => {
      const next = await findNextRow(params, context.store);
      return context.examine({ ...next, field: argument });
      // oxlint-disable-next-line typescript/no-misused-promises -- finally() awaits it.
    }).finally(context.chains.applyChanges);
    const server = translate(`chain.${argument}`);
    return { ...place, notices: describeFinding(server, finding, translate) };
  },
};

export const settingsTab: Tab = {
  label: 'home.tab.settings',
  isLive: false,
  load: async (place, context) => {
    const { item: chain, step } = place;
    if (chain !== undefined && step === 'remove') {
      return ({ translate }) => RemoveChainPage({ translate, chain });
    }
    const hasFailed = place.notices.some(({ severity }) => severity === 'danger');
    if (chain !== undefined && step === 'chain') {
      const row = await getRow(chain, context);
      return ({ translate, typed }) =>
        ChainForm({ translate, chain, row, form: { typed, hasFailed } });
    }
    const { rows, ...where } = toPage(await getChains(context.store), place.page);
    const chains = rows.map((row) => ({
      chain: row.chainId,
      servers: listServers(row),
    }));
    const { settings } = await context.store.read();
    const data = { settings, chains, ...where };
    return ({ translate, typed }) =>
      SettingsPage({ translate, ...data, form: { typed, hasFailed } });
  },
  actions,
};

function edit(place: HomePlace, chain: string): HomePlace {
  return { ...place, item: chain, step: 'chain' };
}

async function getRow(chain: string, { store }: AppContext): Promise<ChainRow> {
  const { chains } = await store.read();
  return chains[parse(chain, ScopeStruct, 'chain')] ?? {};
}

async function readParams(
  values: Record<string, Json>,
  about: { place: HomePlace; translate: Translate; context: AppContext },
): Promise<Record<string, Json>> {
  const { item: chainId = '' } = about.place;
  const row = await getRow(chainId, about.context);
  return { chainId, ...toChanges(values, row, about.translate) };
}

// Replaces the field's name at the start of the method's errors with the form's label.
async function inFormWords<Result>(
  translate: Translate,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    if (!(cause instanceof TollkeeperError)) throw cause;
    const [named, name = ''] =
      /^tollkeeper_setChain: params\.(\w+)/u.exec(cause.message) ?? [];
    const label = labelOf(name);
    if (named === undefined || label === undefined) throw cause;
    const message = translate(label) + cause.message.slice(named.length);
    const { code, context } = cause;
    throw new TollkeeperError(code, message, { context, cause });
  }
}

function describeFinding(
  server: string,
  finding: Finding | undefined,
  translate: Translate,
): Notice[] {
  if (!finding) return [info(translate('test.none', { server }))];
  const { facts, ms, fault } = finding;
  const answered = translate('test.answered', { server, ms });
  const answer = info([answered, ...describeFacts(facts, translate)].join(' '));
  if (fault === undefined) return [answer];
  const words = translate('test.fault', { server, fault: toShownLine(fault) });
  return [danger(words), answer];
}

function describeFacts(
  { chain, block, entryPoints, fees }: ServerFacts,
  translate: Translate,
): string[] {
  return [
    chain && translate('test.chain', { chain: toShownChain(chain) }),
    block !== undefined && translate('test.block', { block }),
    entryPoints &&
      translate('test.entryPoints', {
        count: entryPoints.length,
        entryPoints: entryPoints.slice(0, MAX_NAMED).join(', '),
      }),
    fees &&
      translate('test.fees', {
        base: toRoundedFee(fees.base, translate),
        medium: toRoundedFee(fees.medium, translate),
      }),
  ].flatMap((each) => each || []);
}

export function SettingsPage(view: SettingsView): BoxElement {
  const { translate, settings, chains, page, pages, form } = view;
  const button = bindButton(translate);
  return (
    <Box>
      <Heading>{translate('settings.title')}</Heading>
      {drawForm(settingsForm, { translate, form, initial: settings })}
      <Heading>{translate('settings.chains')}</Heading>
      {chains.length === 0 ? <Text>{translate('settings.noChains')}</Text> : null}
      {chains.map(({ chain, servers }) => (
        <Section>
          <Text fontWeight="bold">{toShownChain(chain)}</Text>
          {drawRows(translate, servers)}
          <Box direction="horizontal" alignment="space-between">
            {button(`home.settings.edit:${chain}`, 'settings.edit', SMALL)}
            {button(`home.settings.askRemove:${chain}`, 'settings.remove', {
              ...SMALL,
              ...DESTRUCTIVE,
            })}
          </Box>
        </Section>
      ))}
      <Pager translate={translate} page={page} pages={pages} />
      {drawForm(addForm, { translate, form })}
      {translate.language === 'en' ? null : (
        <Text size="sm" color="alternative">
          {translate('settings.languages')}
        </Text>
      )}
    </Box>
  );
}

export function RemoveChainPage(view: {
  translate: Translate;
  chain: string;
}): BoxElement {
  const { translate, chain } = view;
  return (
    <Subpage {...view} title={toShownChain(chain)} list="home.settings.list">
      {drawNotices([warning(translate('settings.removeMeaning'))], translate)}
      {bindButton(translate)(
        'home.settings.remove',
        'settings.removeReally',
        DESTRUCTIVE,
      )}
    </Subpage>
  );
}
