// Asking what a page may see and change: which accounts a site may see; settings, each value as it
// is and as it would be; a smart account of an unknown factory; and an account's private key,
// which itself is never shown.
import { Bold, Checkbox, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { CheckboxElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../eth/hex';
import type { EntryPointVersion } from '../eth/user-operation';
import { AddressField, Field } from './components';
import { toPagedView } from './confirmation';
import type { PagedView } from './confirmation';
import { toShownLine } from './format';
import type { TextKey, Translate } from './i18n';
import { danger, warning } from './warnings';

/** An account to choose. */
export type AccountChoice = { id: string; label: string; isChosen: boolean };

/** A site that asks for accounts. */
export type ConnectView = {
  translate: Translate;
  origin: string;
  accounts: readonly AccountChoice[];
};

/** Draw the choice of accounts; each box is named by its account's id. */
export function ConnectConfirmation(view: ConnectView): PagedView {
  const { translate, origin, accounts } = view;
  return toPagedView({
    translate,
    title: translate('connect.title'),
    approve: 'action.connect',
    origin,
    pages: [
      () => [
        <Text>{translate('connect.choose')}</Text>,
        ...accounts.map(({ id, label, isChosen }): CheckboxElement => (
          <Checkbox
            name={id}
            label={label}
            checked={isChosen || accounts.length === 1}
          />
        )),
      ],
    ],
  });
}

/** A site that asks for accounts where there is none. */
export type FirstAccountView = Omit<ConnectView, 'accounts'>;

/** Draw the offer to create an account; `restore` is ticked to bring accounts back instead. */
export function FirstAccountConfirmation(view: FirstAccountView): PagedView {
  const { translate, origin } = view;
  return toPagedView({
    translate,
    title: translate('connect.firstTitle'),
    approve: 'action.continue',
    origin,
    pages: [
      () => [
        <Text>{translate('connect.first')}</Text>,
        <Checkbox name="restore" label={translate('connect.restore')} />,
      ],
    ],
  });
}

/** A value that would change; neither side holds a secret. */
export type ShownChange = { label: TextKey; before: string; after: string };

/** A page that wants to change something. */
export type ChangesView = {
  translate: Translate;
  title: TextKey;
  origin: string;
  /** CAIP-2, of a change that concerns one network. */
  chain?: string;
  /** Whether the factory of smart accounts is one that is not known. */
  isFactoryUnknown?: boolean;
  changes: readonly ShownChange[];
};

/** Draw the question. */
export function ChangesConfirmation(view: ChangesView): PagedView {
  const { translate, title, origin, chain, isFactoryUnknown = false, changes } = view;
  return toPagedView({
    translate,
    title: translate(title),
    approve: 'settings.save',
    origin,
    chain,
    warnings: isFactoryUnknown ? [warning('factory.unknown')] : [],
    pages: [
      () => [
        <Text>{translate('change.meaning')}</Text>,
        ...changes.map((change) => drawChange(change, translate)),
      ],
    ],
  });
}

function drawChange(
  { label, before, after }: ShownChange,
  translate: Translate,
): SectionElement {
  return (
    <Section>
      <Text>
        <Bold>{translate(label)}</Bold>
      </Text>
      <Field label={translate('change.before')} value={toShownLine(before)} />
      <Field label={translate('change.after')} value={toShownLine(after)} />
    </Section>
  );
}

/** A smart account that is about to be created. */
export type FactoryView = {
  translate: Translate;
  origin: string;
  account: Hex;
  name: string;
  /** The first of its chains, CAIP-2: its factory was asked there. */
  chain: string | undefined;
  owner: Hex;
  entryPoint: EntryPointVersion;
  factory: Hex;
};

/** Draw the question. */
export function FactoryConfirmation(view: FactoryView): PagedView {
  const { translate, origin, account, name, chain, owner, entryPoint, factory } = view;
  return toPagedView({
    translate,
    title: translate('factory.title'),
    approve: 'create.go',
    origin,
    account,
    chain,
    warnings: [warning('factory.unknown')],
    pages: [
      () => [
        <Section>
          <Field label={translate('field.name')} value={name} />
          <AddressField label={translate('field.factory')} address={factory} />
          <Field label={translate('field.entryPoint')} value={entryPoint} />
          <AddressField label={translate('field.owner')} address={owner} />
        </Section>,
      ],
    ],
  });
}

/** An account that MetaMask does not take, and that can live in Tollkeeper alone. */
export type UnlistedView = Pick<
  FactoryView,
  'translate' | 'origin' | 'account' | 'name'
>;

/** Draw the question. */
export function UnlistedConfirmation(view: UnlistedView): PagedView {
  const { translate, origin, account, name } = view;
  return toPagedView({
    translate,
    title: translate('unlisted.title'),
    approve: 'create.go',
    origin,
    account,
    pages: [
      () => [
        <Section>
          <Field label={translate('field.name')} value={name} />
        </Section>,
        <Text>{translate('unlisted.meaning')}</Text>,
      ],
    ],
  });
}

/** An account whose key is asked for. */
export type ExportView = {
  translate: Translate;
  origin: string;
  account: Hex;
  name: string;
  /** Owner of a smart account: its key is the one that is given away. */
  owner?: Hex | undefined;
};

/** Draw the question. */
export function ExportConfirmation(view: ExportView): PagedView {
  const { translate, origin, account, name, owner } = view;
  return toPagedView({
    translate,
    title: translate('export.title'),
    approve: 'action.export',
    origin,
    account,
    warnings: [danger('export.warning')],
    pages: [
      () => [
        <Section>
          <Field label={translate('field.name')} value={name} />
          {owner ? (
            <AddressField label={translate('field.owner')} address={owner} />
          ) : null}
        </Section>,
        <Text>{translate('export.meaning')}</Text>,
      ],
    ],
  });
}
