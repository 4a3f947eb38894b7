// What a user should know before signing, as data: finders say which text, how severe it is,
// and which values are in it; this file alone prints it.
import type { Hex } from '../eth/hex';
import { sortBySeverity } from './components';
import type { Notice, Severity } from './components';
import {
  toShownChain,
  toShownCoins,
  toShownCount,
  toRoundedFee,
  toShortHex,
  toShownLine,
  toShownTime,
} from './format';
import { fillIn } from './i18n';
import type { TextKey, Translate } from './i18n';
import { findTokenUnit } from './tokens';

/** Longest foreign text in a warning, unless it is {@link Value} `text`. */
const MAX_VALUE_LENGTH = 100;

/** Maximum number of warnings about numbered calls. Users do not read more. */
export const MAX_NUMBERED = 15;

/** The first sentence of a text, and the rest of it. One letter before a full stop abbreviates. */
const FirstSentence =
  /^(?<head>.*?(?:[^\s.]{2}[.!?](?=\s)|[。！？।]))\s*(?<tail>.*)$/su;

/** A value of a text; its type says how it is printed. */
export type Value =
  /** Foreign text of at most 100 characters, such as an address. */
  | string
  /** A count. */
  | bigint
  | number
  /** Numbers of calls. */
  | readonly number[]
  /** Foreign text of at most 200 characters. */
  | { text: string }
  /** A list that is shown whole. */
  | { list: string }
  /** Wei, in the chain's currency. */
  | { coins: bigint }
  /** Wei for a unit of gas. */
  | { fee: bigint }
  /** In ms since 1970. */
  | { time: number }
  /** CAIP-2. */
  | { chain: string }
  /** A token by its contract; in short, as {@link Value} `short`, if it is not known. */
  | { token: Hex }
  /** An address that a row of the same screen shows in full. */
  | { short: Hex }
  | { label: TextKey }
  | { warning: Warning };

/** What a user should know before signing. */
export type Warning = {
  /** Key of its text. */
  key: TextKey;
  severity: Severity;
  /** By placeholder. */
  values?: Readonly<Record<string, Value>>;
};

/** A warning about one of several calls, which are counted from 1. */
export type NumberedWarning = { number: number; warning: Warning };

const warningOf =
  (severity: Severity) =>
  (key: TextKey, values?: Warning['values']): Warning => ({
    key,
    severity,
    ...(values && { values }),
  });

/** It can cost the user everything, and no honest site asks for it. */
export const danger = warningOf('danger');

/** It deserves a second look. */
export const warning = warningOf('warning');

export const info = warningOf('info');

/** Lists what was found, where some finders find nothing. */
export function listFound(
  ...found: readonly (Warning | readonly Warning[] | false | undefined)[]
): Warning[] {
  return found.flatMap((each) => each || []);
}

/** Finds warnings about each of several calls, and numbers them. */
export function warnOfEach<Call>(
  calls: readonly Call[],
  find: (call: Call, index: number) => readonly Warning[],
): NumberedWarning[] {
  return calls.flatMap((call, index) =>
    find(call, index).map((each) => ({ warning: each, number: index + 1 })),
  );
}

export function listDistinct<Finding>(all: readonly Finding[]): Finding[] {
  return [...new Map(all.map((each) => [toText(each), each])).values()];
}

function toText(finding: unknown): string {
  return JSON.stringify(finding, (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

/**
 * Says of warnings which calls they are about: the same warning about several calls is given
 * once, with their numbers. The worst of many are kept.
 *
 * @param about - Key of the text around them, with `{number}` and `{text}`.
 */
export function numberWarnings(
  all: readonly NumberedWarning[],
  about: TextKey,
): Warning[] {
  const groups = new Map<string, { warning: Warning; numbers: number[] }>();
  for (const { warning: each, number } of all) {
    const id = toText(each);
    const group = groups.get(id) ?? { warning: each, numbers: [] };
    group.numbers.push(number);
    groups.set(id, group);
  }
  const numbered = sortBySeverity(
    [...groups.values()].map(({ warning: each, numbers }): Warning => ({
      key: about,
      severity: each.severity,
      values: { number: numbers, text: { warning: each } },
    })),
  );
  const more = numbered.length - MAX_NUMBERED;
  if (more <= 0) return numbered;
  return [...numbered.slice(0, MAX_NUMBERED), danger('alert.more', { count: more })];
}

/** Prints warnings, the worst first; amounts are in the currency of the chain (CAIP-2). */
export function printWarnings(
  warnings: readonly Warning[],
  translate: Translate,
  chain?: string,
): Notice[] {
  return sortBySeverity(warnings).map((each) => {
    const { head, tail } = printWarning(each, translate, chain);
    return { severity: each.severity, key: keyOf(each), title: head, text: tail };
  });
}

/** Returns the key of a warning; of one about a call, not that of the words around it. */
export function keyOf({ key, values = {} }: Warning): TextKey {
  const { text } = values;
  return typeof text === 'object' && 'warning' in text ? keyOf(text.warning) : key;
}

// Split before values are filled in, so that no foreign text decides where a sentence ends.
function printWarning(
  { key, values = {} }: Warning,
  translate: Translate,
  chain: string | undefined,
): { head: string; tail: string } {
  const text = translate.template(key);
  const { head = text, tail = '' } = FirstSentence.exec(text)?.groups ?? {};
  const inner = Object.values(values).find(
    (value) => typeof value === 'object' && 'warning' in value,
  );
  const nested = inner && printWarning(inner.warning, translate, chain);
  const fill = (part: string): string =>
    fillIn(part, (name) => {
      const value = values[name];
      if (value === undefined) return undefined;
      return value === inner ? nested?.head : printValue(value, translate, chain);
    });
  return {
    head: fill(head),
    tail: [fill(tail), nested?.tail].filter(Boolean).join(' '),
  };
}

function printValue(
  value: Value,
  translate: Translate,
  chain: string | undefined,
): string {
  if (typeof value === 'string') return toShownLine(value, MAX_VALUE_LENGTH);
  if (typeof value !== 'object') return toShownCount(value, translate);
  if ('length' in value) return toShownLine(value.join(', '));
  if ('text' in value) return toShownLine(value.text);
  if ('list' in value) return toShownLine(value.list, value.list.length);
  if ('coins' in value) return toShownCoins(value.coins, translate, chain);
  if ('fee' in value) return toRoundedFee(value.fee, translate);
  if ('time' in value) return toShownTime(value.time, translate);
  if ('chain' in value) return toShownChain(value.chain);
  if ('token' in value) {
    return findTokenUnit(chain ?? '', value.token)?.symbol ?? toShortHex(value.token);
  }
  if ('short' in value) return toShortHex(value.short);
  return 'label' in value ? translate(value.label) : '';
}
