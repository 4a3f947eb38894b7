// The form for a chain's servers, credentials and contracts: what a row is drawn as, what the
// values of the form say that a row shall be, and what a change changes, in words. No secret
// goes into the form; an empty field keeps it.
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
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { BoxElement, FieldElement } from '@metamask/snaps-sdk/jsx';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { findContracts } from '../chains/contracts';
import { serverFields } from '../chains/probe';
import type { ChainChange } from '../chains/probe';
import { toLabel } from '../client';
import { InvalidParamsError } from '../errors';
import { entryPointVersions } from '../eth/user-operation';
import { isSameJson } from '../same-json';
import { matches } from '../schema/parse';
import { oneOf } from '../schema/structs';
import type { ChainConfiguration, ChainRow } from '../state/chain-row';
import type { ShownChange } from '../ui/access';
import { toShownChain, toShownLine } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { emptySecret, findTyped, isTicked } from './tab';
import type { FormState } from './tab';

/** Name of the form. */
export const CHAIN_FORM = 'home.settings.saveChain';

/** What a field for a removal is named after its field's name. */
const REMOVE_SUFFIX = '-remove';

/** The value of a choice that stands for what holds with no configuration. */
const DEFAULT = 'default';

/** The name of a server's field, as the form's buttons give it. */
export const ServerFieldStruct = oneOf(serverFields);

type Name = keyof ChainConfiguration;

type Kind = 'url' | 'secret' | 'choice' | 'address' | 'json';

type Field = { name: Name; label: TextKey; kind: Kind };

const fields: readonly Field[] = [
  { name: 'rpcUrl', label: 'chain.rpcUrl', kind: 'url' },
  { name: 'wsUrl', label: 'chain.wsUrl', kind: 'url' },
  { name: 'gasBaseUrl', label: 'chain.gasBaseUrl', kind: 'url' },
  { name: 'gasAuth', label: 'chain.gasAuth', kind: 'choice' },
  { name: 'apiKey', label: 'chain.apiKey', kind: 'secret' },
  { name: 'apiKeySecret', label: 'chain.apiKeySecret', kind: 'secret' },
  { name: 'bundlerUrl', label: 'chain.bundlerUrl', kind: 'url' },
  { name: 'bundlerApiKey', label: 'chain.bundlerApiKey', kind: 'secret' },
  { name: 'entryPoint', label: 'chain.entryPoint', kind: 'choice' },
  { name: 'factory', label: 'chain.factory', kind: 'address' },
  { name: 'paymasterUrl', label: 'chain.paymasterUrl', kind: 'url' },
  { name: 'paymasterContext', label: 'chain.paymasterContext', kind: 'json' },
];

/** Writes what is configured in a field, without what is secret. */
type Write = (name: Name, row: ChainRow, translate: Translate) => string;

const writers: Record<Kind, Write> = {
  url: (name, row, translate) => {
    const url = row[name];
    return typeof url === 'string' ? toLabel(url) : translate('chain.isNotSet');
  },
  secret: (name, row, translate) =>
    translate(row[name] === undefined ? 'chain.isNotSet' : 'change.isSet'),
  choice: (name, row, translate) => {
    if (name === 'entryPoint') {
      const { version, address } = findContracts(row)?.entryPoint ?? {};
      return version === undefined
        ? translate('chain.entryPointDefault')
        : `${version} (${address})`;
    }
    const value = row[name] ?? DEFAULT;
    const auth = listAuths(translate).find(([each]) => each === value);
    return auth ? auth[1] : '';
  },
  address: (name, row, translate) => {
    const { factory } = findContracts(row) ?? {};
    if (factory === undefined) return translate('chain.isNotSet');
    // What holds without any configuration, and says so.
    return row[name] === undefined
      ? translate('change.default', { value: factory })
      : factory;
  },
  json: (name, row, translate) =>
    row[name] === undefined ? translate('chain.isNotSet') : JSON.stringify(row[name]),
};

/** Gets the label of a field. */
export function labelOf(name: string): TextKey | undefined {
  return fields.find((field) => field.name === name)?.label;
}

/** Names the servers of a row, without what is secret in their addresses. */
export function listServers(
  row: Record<string, Json>,
): { label: TextKey; address: string }[] {
  return fields.flatMap(({ name, label, kind }) => {
    const address = row[name];
    return kind === 'url' && typeof address === 'string' ? [{ label, address }] : [];
  });
}

/**
 * Reads what the form says into the params of tollkeeper_setChain, the chain aside.
 *
 * @throws {InvalidParamsError} If the paymaster's context is no JSON.
 */
export function toChanges(
  values: Record<string, Json>,
  row: ChainRow,
  translate: Translate,
): Record<string, Json> {
  const entries = fields.flatMap(({ name, kind }): [string, Json][] => {
    if (values[`${name}${REMOVE_SUFFIX}`] === true) return [[name, null]];
    const value = values[name];
    // Nobody has touched it, or it is not in the form.
    if (typeof value !== 'string') return [];
    const typed = value.trim();
    if (typed === (kind === 'choice' ? DEFAULT : '')) {
      const keeps = kind === 'secret' || (kind === 'url' && !isShowable(row[name]));
      return keeps || row[name] === undefined ? [] : [[name, null]];
    }
    // A choice has no empty value: nothing was said of it.
    if (typed === '' || typed === row[name]) return [];
    return [[name, kind === 'json' ? readJson(typed, translate) : typed]];
  });
  return Object.fromEntries(entries);
}

