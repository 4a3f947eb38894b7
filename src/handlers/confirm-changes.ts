// Asking the user whether a page may change how Tollkeeper is set up.
import type { ConfirmChain } from '../chains/configuration';
import { findContracts } from '../chains/contracts';
import { toCaip2 } from '../eth/chain';
import { isCanonicalFactory } from '../eth/user-operation';
import { toShownChanges } from '../home/chain-form';
import { isSameJson } from '../same-json';
import type { PrivateState } from '../state/private-state';
import { ChangesConfirmation } from '../ui/access';
import type { ShownChange } from '../ui/access';
import type { TextKey, Translate } from '../ui/i18n';
import { levelKeys, modeKeys } from '../ui/words';
import type { Consent } from './consent';

type Settings = PrivateState['settings'];

/** Asks the user whether settings may change, or throws. */
export type ConfirmSettings = (change: {
  before: Settings;
  after: Settings;
}) => Promise<unknown>;

/** Create the question about a chain's servers and contracts; credentials are not shown. */
export function confirmChain(origin: string, consent: Consent): ConfirmChain {
  return async (chainId, change) =>
    consent.require(origin, (translate) => {
      const contracts = findContracts(change.after);
      const isFactoryUnknown =
        contracts !== undefined &&
        !isCanonicalFactory(contracts.entryPoint.version, contracts.factory) &&
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

/** Create the question about settings. */
export function confirmSettings(origin: string, consent: Consent): ConfirmSettings {
  return async ({ before, after }) =>
    consent.require(origin, (translate) =>
      ChangesConfirmation({
        translate,
        title: 'change.settings',
        origin,
        changes: settingRows
          .map(([label, write]): ShownChange => ({
            label,
            before: write(before, translate),
            after: write(after, translate),
          }))
          .filter((row) => row.before !== row.after),
      }),
    );
}

const settingRows: readonly [
  label: TextKey,
  write: (settings: Settings, translate: Translate) => string,
][] = [
  ['settings.feeLevel', ({ feeLevel }, translate) => translate(levelKeys[feeLevel])],
  [
    'settings.approvalMode',
    ({ approvalMode }, translate) => translate(modeKeys[approvalMode]),
  ],
  [
    'settings.secondConfirmation',
    ({ secondConfirmation }, translate) => translate(secondConfirmation ? 'yes' : 'no'),
  ],
  [
    'settings.notifications',
    ({ notifications }, translate) => translate(notifications ? 'yes' : 'no'),
  ],
];
