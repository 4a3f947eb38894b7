// tollkeeper_*: what the companion page manages beside single accounts. One row a method. What
// lets a page change whom the snap talks to, or how it asks, is confirmed in a dialog.
import { exactOptional, object } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import type { Ledger } from '../activity/ledger';
import { fetchDeployments } from '../chains/addresses';
import type { Chains } from '../chains/chain';
import { assertAsAsked, getChains, setChain } from '../chains/configuration';
import type { ConfirmChain } from '../chains/configuration';
import type { ProbeChain } from '../chains/probe';
import { InvalidParamsError } from '../errors';
import { ChainIdStruct } from '../eth/chain';
import { createAccounts } from '../keyring/create-accounts';
import type { CreateAccountsServices } from '../keyring/create-accounts';
import type { Keyring } from '../keyring/keyring';
import type { ProgressTracker } from '../keyring/progress';
import { restoreAccounts } from '../keyring/restore-accounts';
import type { RestoreServices } from '../keyring/restore-accounts';
import { isSameJson } from '../same-json';
import { parse, parseObjectParams } from '../schema/parse';
import { paramObject, text } from '../schema/structs';
import { SettingsStruct } from '../state/private-state';
import type { PrivateState, PrivateStore } from '../state/private-state';
import type { SentTransaction } from '../state/sent-transaction';
import { confirmChain, confirmSettings } from './confirm-changes';
import type { ConfirmSettings } from './confirm-changes';
import { confirmFactory } from './confirm-factory';
import type { Consent } from './consent';
import type { Grants } from './grants';
import { getStatus } from './status';
import type { StatusServices } from './status';

/** What managing needs. */
export type ManagementServices = CreateAccountsServices &
  RestoreServices &
  StatusServices & {
    store: PrivateStore;
    chains: Chains;
    probe: ProbeChain;
    keyring: Keyring;
    grants: Grants;
    progress: ProgressTracker;
    consent: Consent;
    ledger: Pick<Ledger, 'list'>;
  };

/** A call to manage, and who makes it. */
type Call = { origin: string; params: Json };

type Handler = (call: Call, services: ManagementServices) => Promise<unknown>;

const IdStruct = text(36);

/** Whose deployments are asked for. */
export const DeploymentsParamsStruct = object({ account: IdStruct });

/** Whose grant is taken back. */
export const RevokeParamsStruct = paramObject({
  origin: text(2_048),
  account: exactOptional(IdStruct),
});

/** Settings that are changed. */
export const SettingsParamsStruct = paramObject({
  approvalMode: exactOptional(SettingsStruct.schema.approvalMode),
  feeLevel: exactOptional(SettingsStruct.schema.feeLevel),
  secondConfirmation: exactOptional(SettingsStruct.schema.secondConfirmation),
  notifications: exactOptional(SettingsStruct.schema.notifications),
});

const handlers: Record<string, Handler> = {
  tollkeeper_setChain: async ({ origin, params }, services) =>
    configureChain(params, services, confirmChain(origin, services.consent)),
  tollkeeper_getChains: async (_call, { store }) => getChains(store),
  tollkeeper_createAccounts: async ({ origin, params }, services) => {
    const confirm = confirmFactory(origin, services.consent);
    return services.progress.run(async (port) =>
      createAccounts(params, { ...services, confirm }, port),
    );
  },
  tollkeeper_restoreAccounts: async ({ origin, params }, services) => {
    const confirm = confirmFactory(origin, services.consent);
    return services.progress.run(async (port) =>
      restoreAccounts(params, { ...services, confirm }, port),
    );
  },
  tollkeeper_getProgress: async (_call, { progress }) =>
    Promise.resolve(progress.find() ?? null),
  tollkeeper_cancelProgress: async (_call, { progress }) =>
    Promise.resolve(progress.cancel()),
  tollkeeper_getDeployments: async ({ params }, { keyring, chains }) => {
    const root = 'tollkeeper_getDeployments: params';
    const { account } = parseObjectParams(params, DeploymentsParamsStruct, root);
    const record = await keyring.getRecord(account);
    if (record.type === 'eip155:eoa') {
      throw new InvalidParamsError(`${root}.account must be a smart account's id.`);
    }
    const chainIds = record.scopes.map((scope) => parse(scope, ChainIdStruct, 'scope'));
    return fetchDeployments(chains, record.address, chainIds);
  },
  tollkeeper_getGrants: async (_call, { grants }) => grants.listAll(),
  tollkeeper_revokeGrant: async ({ params }, { grants }) => {
    const root = 'tollkeeper_revokeGrant: params';
    const { origin, account } = parseObjectParams(params, RevokeParamsStruct, root);
    await grants.revoke(origin, account);
    return null;
  },
  tollkeeper_getSettings: async (_call, { store }) => (await store.read()).settings,
  tollkeeper_setSettings: async ({ origin, params }, { store, consent }) =>
    changeSettings(params, store, confirmSettings(origin, consent)),
  tollkeeper_getStatus: async (_call, services) => getStatus(services),
  tollkeeper_getActivity: async (_call, { ledger }) =>
    (await ledger.list()).map(toShownActivity),
};

/**
 * Configure a chain, and close the sockets that nothing is configured for any more.
 *
 * @param confirm - Left out where the user makes the change.
 * @throws What {@link setChain} throws.
 */
export async function configureChain(
  params: Json,
  { store, probe, chains }: Pick<ManagementServices, 'store' | 'probe' | 'chains'>,
  confirm?: ConfirmChain,
): Promise<unknown> {
  try {
    return await setChain(params, { store, probe }, confirm);
  } finally {
    // The former sockets, or the one to an address that was refused.
    await chains.closeUnused();
  }
}

/**
 * Change settings.
 *
 * @param confirm - Left out where the user makes the change.
 * @throws {InvalidParamsError} If one is malformed, or was changed while the user was asked.
 * @throws What `confirm` throws; nothing is changed then.
 */
export async function changeSettings(
  params: Json,
  store: PrivateStore,
  confirm?: ConfirmSettings,
): Promise<PrivateState['settings']> {
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

// The signed bytes and the receipt can be had by the hash.
const LEFT_OUT = ['raw', 'operation', 'receipt'];

function toShownActivity(sent: SentTransaction): object {
  const shown = Object.entries(sent).filter(([name]) => !LEFT_OUT.includes(name));
  return {
    ...Object.fromEntries(shown),
    canBeReplaced: sent.raw !== undefined,
    hasReceipt: sent.receipt !== undefined,
  };
}

/** Tell whether a method is one of managing. */
export function isManagement(method: string): boolean {
  return Object.hasOwn(handlers, method);
}

/** Answer a request to manage. */
export async function handleManagement(
  { method, ...call }: Call & { method: string },
  services: ManagementServices,
): Promise<Json> {
  return (await handlers[method]?.(call, services)) as Json;
}