/** Writes what a change of a row changes, without what is secret. */
export function toShownChanges(
  { before, after }: ChainChange,
  translate: Translate,
): ShownChange[] {
  // Another EntryPoint can bring another factory with it.
  const hasOtherFactory =
    findContracts(before)?.factory !== findContracts(after)?.factory;
  return fields
    .filter(
      ({ name }) =>
        !isSameJson(before[name], after[name]) ||
        (name === 'factory' && hasOtherFactory),
    )
    .map(({ name, label, kind }) => {
      const from = writers[kind](name, before, translate);
      const to = writers[kind](name, after, translate);
      // The difference is in what is not shown.
      const words = from === to ? translate('change.other', { value: to }) : to;
      return { label, before: from, after: words };
    });
}

/** A chain whose configuration is edited. */
type ChainFormView = {
  translate: Translate;
  /** CAIP-2. */
  chain: string;
  row: ChainRow;
  form: FormState;
};

/** Draws the form. */
export function ChainForm(view: ChainFormView): BoxElement {
  const { translate, chain, form } = view;
  const shown = { ...view, form: { ...form, typed: withoutSecrets(form.typed) } };
  return (
    <Box>
      <Heading>{toShownChain(chain, translate)}</Heading>
      <Text>{translate('chain.meaning')}</Text>
      <Form name={CHAIN_FORM}>
        {fields.map((field) => drawField(field, shown))}
        <Button name="home.settings.submit:chain" type="submit">
          {translate('chain.save')}
        </Button>
      </Form>
      <Button name="home.settings.list">{translate('home.back')}</Button>
    </Box>
  );
}

// What may not be drawn again the wallet itself keeps in its field.
function withoutSecrets(typed: Record<string, Json>): Record<string, Json> {
  const values = typed[CHAIN_FORM];
  if (!isObject(values)) return typed;
  const kept = Object.entries(values as Record<string, Json>).filter(
    ([name, value]) => {
      const kind = fields.find((field) => field.name === name)?.kind;
      return kind === 'url' ? value === '' || isShowable(value) : kind !== 'secret';
    },
  );
  return { ...typed, [CHAIN_FORM]: Object.fromEntries(kept) };
}

function drawField(field: Field, view: ChainFormView): BoxElement {
  const { name, kind } = field;
  const { translate, row, form } = view;
  const words = translate(field.label);
  const removal = `${name}${REMOVE_SUFFIX}`;
  // Whether there is a value that the form does not hold.
  const isHidden =
    row[name] !== undefined &&
    (kind === 'secret' || (kind === 'url' && !isShowable(row[name])));
  return (
    <Box>
      {drawInput(field, isHidden, view)}
      {isHidden ? (
        <Checkbox
          name={removal}
          label={translate('chain.remove', { name: words })}
          checked={isTicked(form, CHAIN_FORM, removal)}
        />
      ) : null}
      {matches(name, ServerFieldStruct) ? (
        <Button name={`home.settings.test:${name}`} size="sm">
          {translate('chain.test', { name: words })}
        </Button>
      ) : null}
    </Box>
  );
}

function drawInput(
  { name, label, kind }: Field,
  isHidden: boolean,
  { translate, row, form }: ChainFormView,
): FieldElement {
  const words = translate(label);
  if (kind === 'secret') {
    const state = translate(isHidden ? 'chain.isSet' : 'chain.isNotSet');
    return (
      <FormField label={translate('chain.secret', { name: words, state })}>
        <Input name={name} type="password" {...emptySecret(form)} />
      </FormField>
    );
  }
  // What was typed and is not given here the wallet keeps by itself.
  const value = Object.hasOwn(form.typed, CHAIN_FORM)
    ? findTyped(form, CHAIN_FORM, name)
    : toValue(row[name], kind);
  const given = value === undefined ? {} : { value };
  if (kind === 'choice') {
    const options = name === 'gasAuth' ? listAuths(translate) : listVersions(translate);
    return (
      <FormField label={words}>
        <Dropdown name={name} {...given}>
          {options.map(([each, option]) => (
            <Option value={each}>{option}</Option>
          ))}
        </Dropdown>
      </FormField>
    );
  }
  const placeholder = isHidden
    ? { placeholder: toShownLine(toLabel(row[name] as string)) }
    : {};
  return (
    <FormField label={words}>
      <Input name={name} {...placeholder} {...given} />
    </FormField>
  );
}

// What stands in the form as long as nothing was typed; undefined of what has a secret in it.
function toValue(configured: ChainRow[Name], kind: Kind): string | undefined {
  if (configured === undefined) return kind === 'choice' ? DEFAULT : undefined;
  if (typeof configured !== 'string') return JSON.stringify(configured);
  return kind === 'url' && !isShowable(configured) ? undefined : configured;
}

// A trailing slash aside, nothing of it is hidden.
function isShowable(url: unknown): boolean {
  if (typeof url !== 'string') return false;
  try {
    return toLabel(url) === url.replace(/\/$/u, '');
  } catch {
    // What is no URL may hold anything.
    return false;
  }
}

function listAuths(translate: Translate): [string, string][] {
  return [
    [DEFAULT, translate('chain.authDefault')],
    ['basic', translate('chain.authBasic')],
    ['path', translate('chain.authPath')],
  ];
}

function listVersions(translate: Translate): [string, string][] {
  return [
    [DEFAULT, translate('chain.entryPointDefault')],
    ...entryPointVersions.map((version): [string, string] => [version, version]),
  ];
}

function readJson(words: string, translate: Translate): Json {
  try {
    return JSON.parse(words) as Json;
  } catch {
    throw new InvalidParamsError(translate('chain.noJson'));
  }
}
