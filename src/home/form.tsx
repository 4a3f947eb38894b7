// Forms as tables of fields. The same tables are used to draw a form and to read its values.
import {
  Button,
  Checkbox,
  Dropdown,
  Field,
  FileInput,
  Form,
  Input,
  Option,
} from '@metamask/snaps-sdk/jsx';
import type {
  CheckboxElement,
  FieldElement,
  FormElement,
} from '@metamask/snaps-sdk/jsx';
import { string, type } from '@metamask/superstruct';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { InvalidParamsError } from '../core/errors';
import { matches } from '../schema/parse';
import { toShownChain } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';

export type FormView = {
  translate: Translate;
  form: {
    /** Values entered by the user, by names of forms and fields. */
    typed: Record<string, Json>;
    hasFailed: boolean;
  };
  initial?: Record<string, string | boolean | undefined>;
};

export type Options = readonly (readonly [value: string, words: string])[];

/** Parses the text of a field, which can be empty only for a secret or a file. Throws an error with
 * a message for the user if the text is not valid. */
type Parse = (text: string, field: { name: string; translate: Translate }) => unknown;

export type FormField<View = FormView> = {
  label: TextKey | ((view: View) => string);
  /** The value of a `secret` is never drawn again. */
  kind: 'text' | 'secret' | 'file' | 'choice' | 'box';
  /** The options of a choice; the first one is selected initially. A choice without options is not
   * shown. */
  options?: (view: View) => Options;
  hint?: string | undefined;
  /** By default, the field is shown. */
  isShown?: (view: View) => boolean;
  /** By default, the value is the text. */
  parse?: Parse;
  button?: { name: string; children: string } | undefined;
};

export type FormFields<View> = Readonly<Record<string, FormField<View>>>;

export type HomeForm<View> = {
  name: string;
  fields: FormFields<View>;
  submit: { name: string; label: TextKey; variant?: 'destructive' };
};

type Filled<Fields> = {
  [Name in keyof Fields]:
    | (Fields[Name] extends { parse: (...args: never) => infer Value }
        ? Value
        : Fields[Name] extends { kind: 'box' }
          ? boolean
          : string)
    | undefined;
};

/** A file from the wallet, with Base64 contents. */
const FileStruct = type({ contents: string() });

export type ChainView = { translate: Translate; chains: readonly string[] };

export const chainField = {
  label: 'field.chain',
  kind: 'choice',
  options: ({ chains }: ChainView): Options =>
    chains.map((chain) => [chain, toShownChain(chain)]),
} as const;

/** Draws a chain choice that takes effect immediately. Its value is the CAIP-2 chain id. */
export function ChainChoice({
  name,
  value,
  ...view
}: ChainView & { name: string; value: string }): FieldElement {
  const { label, options } = chainField;
  return drawChoice(view.translate(label), options(view), { name, value });
}

export function drawChoice(
  label: string,
  options: Options,
  props: { name: string; value?: string },
): FieldElement {
  return (
    <Field label={label}>
      <Dropdown {...props}>
        {options.map(([value, words]) => (
          <Option value={value}>{words}</Option>
        ))}
      </Dropdown>
    </Field>
  );
}

export function drawForm<View extends FormView>(
  { name, fields, submit }: HomeForm<View>,
  view: View,
): FormElement {
  const { label, ...button } = submit;
  return (
    <Form name={name}>
      {Object.entries(fields).map(([field, row]) => [
        drawField(row, view, { name: field, form: name }),
        row.button ? <Button {...row.button} size="sm" /> : null,
      ])}
      <Button {...button} type="submit">
        {view.translate(label)}
      </Button>
    </Form>
  );
}

function drawField<View extends FormView>(
  { label, kind, hint, options, isShown }: FormField<View>,
  view: View,
  { name, form }: { name: string; form: string },
): FieldElement | CheckboxElement | null {
  if (isShown?.(view) === false) return null;
  const { translate, initial = {} } = view;
  const words = typeof label === 'string' ? translate(label) : label(view);
  // Without a `value`, the wallet keeps the text that the user entered.
  const typed = Object.hasOwn(view.form.typed, form) ? view.form.typed[form] : initial;
  const value = isObject(typed) && Object.hasOwn(typed, name) ? typed[name] : undefined;
  const given = typeof value === 'string' ? { value } : {};
  if (kind === 'box') {
    return <Checkbox name={name} label={words} checked={value === true} />;
  }
  if (kind === 'choice') {
    const all = options?.(view) ?? [];
    const [[first] = []] = all;
    if (first === undefined) return null;
    return drawChoice(words, all, { name, value: first, ...given });
  }
  // The wallet keeps an entered secret. After a failure, the empty text clears it.
  const secret = view.form.hasFailed ? { value: '' } : {};
  return (
    <Field label={words}>
      {kind === 'file' ? (
        <FileInput name={name} compact />
      ) : kind === 'secret' ? (
        <Input name={name} type="password" {...secret} />
      ) : (
        <Input name={name} placeholder={hint} {...given} />
      )}
    </Field>
  );
}

/** Reads a form's values. Throws `InvalidParamsError` with a message for the user if a value is
 * malformed. */
export function readForm<Fields extends FormFields<never>>(
  fields: Fields,
  values: Record<string, Json>,
  translate: Translate,
): Filled<Fields> {
  const read = Object.entries(fields).map(([name, { label, kind, parse }]) => {
    const value = values[name];
    if (typeof value === 'boolean') return [name, value];
    const text = toText(kind, value);
    if (text === undefined || parse === undefined) return [name, text];
    const words = typeof label === 'string' ? translate(label) : name;
    return [name, parse(text, { name: words, translate })];
  });
  return Object.fromEntries(read) as Filled<Fields>;
}

function toText(kind: FormField['kind'], value: Json | undefined): string | undefined {
  if (kind === 'file') return matches(value, FileStruct) ? value.contents : undefined;
  if (typeof value !== 'string') return undefined;
  return kind === 'secret' ? value : value.trim() || undefined;
}

export function upTo(most: number): (...args: Parameters<Parse>) => number {
  return (text, { name, translate }) => {
    const number = /^\d{1,10}$/u.test(text) ? Number(text) : 0;
    if (number >= 1 && number <= most) return number;
    const values = { name, least: 1, most };
    throw new InvalidParamsError(translate('form.noNumber', values));
  };
}
