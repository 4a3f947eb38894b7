// The fields of the form for a chain: what a row is drawn as, and what the form's values say
// that a row shall be. No secret goes into the form; an empty field keeps it.
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { findContracts } from '../../chains/contracts';
import { serverFields } from '../../chains/probe';
import type { ChainChange } from '../../chains/probe';
import { toLabel } from '../../client';
import { InvalidParamsError } from '../../errors';
import { entryPointVersions } from '../../eth/user-operation';
import { isSameJson } from '../../same-json';
import { matches } from '../../schema/parse';
import { oneOf } from '../../schema/structs';
import type { ChainConfiguration, ChainRow } from '../../state/chain-row';
import type { ShownChange } from '../../ui/confirm/changes';
import { CHAIN_FORM, REMOVE_SUFFIX } from '../../ui/home/chain-form';
import type { ChainField } from '../../ui/home/chain-form';
import type { TextKey, Translate } from '../../ui/i18n';

type Name = keyof ChainConfiguration;

type Kind = 'url' | 'secret' | 'choice' | 'address' | 'json';

/** The value of a choice that stands for what holds with no configuration. */
const DEFAULT = 'default';

const rows: readonly [name: Name, label: TextKey, kind: Kind][] = [
  ['rpcUrl', 'chain.rpcUrl', 'url'],
  ['wsUrl', 'chain.wsUrl', 'url'],
  ['gasBaseUrl', 'chain.gasBaseUrl', 'url'],
  ['gasAuth', 'chain.gasAuth', 'choice'],
  ['apiKey', 'chain.apiKey', 'secret'],
  ['apiKeySecret', 'chain.apiKeySecret', 'secret'],
  ['bundlerUrl', 'chain.bundlerUrl', 'url'],
  ['bundlerApiKey', 'chain.bundlerApiKey', 'secret'],
  ['entryPoint', 'chain.entryPoint', 'choice'],
  ['factory', 'chain.factory', 'address'],
  ['paymasterUrl', 'chain.paymasterUrl', 'url'],
  ['paymasterContext', 'chain.paymasterContext', 'json'],
];

/** The name of a server's field, as the form's buttons give it. */
export const ServerFieldStruct = oneOf(serverFields);

/** Get the label of a field. */
export function labelOf(name: string): TextKey | undefined {
  return rows.find(([each]) => each === name)?.[1];
}

/** Write a row as the fields of the form. */
export function toFields(row: ChainRow, translate: Translate): ChainField[] {
  return rows.map(([name, label, kind]) => ({
    name,
    label,
    canTest: matches(name, ServerFieldStruct),
    ...drawers[kind](name, row, translate),
  }));
}

type Drawn = Pick<ChainField, 'kind' | 'isHidden' | 'value' | 'hint' | 'options'>;

const drawers: Record<
  Kind,
  (name: Name, row: ChainRow, translate: Translate) => Drawn
> = {
  url: (name, row) => {
    const url = row[name];
    if (typeof url !== 'string') return { kind: 'text', isHidden: false };
    return isShowable(url)
      ? { kind: 'text', isHidden: false, value: url }
      : { kind: 'text', isHidden: true, hint: toLabel(url) };
  },
  secret: (name, row) => ({ kind: 'secret', isHidden: row[name] !== undefined }),
  choice: (name, row, translate) => ({
    kind: 'choice',
    isHidden: false,
    value: (row[name] as string | undefined) ?? DEFAULT,
    options: name === 'gasAuth' ? listAuths(translate) : listVersions(translate),
  }),
  address: (name, row) => ({
    kind: 'text',
    isHidden: false,
    ...shown(row[name] as string | undefined),
  }),
  json: (name, row) => ({
    kind: 'text',
    isHidden: false,
    ...shown(row[name] && JSON.stringify(row[name])),
  }),
};

/**
 * Read what the form says into the params of tollkeeper_setChain, the chain aside.
 *
 * @throws {InvalidParamsError} If the paymaster's context is no JSON.
 */
export function toChanges(
  values: Record<string, Json>,
  row: ChainRow,
  translate: Translate,
): Record<string, Json> {
  const entries = rows.flatMap(([name, , kind]): [string, Json][] => {
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

/** Leave out what may not be drawn again; the wallet itself keeps it in its field. */
export function toShownTyped(typed: Record<string, Json>): Record<string, Json> {
  const fields = typed[CHAIN_FORM];
  if (!isObject(fields)) return typed;
  const hidden = rows
    .filter(([name, , kind]) => {
      const value = (fields as Record<string, Json>)[name];
      return (
        kind === 'secret' || (kind === 'url' && value !== '' && !isShowable(value))
      );
    })
    .map(([name]) => name as string);
  const shownFields = Object.entries(fields).filter(([name]) => !hidden.includes(name));
  return { ...typed, [CHAIN_FORM]: Object.fromEntries(shownFields) };
}

/** Write what a change of a row changes, without what is secret. */
export function toShownChanges(
  { before, after }: ChainChange,
  translate: Translate,
): ShownChange[] {
  // Another EntryPoint can bring another factory with it.
  const hasOtherFactory =
    findContracts(before)?.factory !== findContracts(after)?.factory;
  return rows
    .filter(
      ([name]) =>
        !isSameJson(before[name], after[name]) ||
        (name === 'factory' && hasOtherFactory),
    )
    .map(([name, label, kind]) => {
      const [from, to] = [before, after].map((row) =>
        writers[kind](name, row, translate),
      ) as [string, string];
      // The difference is in what is not shown.
      const words = from === to ? translate('change.other', { value: to }) : to;
      return { label, before: from, after: words };
    });
}

const writers: Record<
  Kind,
  (name: Name, row: ChainRow, translate: Translate) => string
> = {
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

/** Name the servers of a row, without what is secret in their addresses. */
export function listServers(row: Record<string, Json>): {
  label: TextKey;
  address: string;
}[] {
  return rows.flatMap(([name, label, kind]) => {
    const address = row[name];
    return kind === 'url' && typeof address === 'string' ? [{ label, address }] : [];
  });
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

function shown(value: string | undefined): { value?: string } {
  return value === undefined ? {} : { value };
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

function readJson(text: string, translate: Translate): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new InvalidParamsError(translate('chain.noJson'));
  }
}
