// The form for a chain's servers, credentials and contracts: draws it, reads its values, and
// describes changes. The form never shows stored secrets. A secret whose field is empty is kept.
import { Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement } from '@metamask/snaps-sdk/jsx';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { toLabel } from '../../packages/client/src/endpoint';
import { findContracts } from '../chains/contracts';
import { serverFields } from '../chains/probe';
import type { ChainChange } from '../chains/probe';
import { entryPointVersions } from '../core/entry-points';
import { InvalidParamsError } from '../core/errors';
import { isSameJson, matches } from '../schema/parse';
import { oneOf } from '../schema/structs';
import type { ChainConfiguration, ChainRow } from '../state/chain-row';
import type { ShownChange } from '../ui/access';
import type { LabeledValue } from '../ui/components';
import { toShownChain, toShownLine } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';
import { drawForm } from './form';
import type { FormField, FormView, Options } from './form';
import { Subpage } from './tab';

export const CHAIN_FORM = 'home.settings.saveChain';

const REMOVE_SUFFIX = '-remove';

const DEFAULT = 'default';

export const ServerFieldStruct = oneOf(serverFields);

type Kind = 'url' | 'secret' | 'choice' | 'address' | 'json';

const kinds = {
  rpcUrl: 'url',
  wsUrl: 'url',
  gasBaseUrl: 'url',
  gasAuth: 'choice',
  apiKey: 'secret',
  apiKeySecret: 'secret',
  bundlerUrl: 'url',
  bundlerApiKey: 'secret',
  entryPoint: 'choice',
  factory: 'address',
  paymasterUrl: 'url',
  paymasterContext: 'json',
} as const satisfies Record<keyof ChainConfiguration, Kind>;

type Field = { name: keyof typeof kinds; label: TextKey; kind: Kind };

const fields = Object.entries(kinds).map(([name, kind]): Field => {
  const field = name as Field['name'];
  return { name: field, label: `chain.${field}`, kind };
});

function listOptions(name: Field['name'], translate: Translate): Options {
  return name === 'gasAuth'
    ? [
        [DEFAULT, translate('chain.authDefault')],
        ['basic', translate('chain.authBasic')],
        ['path', translate('chain.authPath')],
      ]
    : [
        [DEFAULT, translate('chain.entryPointDefault')],
        ...entryPointVersions.map((version) => [version, version] as const),
      ];
}

function formatValue(
  { name, kind }: Field,
  row: ChainRow,
  translate: Translate,
): string {
  const value = row[name];
  const { entryPoint, factory } = findContracts(row) ?? {};
  if (kind === 'address') {
    if (factory === undefined) return translate('chain.isNotSet');
    return value === undefined
      ? translate('change.default', { value: factory })
      : factory;
  }
  if (name === 'entryPoint' && entryPoint) {
    return `${entryPoint.version} (${entryPoint.address})`;
  }
  if (kind === 'choice') {
    const all = listOptions(name, translate);
    return all.find(([each]) => each === (value ?? DEFAULT))?.[1] ?? '';
  }
  if (value === undefined) return translate('chain.isNotSet');
  if (kind === 'secret') return translate('change.isSet');
  return typeof value === 'string' ? toLabel(value) : JSON.stringify(value);
}

export function labelOf(name: string): TextKey | undefined {
  return fields.find((field) => field.name === name)?.label;
}

export function listServers(row: Record<string, Json>): LabeledValue[] {
  return fields.flatMap(({ name, label, kind }) => {
    const address = row[name];
    return kind === 'url' && typeof address === 'string'
      ? [[label, toShownLine(address)]]
      : [];
  });
}

/** Converts the form's values to the params of tollkeeper_setChain, without the chain. Throws
 * `InvalidParamsError` if the paymaster's context is not JSON. */
