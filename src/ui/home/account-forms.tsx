// Making accounts: a new one, one whose key is somewhere else, and those that were lost.
import {
  Box,
  Button,
  Dropdown,
  Field,
  FileInput,
  Form,
  Heading,
  Input,
  Option,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { BoxElement } from '@metamask/snaps-sdk/jsx';

import { entryPointVersions } from '../../eth/user-operation';
import type { Translate } from '../i18n';
import { ChainChoice } from './chain-choice';
import { drawProgress } from './progress';
import type { ShownProgress } from './progress';
import { emptySecret, findTyped, typedValue } from './typed';
import type { FormState } from './typed';

const newestFirst = [...entryPointVersions].reverse();

/** Name of the form that creates. */
export const CREATE_FORM = 'home.accounts.create';

/** Name of the form that imports. */
export const IMPORT_FORM = 'home.accounts.import';

/** Name of the form that brings accounts back. */
export const RESTORE_FORM = 'home.accounts.restore';

/** Value of the choice of type that stands for an ordinary account. */
export const EOA = 'eoa';

/** Value of the choice of type that leaves a smart account's EntryPoint to the chain. */
export const SMART = 'smart';

/** What the forms are drawn of. */
export type AccountFormView = {
  translate: Translate;
  /** Chains (CAIP-2) that a smart account can be for. */
  chains: readonly string[];
  form: FormState;
};

/** Draw the form for a new account. */
export function CreateForm(view: AccountFormView): BoxElement {
  const { translate, form } = view;
  return (
    <Box>
      <Heading>{translate('accounts.create')}</Heading>
      <Text>{translate('create.meaning')}</Text>
      <Form name={CREATE_FORM}>
        <Kind view={view} name={CREATE_FORM} />
        <Field label={translate('create.number')}>
          <Input name="number" {...typedValue(form, CREATE_FORM, 'number')} />
        </Field>
        <Field label={translate('create.count')}>
          <Input
            name="count"
            placeholder="1"
            {...typedValue(form, CREATE_FORM, 'count')}
          />
        </Field>
        <Button name="home.accounts.submit" type="submit">
          {translate('create.go')}
        </Button>
      </Form>
      <Button name="home.accounts.list">{translate('home.back')}</Button>
    </Box>
  );
}

/** Draw the form for a key from elsewhere. */
export function ImportForm(view: AccountFormView): BoxElement {
  const { translate, form } = view;
  const secret = emptySecret(form);
  return (
    <Box>
      <Heading>{translate('accounts.import')}</Heading>
      <Text>{translate('import.meaning')}</Text>
      <Form name={IMPORT_FORM}>
        <Field label={translate('import.key')}>
          <Input name="key" type="password" {...secret} />
        </Field>
        <Field label={translate('import.file')}>
          <FileInput name="file" compact />
        </Field>
        <Field label={translate('import.password')}>
          <Input name="password" type="password" {...secret} />
        </Field>
        <Kind view={view} name={IMPORT_FORM} />
        <Button name="home.accounts.submit" type="submit">
          {translate('import.go')}
        </Button>
      </Form>
      <Button name="home.accounts.list">{translate('home.back')}</Button>
    </Box>
  );
}

/** Draw the way to bring accounts back. */
export function RestorePage({
  translate,
  progress,
  gap,
  form,
}: {
  translate: Translate;
  progress: ShownProgress | undefined;
  /** How far the search goes if nothing is typed. */
  gap: number;
  form: FormState;
}): BoxElement {
  return (
    <Box>
      <Heading>{translate('accounts.restore')}</Heading>
      <Text>{translate('restore.meaning')}</Text>
      {progress ? (
        drawProgress(progress, translate)
      ) : (
        <Form name={RESTORE_FORM}>
          <Field label={translate('restore.gap')}>
            <Input
              name="gap"
              placeholder={String(gap)}
              {...typedValue(form, RESTORE_FORM, 'gap')}
            />
          </Field>
          <Button name="home.accounts.submit" type="submit">
            {translate('restore.go')}
          </Button>
        </Form>
      )}
      <Button name="home.accounts.list">{translate('home.back')}</Button>
    </Box>
  );
}

function Kind({ view, name }: { view: AccountFormView; name: string }): BoxElement {
  const { translate, chains, form } = view;
  const [first] = chains;
  return (
    <Box>
      <Field label={translate('accounts.type')}>
        <Dropdown name="type" value={findTyped(form, name, 'type') ?? EOA}>
          <Option value={EOA}>{translate('accounts.eoa')}</Option>
          <Option value={SMART}>{translate('accounts.smartNewest')}</Option>
          {newestFirst.map((version) => (
            <Option value={version}>{translate('accounts.smart', { version })}</Option>
          ))}
        </Dropdown>
      </Field>
      {first === undefined ? null : (
        <ChainChoice
          translate={translate}
          name="chain"
          label="create.chain"
          chains={chains}
          value={findTyped(form, name, 'chain') ?? first}
        />
      )}
    </Box>
  );
}
