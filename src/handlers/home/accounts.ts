// The home page's tab of accounts: all of them, one of them, and the forms that make, give
// away and delete them. What is dangerous has a step of its own.
import type { KeyringAccount } from '@metamask/keyring-api';

import { InvalidParamsError } from '../../errors';
import { encryptKeystore, MIN_PASSWORD } from '../../eth/keystore';
import { DEFAULT_GAP } from '../../keyring/restore-accounts';
import { matches } from '../../schema/parse';
import { oneOf } from '../../schema/structs';
import { ScopeStruct } from '../../state/account-record';
import { toShownLine } from '../../ui/format';
import { AccountPage } from '../../ui/home/account-details';
import type { AccountDetails } from '../../ui/home/account-details';
import { CreateForm, ImportForm, RestorePage } from '../../ui/home/account-forms';
import { AccountList } from '../../ui/home/accounts';
import type { AccountListView } from '../../ui/home/accounts';
import type { ShownProgress } from '../../ui/home/progress';
import { info } from '../../ui/notice';
import { listScopes, loadAccounts, loadDetails } from './accounts-load';
import { cancelWork, create, importOne, restoreAll } from './accounts-making';
import { listOf } from './place';
import type { HomePlace } from './place';
import { defineTab } from './tab';
import type { Action, HomeServices } from './tab';

type Data =
  | { kind: 'list'; list: Omit<AccountListView, 'translate'> }
  | { kind: 'account'; account: AccountDetails }
  | { kind: 'create' | 'import'; chains: string[] }
  | { kind: 'restore'; progress: ShownProgress | undefined };

const FormStepStruct = oneOf(['create', 'import', 'restore']);

const AccountStepStruct = oneOf(['show', 'export', 'exported', 'delete']);

/** Where an account is looked at, what is asked about it. */
const QuestionStruct = oneOf(['export', 'delete']);

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
  export: async ({ values }, place, { keyring, loadTranslate }) => {
    const { password, again } = values;
    if (typeof password !== 'string' || password !== again) {
      throw new InvalidParamsError((await loadTranslate())('export.differ'));
    }
    // The question was asked on the page, where the key stays under the password.
    const confirmed = async (): Promise<void> => Promise.resolve();
    const { item = '' } = place;
    const { privateKey } = await keyring.exportAccount(item, confirmed);
    const keystore = await encryptKeystore(privateKey, password);
    return { ...place, step: 'exported', keystore };
  },
  addChain: async ({ values: { chain } }, place, services) =>
    matches(chain, ScopeStruct)
      ? changeChains(place, services, (scopes) => [...new Set([...scopes, chain])])
      : place,
  removeChain: async ({ argument }, place, services) =>
    changeChains(place, services, (scopes) =>
      scopes.filter((scope) => scope !== argument),
    ),
  delete: async (_input, place, { keyring, loadTranslate }) => {
    const { address } = await keyring.getRecord(place.item ?? '');
    await keyring.deleteAccount(place.item ?? '');
    const translate = await loadTranslate();
    return { ...listOf(place), notices: [info(translate('delete.done', { address }))] };
  },
  revoke: async (
    { argument: origin = '' },
    place,
    { keyring, grants, loadTranslate },
  ) => {
    const { id, address } = await keyring.getRecord(place.item ?? '');
    await grants.revoke(origin, id);
    const translate = await loadTranslate();
    const values = { origin: toShownLine(origin), address };
    return { ...place, notices: [info(translate('sites.revokedOne', values))] };
  },
};

async function changeChains(
  place: HomePlace,
  { keyring, loadTranslate }: HomeServices,
  change: (scopes: KeyringAccount['scopes']) => KeyringAccount['scopes'],
): Promise<HomePlace> {
  const account = await keyring.getAccount(place.item ?? '');
  await keyring.updateAccount({ ...account, scopes: change(account.scopes) });
  const translate = await loadTranslate();
  return { ...place, notices: [info(translate('accounts.savedChains'))] };
}

/** Accounts. */
export const accountsTab = defineTab<Data>({
  label: 'home.tab.accounts',
  isLive: false,
  load: async (place, services) => {
    const { step } = place;
    if (step === 'restore') return { kind: step, progress: services.progress.find() };
    if (step === 'create' || step === 'import') {
      return { kind: step, chains: await listScopes(services) };
    }
    const account =
      place.item === undefined ? undefined : await loadDetails(place, services);
    return account
      ? { kind: 'account', account }
      : { kind: 'list', list: await loadAccounts(place, services) };
  },
  draw: (data, { translate, place, typed }) => {
    // Whatever was said of a form that is still there, it led to nothing.
    const form = { typed, hasFailed: place.notices.length > 0 };
    if (data.kind === 'list') return AccountList({ translate, ...data.list });
    if (data.kind === 'restore') {
      const { progress } = data;
      return RestorePage({ translate, progress, gap: DEFAULT_GAP, form });
    }
    if (data.kind === 'account') {
      const step = matches(place.step, AccountStepStruct) ? place.step : 'show';
      const { account } = data;
      const { keystore } = place;
      const minPassword = MIN_PASSWORD;
      return AccountPage({ translate, account, step, keystore, form, minPassword });
    }
    const draw = data.kind === 'create' ? CreateForm : ImportForm;
    return draw({ translate, chains: data.chains, form });
  },
  actions,
});
