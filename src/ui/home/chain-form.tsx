// The form for a chain's servers, credentials and contracts. What is secret is never in it:
// its field is empty, which keeps what is set.
import {
  Box,
  Button,
  Checkbox,
  Dropdown,
  Field,
  Form,
  Heading,
  Input,
  Option,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type {
  BoxElement,
  ButtonElement,
  CheckboxElement,
  FieldElement,
} from '@metamask/snaps-sdk/jsx';

import { toShownChain, toShownLine } from '../format';
import type { TextKey, Translate } from '../i18n';
import { emptySecret, findTyped, isTicked } from './typed';
import type { FormState } from './typed';

/** Name of the form. */
export const CHAIN_FORM = 'home.settings.saveChain';

/** What a field for a removal is named after its field's name. */
export const REMOVE_SUFFIX = '-remove';

/** A field of the form. */
export type ChainField = {
  name: string;
  label: TextKey;
  /** `secret`: credentials; `choice`: one of `options`. */
  kind: 'text' | 'secret' | 'choice';
  /** The value as it may be shown and edited; undefined of a secret. */
  value?: string;
  /** Of a value with a secret in it: what may be shown of it. */
  hint?: string;
  /** Whether there is a value that the form does not hold. */
  isHidden: boolean;
  options?: readonly (readonly [value: string, label: string])[];
  /** Whether there is a server at it that can be asked. */
  canTest: boolean;
};

/** A chain whose configuration is edited. */
export type ChainFormView = {
  translate: Translate;
  /** CAIP-2. */
  chain: string;
  fields: readonly ChainField[];
  form: FormState;
};

/** Draw the form. */
export function ChainForm(view: ChainFormView): BoxElement {
  const { translate, chain, fields } = view;
  return (
    <Box>
      <Heading>{toShownChain(chain, translate)}</Heading>
      <Text>{translate('chain.meaning')}</Text>
      <Form name={CHAIN_FORM}>
        {fields.map((field) => drawField(field, view))}
        <Button name="home.settings.submit:chain" type="submit">
          {translate('chain.save')}
        </Button>
      </Form>
      <Button name="home.settings.list">{translate('home.back')}</Button>
    </Box>
  );
}

function drawField(field: ChainField, view: ChainFormView): BoxElement {
  return (
    <Box>
      <ChainInput field={field} view={view} />
      {field.isHidden ? <Removal field={field} view={view} /> : null}
      {field.canTest ? <TestButton field={field} view={view} /> : null}
    </Box>
  );
}

type FieldView = { field: ChainField; view: ChainFormView };

function ChainInput({ field, view: { translate, form } }: FieldView): FieldElement {
  const { name, label, kind, options = [], hint, isHidden } = field;
  // What was typed and is not given here the wallet keeps by itself.
  const value = Object.hasOwn(form.typed, CHAIN_FORM)
    ? findTyped(form, CHAIN_FORM, name)
    : field.value;
  const given = value === undefined ? {} : { value };
  if (kind === 'choice') {
    return (
      <Field label={translate(label)}>
        <Dropdown name={name} {...given}>
          {options.map(([each, words]) => (
            <Option value={each}>{words}</Option>
          ))}
        </Dropdown>
      </Field>
    );
  }
  if (kind === 'secret') {
    const state = translate(isHidden ? 'chain.isSet' : 'chain.isNotSet');
    return (
      <Field label={translate('chain.secret', { name: translate(label), state })}>
        <Input name={name} type="password" {...emptySecret(form)} />
      </Field>
    );
  }
  const placeholder = hint === undefined ? {} : { placeholder: toShownLine(hint) };
  return (
    <Field label={translate(label)}>
      <Input name={name} {...placeholder} {...given} />
    </Field>
  );
}

function Removal({ field, view }: FieldView): CheckboxElement {
  const { name, label } = field;
  const { translate, form } = view;
  const removal = `${name}${REMOVE_SUFFIX}`;
  return (
    <Checkbox
      name={removal}
      label={translate('chain.remove', { name: translate(label) })}
      checked={isTicked(form, CHAIN_FORM, removal)}
    />
  );
}

function TestButton({ field, view: { translate } }: FieldView): ButtonElement {
  const { name, label } = field;
  return (
    <Button name={`home.settings.test:${name}`} size="sm">
      {translate('chain.test', { name: translate(label) })}
    </Button>
  );
}
