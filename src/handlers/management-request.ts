// tollkeeper_*: what the companion page manages beside single accounts. One row a method.
import { exactOptional, object } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import type { Ledger } from '../activity/ledger';
import type { Chains } from '../chains/chain';
import { fetchDeployments } from '../chains/deployments';
import type { ProbeChain } from '../chains/probe';
import { getChains, setChain } from '../chains/set-chain';
import { InvalidParamsError } from '../errors';
import { ChainIdStruct } from '../eth/chain';
import { createAccounts } from '../keyring/create-accounts';
import type { CreateAccountsServices } from '../keyring/create-accounts';
import type { Keyring } from '../keyring/keyring';
import type { ProgressTracker } from '../keyring/progress';
import { restoreAccounts } from '../keyring/restore-accounts';
import type { RestoreServices } from '../keyring/restore-accounts';
import { parse, parseObjectParams } from '../parse';
import { SettingsStruct } from '../state/private-state';
import type { PrivateStore } from '../state/private-state';
import type { SentTransaction } from '../state/sent-transaction';
import { text } from '../structs';
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
    ledger: Pick<Ledger, 'list'>;
  };

type Handler = (params: Json, services: ManagementServices) => Promise<unknown>;

const IdStruct = text(36);

/** Whose deployments are asked for. */
export const DeploymentsParamsStruct = object({ account: IdStruct });

/** Whose grant is taken back. */
export const RevokeParamsStruct = object({
  origin: text(2_048),
  account: exactOptional(IdStruct),
});

/** Settings that are changed. */
export const SettingsParamsStruct = object({
  approvalMode: exactOptional(SettingsStruct.schema.approvalMode),
  feeLevel: exactOptional(SettingsStruct.schema.feeLevel),
  secondConfirmation: exactOptional(SettingsStruct.schema.secondConfirmation),
  notifications: exactOptional(SettingsStruct.schema.notifications),
});

const handlers: Record<string, Handler> = {
  tollkeeper_setChain: async (params, { store, probe, chains }) => {
    try {
      return await setChain(params, { store, probe });
    } finally {
      // The former sockets, or the one to an address that was refused.
      await chains.closeUnused();
    }
  },
  tollkeeper_getChains: async (_params, { store }) => getChains(store),
  tollkeeper_createAccounts: async (params, services) =>
    services.progress.run(async (port) => createAccounts(params, services, port)),
  tollkeeper_restoreAccounts: async (params, services) =>
    services.progress.run(async (port) => restoreAccounts(params, services, port)),
  tollkeeper_getProgress: async (_params, { progress }) =>
    Promise.resolve(progress.find() ?? null),
  tollkeeper_cancelProgress: async (_params, { progress }) =>
    Promise.resolve(progress.cancel()),
  tollkeeper_getDeployments: async (params, { keyring, chains }) => {
    const root = 'tollkeeper_getDeployments: params';
    const { account } = parseObjectParams(params, DeploymentsParamsStruct, root);
    const record = await keyring.getRecord(account);
    if (record.type === 'eip155:eoa') {
      throw new InvalidParamsError(`${root}.account must be a smart account's id.`);
    }
    const chainIds = record.scopes.map((scope) => parse(scope, ChainIdStruct, 'scope'));
    return fetchDeployments(chains, record.address, chainIds);
  },
  tollkeeper_getGrants: async (_params, { grants }) => grants.listAll(),
  tollkeeper_revokeGrant: async (params, { grants }) => {
    const root = 'tollkeeper_revokeGrant: params';
    const { origin, account } = parseObjectParams(params, RevokeParamsStruct, root);
    await grants.revoke(origin, account);
    return null;
  },
  tollkeeper_getSettings: async (_params, { store }) => (await store.read()).settings,
  tollkeeper_setSettings: async (params, { store }) => {
    const root = 'tollkeeper_setSettings: params';
    const changes = parseObjectParams(params, SettingsParamsStruct, root);
    const { settings } = await store.update((state) => ({
      ...state,
      settings: { ...state.settings, ...changes },
    }));
    return settings;
  },
  tollkeeper_getStatus: async (_params, services) => getStatus(services),
  tollkeeper_getActivity: async (_params, { ledger }) =>
    (await ledger.list()).map(toShownActivity),
};

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
  { method, params }: { method: string; params: Json },
  services: ManagementServices,
): Promise<Json> {
  return (await handlers[method]?.(params, services)) as Json;
}
