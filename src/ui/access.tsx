// Dialogs about access: which accounts a site may see; changed settings, with old and new values;
// a smart account with an unknown factory; an unlisted account; and the export of a private key,
// which is never shown.
import { Bold, Checkbox, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { CheckboxElement, JSXElement } from '@metamask/snaps-sdk/jsx';

import type { EntryPointVersion } from '../core/entry-points';
import type { Hex } from '../eth/hex';
import { drawRows } from './components';
import { toPagedView } from './confirmation';
import type { ConfirmationProps, PagedView } from './confirmation';
import { toShownLine } from './format';
import type { TextKey, Translate } from './i18n';
import { danger, warning } from './warnings';

type View = { translate: Translate; origin: string };

type AccountView = View & { account: Hex; name: string };

function ask(
  view: Omit<ConfirmationProps, 'title'> & { title: TextKey },
  content: () => JSXElement[],
): PagedView {
  return toPagedView({ ...view, title: view.translate(view.title), pages: [content] });
}

export type AccountChoice = { id: string; label: string; isChosen: boolean };

/** Asks which accounts a site may see. Each checkbox is named after an account's id. */
export function ConnectConfirmation({
  accounts,
  ...view
}: View & { accounts: readonly AccountChoice[] }): PagedView {
  return ask({ ...view, title: 'connect.title', approve: 'action.connect' }, () => [
    <Text>{view.translate('connect.choose')}</Text>,
    ...accounts.map(({ id, label, isChosen }): CheckboxElement => (
      <Checkbox name={id} label={label} checked={isChosen || accounts.length === 1} />
    )),
  ]);
}

/** Draws the offer to create an account, or to restore accounts if `restore` is ticked. */
export function FirstAccountConfirmation(view: View): PagedView {
  const { translate } = view;
  const question = { title: 'connect.firstTitle', approve: 'action.continue' } as const;
  return ask({ ...view, ...question }, () => [
    <Text>{translate('connect.first')}</Text>,
    <Checkbox name="restore" label={translate('connect.restore')} />,
  ]);
}

/** Neither text contains a secret. */
export type ShownChange = { label: TextKey; before: string; after: string };

type ChangesView = View & {
  title: TextKey;
  /** CAIP-2, for a change that concerns one network. */
  chain?: string;
  isFactoryUnknown?: boolean;
  changes: readonly ShownChange[];
};

export function ChangesConfirmation({
  isFactoryUnknown = false,
  changes,
  ...view
}: ChangesView): PagedView {
  const { translate } = view;
  const warnings = isFactoryUnknown ? [warning('factory.unknown')] : [];
  return ask({ ...view, approve: 'settings.save', warnings }, () => [
    <Text>{translate('change.meaning')}</Text>,
    ...changes.map(({ label, before, after }): JSXElement => (
      <Section>
        <Text>
          <Bold>{translate(label)}</Bold>
        </Text>
        {drawRows(translate, [
          ['change.before', toShownLine(before)],
          ['change.after', toShownLine(after)],
        ])}
      </Section>
    )),
  ]);
}

type FactoryView = AccountView & {
  /** The account's first chain (CAIP-2), on which the factory was queried. */
  chain: string | undefined;
  owner: Hex;
  entryPoint: EntryPointVersion;
  factory: Hex;
};

export function FactoryConfirmation(view: FactoryView): PagedView {
  const { translate, name, owner, entryPoint, factory } = view;
  const warnings = [warning('factory.unknown')];
  const question = { title: 'factory.title', approve: 'create.go' } as const;
  return ask({ ...view, ...question, warnings }, () => [
    <Section>
      {drawRows(translate, [
        ['field.name', name],
        ['field.factory', { address: factory }],
        ['field.entryPoint', entryPoint],
        ['field.owner', { address: owner }],
      ])}
    </Section>,
  ]);
}

/** Draws an account that will exist only in Tollkeeper, because MetaMask does not support it or the
 * request wants it unlisted. */
export function UnlistedConfirmation(
  view: AccountView & { why: 'unsupported' | 'wanted' },
): PagedView {
  const { translate, name, why } = view;
  return ask({ ...view, title: 'unlisted.title', approve: 'create.go' }, () => [
    <Section>{drawRows(translate, [['field.name', name]])}</Section>,
    <Text>{translate(why === 'wanted' ? 'unlisted.wanted' : 'unlisted.meaning')}</Text>,
  ]);
}

/** Draws the account whose key is exported. For a smart account, this is the owner's key. */
export function ExportConfirmation(
  view: AccountView & { owner?: Hex | undefined },
): PagedView {
  const { translate, name, owner } = view;
  const warnings = [danger('export.warning')];
  const question = { title: 'export.title', approve: 'action.export' } as const;
  return ask({ ...view, ...question, warnings }, () => [
    <Section>
      {drawRows(translate, [
        ['field.name', name],
        ['field.owner', owner && { address: owner }],
      ])}
    </Section>,
    <Text>{translate('export.meaning')}</Text>,
  ]);
}
