// The tollkeeper_* methods by which the companion page manages networks, grants and settings. A
// dialog confirms changes to the snap's servers and to how it asks.
import { exactOptional, object } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import type { AskToExport } from './accounts/keyring';
import { createNaming } from './accounts/phrases';
import { createAccounts } from './accounts/range';
import { restoreAccounts } from './accounts/restore';
import { isPending } from './activity/ledger';
import { fetchDeployments } from './chains/addresses';
import { assertAsAsked, getChains, setChain } from './chains/configuration';
import type { ConfirmChain } from './chains/configuration';
import { findContracts } from './chains/contracts';
import type { AppContext } from './context';
import { InvalidParamsError, TollkeeperError } from './core/errors';
import type { SigningTask } from './core/payload';
import { toCaip2, toChainId } from './eth/chain';
import { isCanonical } from './eth/smart-account';
import { toShownChanges } from './home/chain-form';
import type { SiteRequest } from './request';
import type { MethodName } from './routes';
import { isSameJson, parseObjectParams } from './schema/parse';
import { paramObject, text } from './schema/structs';
import { askAboutAccounts } from './sites/accounts';
import { showing } from './sites/consent';
import type { Consent } from './sites/consent';
import { toAccountRef } from './state/account-record';
import { SettingsStruct } from './state/private-state';
import type { PrivateState, PrivateStore } from './state/private-state';
import type { SentTransaction } from './state/sent-transaction';
import type { Store } from './state/store';
import { ChangesConfirmation, ExportConfirmation } from './ui/access';
import type { ShownChange } from './ui/access';
import { modeKeys } from './ui/i18n';
import type { TextKey } from './ui/i18n';

type Settings = PrivateState['settings'];

type Handler = (request: SiteRequest, context: AppContext) => Promise<unknown>;

const IdStruct = text(36);

/** The account whose deployments are asked for. */
export const DeploymentsParamsStruct = object({ account: IdStruct });

/** The grant to revoke. */
export const RevokeParamsStruct = paramObject({
  origin: text(2_048),
  account: exactOptional(IdStruct),
});

const { schema } = SettingsStruct;

/** Changes of settings. */
export const SettingsParamsStruct = paramObject({
  approvalMode: exactOptional(schema.approvalMode),
  feeLevel: exactOptional(schema.feeLevel),
  secondConfirmation: exactOptional(schema.secondConfirmation),
  notifications: exactOptional(schema.notifications),
  prices: exactOptional(schema.prices),
});

export const managementHandlers: Readonly<Record<MethodName<'management'>, Handler>> = {
  tollkeeper_setChain: async ({ origin, params }, context) =>
    configureChain(params, context, confirmChain(origin, context.consent)),
  tollkeeper_getChains: async (_request, { store }) => getChains(store),
  tollkeeper_createAccounts: async ({ origin, params }, context) => {
    const questions = askAboutAccounts(origin, context.consent);
    return context.progress.run(async (port) =>
      createAccounts(params, { ...context, questions }, port),
    );
  },
  tollkeeper_restoreAccounts: async ({ origin, params }, context) => {
    const questions = askAboutAccounts(origin, context.consent);
    return context.progress.run(async (port) =>
      restoreAccounts(params, { ...context, questions }, port),
    );
  },
  tollkeeper_getProgress: async (_request, { progress }) =>
    Promise.resolve(progress.find() ?? null),
  tollkeeper_cancelProgress: async (_request, { progress }) =>
    Promise.resolve(progress.cancel()),
  tollkeeper_getDeployments: async ({ method, params }, { keyring, chains }) => {
    const root = `${method}: params`;
    const { account } = parseObjectParams(params, DeploymentsParamsStruct, root);
    const record = await keyring.getRecord(account);
    if (record.type === 'eip155:eoa') {
      throw new InvalidParamsError(`${root}.account must be a smart account's id.`);
    }
    const chainIds = record.scopes.map(toChainId);
    return fetchDeployments(chains, record.address, chainIds);
  },
  tollkeeper_getGrants: async (_request, { grants }) => grants.listAll(),
  tollkeeper_revokeGrant: async ({ method, params }, { grants }) => {
    const root = `${method}: params`;
    const { origin, account } = parseObjectParams(params, RevokeParamsStruct, root);
    await grants.revoke(origin, account);
    return null;
  },
  tollkeeper_getSettings: async (_request, { store }) => (await store.read()).settings,
  tollkeeper_setSettings: async ({ origin, params }, { store, consent }) =>
    changeSettings(params, store, confirmSettings(origin, consent)),
  tollkeeper_getStatus: async (_request, context) => getStatus(context),
  tollkeeper_getActivity: async (_request, { ledger }) =>
    (await ledger.list()).map(toShownActivity),
};

/** Configures a chain like {@link setChain}, and closes sockets that are no longer configured.
 * `confirm` is left out if the user makes the change. */
export async function configureChain(
  params: Json,
  { store, probe, chains }: AppContext,
  confirm?: ConfirmChain,
): Promise<unknown> {
  try {
    return await setChain(params, { store, probe }, confirm);
  } finally {
    // Closes the former sockets, or one to a refused address.
    await chains.applyChanges();
  }
}

