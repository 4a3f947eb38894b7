// Warnings before signing, as data. Finders choose the text, its severity and its values, and only
// this file formats them.
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

/** Maximum length of a foreign text in a warning, unless it is a {@link Value} `text` or `list`. */
const MAX_VALUE_LENGTH = 100;

/** Maximum warnings about numbered calls. Users do not read more. */
export const MAX_NUMBERED = 15;

/** Matches a text's first sentence and the remaining text. A single letter before a full stop is an
 * abbreviation. */
const FIRST_SENTENCE =
  /^(?<head>.*?(?:[^\s.]{2}[.!?](?=\s)|[。！？।]))\s*(?<tail>.*)$/su;

/** A value in a message; its type determines how it is printed. */
export type Value =
  /** Foreign text of at most 100 characters, such as an address. */
  | string
  | bigint
  | number
  /** Numbers of several calls, counted from 1. */
  | readonly number[]
  /** Foreign text of at most 200 characters. */
  | { text: string }
  /** A list that is shown in full. */
  | { list: string }
  /** Wei, in the chain's currency. */
  | { coins: bigint }
  /** Wei per gas. */
  | { fee: bigint }
  /** A time in ms since 1970. */
  | { time: number }
  /** CAIP-2. */
  | { chain: string }
  /** A token by its contract; an unknown one is shortened like {@link Value} `short`. */
  | { token: Hex }
  /** An address that a row of the same screen shows in full. */
  | { short: Hex }
  | { label: TextKey }
  | { warning: Warning };

export type Warning = {
  key: TextKey;
  severity: Severity;
  values?: Readonly<Record<string, Value>>;
};

/** A warning about one of several calls, counted from 1. */
export type NumberedWarning = { number: number; warning: Warning };

const warningOf =
  (severity: Severity) =>
  (key: TextKey, values?: Warning['values']): Warning => ({
    key,
    severity,
    ...(values && { values }),
  });

/** A warning of something that can cost the user everything and that no honest site requests. */
export const danger = warningOf('danger');

/** A warning of something that deserves a second look. */
export const warning = warningOf('warning');

export const info = warningOf('info');

/** Flattens the results of several finders, without `false` and `undefined`. */
export function listFound(
  ...found: readonly (Warning | readonly Warning[] | false | undefined)[]
): Warning[] {
  return found.flatMap((each) => each || []);
}

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
 * Merges equal warnings about several calls into one that lists the calls. If there are too many,
 * keeps the worst, and a danger that counts the others.
 *
 * @param about - Key of the text around each warning, with `{number}` and `{text}`.
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

/** Prints warnings, worst first; amounts are in the native currency of `chain` (CAIP-2). */
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

/** Returns a warning's key. For a warning wrapped in a text about its call, this is the inner
 * warning's key. */
export function keyOf({ key, values = {} }: Warning): TextKey {
  const { text } = values;
  return typeof text === 'object' && 'warning' in text ? keyOf(text.warning) : key;
}

// Splits the text before filling in its values, so that foreign text cannot decide where a sentence
// ends.
function printWarning(
  { key, values = {} }: Warning,
  translate: Translate,
  chain: string | undefined,
): { head: string; tail: string } {
  const text = translate.template(key);
  const { head = text, tail = '' } = FIRST_SENTENCE.exec(text)?.groups ?? {};
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
