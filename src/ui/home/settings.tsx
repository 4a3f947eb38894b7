// What the user may choose for all accounts and chains, and the chains that are configured.
import {
  Box,
  Button,
  Checkbox,
  Dropdown,
  Field as FormField,
  Form,
  Heading,
  Input,
  Option,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { BoxElement, FormElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { Field } from '../components/Field';
import { drawNotices } from '../components/Notices';
import { toShownChain, toShownLine } from '../format';
import type { TextKey, Translate } from '../i18n';
import { levelKeys } from '../market-words';
import { warning } from '../notice';
import { Pager } from './pager';
import { typedValue } from './typed';
import type { FormState } from './typed';

/** Names of the forms. */
export const SETTINGS_FORM = 'home.settings.save';

/** Name of the form for another chain. */
export const ADD_FORM = 'home.settings.add';

/** What the user may choose. */
export type ShownSettings = {
  feeLevel: 'low' | 'medium' | 'high';
  approvalMode: 'synchronous' | 'asynchronous';
  secondConfirmation: boolean;
  notifications: boolean;
};

/** A configured chain: CAIP-2, and its servers as they may be shown. */
export type ShownChainRow = {
  chain: string;
  servers: readonly { label: TextKey; address: string }[];
};

/** What the tab shows. */
export type SettingsView = {
  translate: Translate;
  settings: ShownSettings;
  chains: readonly ShownChainRow[];
  page: number;
  pages: number;
  form: FormState;
};

/** What the modes of approval are called. */
export const modeKeys = {
  synchronous: 'settings.atOnce',
  asynchronous: 'settings.later',
} as const satisfies Record<ShownSettings['approvalMode'], TextKey>;

/** Draw the settings. */
export function SettingsPage(view: SettingsView): BoxElement {
  const { translate, chains, page, pages, form } = view;
  return (
    <Box>
      <Heading>{translate('settings.title')}</Heading>
      {drawChoices(view)}
      <Heading>{translate('settings.chains')}</Heading>
      {chains.length === 0 ? <Text>{translate('settings.noChains')}</Text> : null}
      {chains.map((row) => drawChain(row, translate))}
      <Pager translate={translate} page={page} pages={pages} />
      <Form name={ADD_FORM}>
        <FormField label={translate('settings.chainId')}>
          <Input
            name="chain"
            placeholder="11155111"
            {...typedValue(form, ADD_FORM, 'chain')}
          />
        </FormField>
        <Button name="home.settings.submit:add" type="submit">
          {translate('settings.add')}
        </Button>
      </Form>
    </Box>
  );
}

/** Draw the question whether a chain's configuration is to be forgotten. */
export function RemoveChainPage({
  translate,
  chain,
}: {
  translate: Translate;
  chain: string;
}): BoxElement {
  return (
    <Box>
      <Heading>{toShownChain(chain, translate)}</Heading>
      {drawNotices([warning(translate('settings.removeMeaning'))], translate)}
      <Button name="home.settings.remove" variant="destructive">
        {translate('settings.removeReally')}
      </Button>
      <Button name="home.settings.list">{translate('home.back')}</Button>
    </Box>
  );
}

function drawChoices({ translate, settings }: SettingsView): FormElement {
  const { feeLevel, approvalMode, secondConfirmation, notifications } = settings;
  return (
    <Form name={SETTINGS_FORM}>
      <FormField label={translate('settings.feeLevel')}>
        <Dropdown name="feeLevel" value={feeLevel}>
          {Object.entries(levelKeys).map(([value, key]) => (
            <Option value={value}>{translate(key)}</Option>
          ))}
        </Dropdown>
      </FormField>
      <FormField label={translate('settings.approvalMode')}>
        <Dropdown name="approvalMode" value={approvalMode}>
          {Object.entries(modeKeys).map(([value, key]) => (
            <Option value={value}>{translate(key)}</Option>
          ))}
        </Dropdown>
      </FormField>
      <Checkbox
        name="secondConfirmation"
        label={translate('settings.secondConfirmation')}
        checked={secondConfirmation}
      />
      <Checkbox
        name="notifications"
        label={translate('settings.notifications')}
        checked={notifications}
      />
      <Button name="home.settings.submit:save" type="submit">
        {translate('settings.save')}
      </Button>
    </Form>
  );
}

function drawChain(
  { chain, servers }: ShownChainRow,
  translate: Translate,
): SectionElement {
  return (
    <Section>
      <Text fontWeight="bold">{toShownChain(chain, translate)}</Text>
      {servers.map(({ label, address }) => (
        <Field label={translate(label)} value={toShownLine(address)} />
      ))}
      <Button name={`home.settings.edit:${chain}`} size="sm">
        {translate('settings.edit')}
      </Button>
      <Button name={`home.settings.askRemove:${chain}`} size="sm" variant="destructive">
        {translate('settings.remove')}
      </Button>
    </Section>
  );
}