/** Changes settings. Throws `InvalidParamsError` if one is malformed or changed while the user was
 * asked. `confirm` is left out if the user makes the change. */
export async function changeSettings(
  params: Json,
  store: PrivateStore,
  confirm?: (change: { before: Settings; after: Settings }) => Promise<unknown>,
): Promise<Settings> {
  const root = 'tollkeeper_setSettings: params';
  const changes = parseObjectParams(params, SettingsParamsStruct, root);
  const { settings: before } = await store.read();
  const asked = { before, after: { ...before, ...changes } };
  if (confirm && !isSameJson(before, asked.after)) await confirm(asked);
  const { settings } = await store.update((state) => {
    const after = { ...state.settings, ...changes };
    if (confirm) assertAsAsked(asked, { before: state.settings, after });
    return { ...state, settings: after };
  });
  return settings;
}

// Signed bytes and receipts are available by hash.
const LEFT_OUT = ['raw', 'operation', 'receipt'];

function toShownActivity(sent: SentTransaction): object {
  const shown = Object.entries(sent).filter(([name]) => !LEFT_OUT.includes(name));
  return {
    ...Object.fromEntries(shown),
    canBeReplaced: isPending(sent) && sent.raw !== undefined,
    hasReceipt: sent.receipt !== undefined,
  };
}

type DocumentStatus = { name: string; problem: string | null };

/** The state of the snap. Counts are null if the encrypted document cannot be read. */
type Status = {
  documents: DocumentStatus[];
  accounts: number | null;
  /** Account changes that MetaMask has not confirmed. */
  unsettled: number | null;
  /** Signing requests of this session that wait for approval. */
  requests: number | null;
};

// Never fails. An invalid document is never overwritten, because it may contain keys, so the user
// must learn of it.
async function getStatus({ store, publicStore }: AppContext): Promise<Status> {
  const { status, document } = await check(store);
  const { status: publicStatus, document: known } = await check(publicStore);
  const current = known?.session ?? 0;
  const waiting =
    document &&
    Object.values(document.requests).filter((each) => each.session === current);
  const count = (entries: object | undefined): number | null =>
    entries === undefined ? null : Object.keys(entries).length;
  return {
    documents: [status, publicStatus],
    accounts: count(document?.accounts),
    unsettled: count(document?.unsettled),
    requests: count(waiting),
  };
}

// Reads only once, because each read can ask the user to unlock the wallet.
async function check<Document extends { version: number }>(
  store: Store<Document>,
): Promise<{ status: DocumentStatus; document?: Document }> {
  const { name } = store;
  try {
    const document = await store.read();
    const [damaged] = await store.listSetAside();
    return { status: { name, problem: damaged?.problem ?? null }, document };
  } catch (error) {
    const isOurs = error instanceof TollkeeperError;
    const problem = isOurs ? error.message : 'MetaMask did not give it out.';
    return { status: { name, problem } };
  }
}

// Shows a chain's servers and contracts, but no credentials.
function confirmChain(origin: string, consent: Consent): ConfirmChain {
  return async (chainId, change) =>
    consent.ask(origin, (translate) => {
      const contracts = findContracts(change.after);
      const isFactoryUnknown =
        contracts !== undefined &&
        !isCanonical({ ...contracts, entryPoint: contracts.entryPoint.version }) &&
        !isSameJson(contracts, findContracts(change.before));
      return ChangesConfirmation({
        translate,
        title: 'change.chain',
        origin,
        chain: toCaip2(chainId),
        isFactoryUnknown,
        changes: toShownChanges(change, translate),
      });
    });
}

function confirmSettings(
  origin: string,
  consent: Consent,
): NonNullable<Parameters<typeof changeSettings>[2]> {
  return async ({ before, after }) =>
    consent.ask(origin, (translate) =>
      ChangesConfirmation({
        translate,
        title: 'change.settings',
        origin,
        changes: settingRows
          .map(([label, find]): ShownChange => ({
            label,
            before: translate(find(before)),
            after: translate(find(after)),
          }))
          .filter((row) => row.before !== row.after),
      }),
    );
}

const settingRows: readonly [label: TextKey, find: (settings: Settings) => TextKey][] =
  [
    ['settings.feeLevel', ({ feeLevel }) => `level.${feeLevel}`],
    ['settings.approvalMode', ({ approvalMode }) => modeKeys[approvalMode]],
    ['settings.secondConfirmation', (each) => (each.secondConfirmation ? 'yes' : 'no')],
    ['settings.notifications', ({ notifications }) => (notifications ? 'yes' : 'no')],
    ['settings.prices', ({ prices }) => (prices ? 'yes' : 'no')],
  ];

export function confirmExport(
  origin: string,
  { consent, listEntropySources }: Pick<AppContext, 'consent' | 'listEntropySources'>,
): AskToExport {
  return async (record) => {
    const nameOf = await createNaming([record], listEntropySources);
    const task: SigningTask = {
      account: toAccountRef(record),
      payload: { kind: 'key' },
    };
    return consent.require(
      origin,
      showing([task], (translate) =>
        ExportConfirmation({
          translate,
          origin,
          account: record.address,
          name: nameOf(record),
          owner: record.type === 'eip155:erc4337' ? record.owner : undefined,
        }),
      ),
    );
  };
}
