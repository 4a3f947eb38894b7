// The tollkeeper_* methods with which the companion page manages networks and settings. A dialog
// confirms each change.
import { exactOptional } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import type { AskToExport } from './accounts/keyring';
import { createNaming } from './accounts/phrases';
import { assertStillConfirmed, getChains, setChain } from './chains/configuration';
import type { ConfirmChain } from './chains/configuration';
import { findContracts } from './chains/contracts';
import type { AppContext } from './context';
import type { SigningTask } from './core/payload';
import { toCaip2 } from './eth/chain';
import { isCanonical } from './eth/smart-account';
import { toShownChanges } from './home/chain-form';
import type { SiteRequest } from './request';
import type { MethodName } from './routes';
import { isSameJson, parseObjectParams } from './schema/parse';
import { paramObject } from './schema/structs';
import { toConfirmation } from './sites/consent';
import type { Consent } from './sites/consent';
import { toAccountRef } from './state/account-record';
import { SettingsStruct } from './state/private-state';
import type { PrivateState, PrivateStore } from './state/private-state';
import { ChangesConfirmation, ExportConfirmation } from './ui/access';
import type { ShownChange } from './ui/access';
import { modeKeys } from './ui/i18n';
import type { TextKey } from './ui/i18n';

type Settings = PrivateState['settings'];

type Handler = (request: SiteRequest, context: AppContext) => Promise<unknown>;

const { schema } = SettingsStruct;

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
  tollkeeper_setSettings: async ({ origin, params }, { store, consent }) =>
    changeSettings(params, store, confirmSettings(origin, consent)),
};

/** Configures a chain like {@link setChain}, and closes sockets that are no longer configured.
 * Without `confirm`, the user makes the change directly. */
export async function configureChain(
  params: Json,
  { store, probe, chains }: AppContext,
  confirm?: ConfirmChain,
): Promise<unknown> {
  try {
    return await setChain(params, { store, probe }, confirm);
  } finally {
    // Closes the previous socket, or the socket of an address that the user refused.
    await chains.applyChanges();
  }
}

/** Changes settings. Throws `InvalidParamsError` if a setting is malformed, or was changed while
 * the dialog was open. Without `confirm`, the user makes the change directly. */
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
    if (confirm) assertStillConfirmed(asked, { before: state.settings, after });
    return { ...state, settings: after };
  });
  return settings;
}

// Shows the changes to the chain's servers and contracts, but not the credentials themselves.
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
      toConfirmation([task], (translate) =>
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
