// The home page's tab of settings: what holds for everything, and the servers of each chain.
// What is saved goes the way of tollkeeper_setSettings and tollkeeper_setChain, but for their
// dialogs: who fills in the form has decided.
import type { Json } from '@metamask/utils';

import { findNextRow, getChains, removeChain } from '../../chains/configuration';
import { InvalidParamsError, TollkeeperError, UnavailableError } from '../../errors';
import { ChainIdStruct, toCaip2 } from '../../eth/chain';
import { matches, parse, validate } from '../../schema/parse';
import { ScopeStruct } from '../../state/account-record';
import type { ChainRow } from '../../state/chain-row';
import { toShownChain } from '../../ui/format';
import { CHAIN_FORM, ChainForm } from '../../ui/home/chain-form';
import type { ChainField } from '../../ui/home/chain-form';
import { RemoveChainPage, SettingsPage } from '../../ui/home/settings';
import type { SettingsView } from '../../ui/home/settings';
import type { Translate } from '../../ui/i18n';
import { info } from '../../ui/notice';
import { changeSettings, configureChain } from '../management-request';
import {
  labelOf,
  listServers,
  ServerFieldStruct,
  toChanges,
  toFields,
  toShownTyped,
} from './chain-fields';
import { describeFinding } from './found';
import { toPage } from './paging';
import { listOf } from './place';
import type { HomePlace } from './place';
import { defineTab } from './tab';
import type { Action, HomeServices } from './tab';

type Data =
  | { kind: 'all'; view: Omit<SettingsView, 'translate' | 'form'> }
  | { kind: 'chain'; chain: string; fields: ChainField[] }
  | { kind: 'remove'; chain: string };

const actions: Record<string, Action> = {
  list: (_input, place) => listOf(place),
  save: async ({ values }, place, services) => {
    const { feeLevel, approvalMode, secondConfirmation, notifications } = values;
    const params = { feeLevel, approvalMode, secondConfirmation, notifications };
    await changeSettings(params as Json, services.store);
    return tell(place, 'settings.saved', services);
  },
  add: async ({ values: { chain } }, place, { loadTranslate }) => {
    const read = validate(
      typeof chain === 'string' ? chain.trim() : chain,
      ChainIdStruct,
    );
    if ('value' in read) return edit(place, toCaip2(read.value));
    throw new InvalidParamsError((await loadTranslate())('settings.noChainId'));
  },
  edit: ({ argument }, place) =>
    matches(argument, ScopeStruct) ? edit(place, argument) : place,
  askRemove: ({ argument }, place) =>
    matches(argument, ScopeStruct)
      ? { ...place, item: argument, step: 'remove' }
      : place,
  remove: async (_input, place, services) => {
    await removeChain(place.item ?? '', services.store);
    await services.chains.closeUnused();
    return tell(place, 'settings.removed', services);
  },
  saveChain: async ({ values }, place, services) => {
    const params = await readParams(values, place, services);
    await inFormWords(services, async () => configureChain(params, services));
    return tell(place, 'settings.savedChain', services);
  },
  test: async ({ argument, values }, place, services) => {
    if (!matches(argument, ServerFieldStruct)) return place;
    const form = values[CHAIN_FORM] as Record<string, Json> | undefined;
    const params = await readParams(form ?? {}, place, services);
    const finding = await inFormWords(services, async () => {
      const next = await findNextRow(params, services.store);
      return services.examine({ ...next, field: argument });
    }).finally(services.chains.closeUnused);
    const translate = await services.loadTranslate();
    const label = labelOf(argument);
    const server = label ? translate(label) : argument;
    return { ...place, notices: describeFinding(server, finding, translate) };
  },
};

/** Settings. */
export const settingsTab = defineTab<Data>({
  label: 'home.tab.settings',
  isLive: false,
  load: async (place, services) => {
    const { item: chain, step } = place;
    if (chain !== undefined && step === 'remove') return { kind: step, chain };
    if (chain !== undefined && step === 'chain') {
      const fields = toFields(
        await getRow(chain, services),
        await services.loadTranslate(),
      );
      return { kind: step, chain, fields };
    }
    const { rows, ...where } = toPage(await getChains(services.store), place.page);
    const chains = rows.map((row) => ({
      chain: row.chainId,
      servers: listServers(row),
    }));
    const { settings } = await services.store.read();
    return { kind: 'all', view: { ...where, settings, chains } };
  },
  draw: (data, { translate, place, typed }) => {
    const hasFailed = place.notices.some(({ severity }) => severity === 'danger');
    const form = { typed, hasFailed };
    if (data.kind === 'remove') {
      return RemoveChainPage({ translate, chain: data.chain });
    }
    if (data.kind === 'all') return SettingsPage({ translate, form, ...data.view });
    const { chain, fields } = data;
    const shown = { ...form, typed: toShownTyped(typed) };
    return ChainForm({ translate, chain, fields, form: shown });
  },
  actions,
});

function edit(place: HomePlace, chain: string): HomePlace {
  return { ...place, item: chain, step: 'chain' };
}

async function getRow(chain: string, { store }: HomeServices): Promise<ChainRow> {
  const { chains } = await store.read();
  return chains[parse(chain, ScopeStruct, 'chain')] ?? {};
}

async function readParams(
  values: Record<string, Json>,
  { item: chainId = '' }: HomePlace,
  services: HomeServices,
): Promise<Record<string, Json>> {
  const row = await getRow(chainId, services);
  return { chainId, ...toChanges(values, row, await services.loadTranslate()) };
}

async function tell(
  place: HomePlace,
  key: 'settings.saved' | 'settings.savedChain' | 'settings.removed',
  { loadTranslate }: HomeServices,
): Promise<HomePlace> {
  const translate = await loadTranslate();
  const chain = place.item === undefined ? '' : toShownChain(place.item, translate);
  return { ...listOf(place), notices: [info(translate(key, { chain }))] };
}

// The messages name fields as the method does; who reads them sees the form's labels.
async function inFormWords<Result>(
  { loadTranslate }: HomeServices,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof TollkeeperError)) throw error;
    const message = toFormWords(error.message, await loadTranslate());
    if (message === error.message) throw error;
    const details = { context: error.context, cause: error };
    throw error instanceof UnavailableError
      ? new UnavailableError(message, details)
      : new InvalidParamsError(message, details);
  }
}

function toFormWords(message: string, translate: Translate): string {
  return message.replace(
    /^tollkeeper_setChain: params\.(\w+)/u,
    (all, name: string) => {
      const label = labelOf(name);
      return label === undefined ? all : translate(label);
    },
  );
}