export function toChanges(
  values: Record<string, Json>,
  row: ChainRow,
  translate: Translate,
): Record<string, Json> {
  const entries = fields.flatMap((field): [string, Json][] => {
    const { name, kind } = field;
    if (values[`${name}${REMOVE_SUFFIX}`] === true) return [[name, null]];
    const value = values[name];
    // The field is unchanged, or not in the form.
    if (typeof value !== 'string') return [];
    const typed = value.trim();
    if (typed === (kind === 'choice' ? DEFAULT : '')) {
      const isKept = kind === 'secret' || isHidden(field, row);
      return isKept || row[name] === undefined ? [] : [[name, null]];
    }
    // An empty choice is unchanged.
    if (typed === '' || typed === row[name]) return [];
    return [[name, kind === 'json' ? readJson(typed, translate) : typed]];
  });
  return Object.fromEntries(entries);
}

export function toShownChanges(
  { before, after }: ChainChange,
  translate: Translate,
): ShownChange[] {
  // A different EntryPoint can imply a different factory.
  const hasOtherFactory =
    findContracts(before)?.factory !== findContracts(after)?.factory;
  return fields
    .filter(
      ({ name }) =>
        !isSameJson(before[name], after[name]) ||
        (name === 'factory' && hasOtherFactory),
    )
    .map((field) => {
      const from = formatValue(field, before, translate);
      const to = formatValue(field, after, translate);
      // Only a secret, or the hidden part of a URL, differs.
      const words = from === to ? translate('change.other', { value: to }) : to;
      return { label: field.label, before: from, after: words };
    });
}

type ChainFormView = FormView & { chain: string; row: ChainRow };

export function ChainForm(view: ChainFormView): BoxElement {
  const { translate, chain, row, form } = view;
  const values = fields.map((field) => [field.name, toInitial(field, row)] as const);
  const shown = {
    translate,
    initial: Object.fromEntries(values),
    form: { ...form, typed: withoutSecrets(form.typed) },
  };
  return (
    <Subpage {...view} title={toShownChain(chain)} list="home.settings.list">
      <Text>{translate('chain.meaning')}</Text>
      {drawForm(
        {
          name: CHAIN_FORM,
          fields: Object.fromEntries(
            fields.flatMap((field) => toFormFields(field, row, translate)),
          ),
          submit: { name: 'home.settings.submit:chain', label: 'chain.save' },
        },
        shown,
      )}
    </Subpage>
  );
}

// A field with a hidden value has a checkbox to remove the value. A server's field has a button to
// test the server.
function toFormFields(
  field: Field,
  row: ChainRow,
  translate: Translate,
): [string, FormField][] {
  const { name, kind } = field;
  const words = translate(field.label);
  const isSet = isHidden(field, row);
  const state = translate(isSet ? 'chain.isSet' : 'chain.isNotSet');
  const removal = translate('chain.remove', { name: words });
  const test = {
    name: `home.settings.test:${name}`,
    children: translate('chain.test', { name: words }),
  };
  const shown: FormField = {
    kind: kind === 'secret' || kind === 'choice' ? kind : 'text',
    label: () =>
      kind === 'secret' ? translate('chain.secret', { name: words, state }) : words,
    options: () => listOptions(name, translate),
    hint:
      isSet && kind === 'url' ? toShownLine(toLabel(row[name] as string)) : undefined,
  };
  const remove: FormField = { kind: 'box', label: () => removal };
  const button = matches(name, ServerFieldStruct) ? test : undefined;
  return isSet
    ? [
        [name, shown],
        [`${name}${REMOVE_SUFFIX}`, { ...remove, button }],
      ]
    : [[name, { ...shown, button }]];
}

// A redrawn form omits secrets, since the wallet keeps them in their fields.
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

function isHidden({ name, kind }: Field, row: ChainRow): boolean {
  const value = row[name];
  if (value === undefined) return false;
  return kind === 'secret' || (kind === 'url' && !isShowable(value));
}

function toInitial(field: Field, row: ChainRow): string | undefined {
  const value = row[field.name];
  if (value === undefined || isHidden(field, row)) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isShowable(url: unknown): boolean {
  if (typeof url !== 'string') return false;
  try {
    return toLabel(url) === url.replace(/\/$/u, '');
  } catch {
    // A text that is not a URL may contain anything.
    return false;
  }
}

function readJson(words: string, translate: Translate): Json {
  try {
    return JSON.parse(words) as Json;
  } catch {
    throw new InvalidParamsError(translate('chain.noJson'));
  }
}
