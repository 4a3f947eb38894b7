// Reads a dialog's content from its elements, as a user would.
import { readFileSync } from 'node:fs';

import { elementsOf, isElement } from '../../packages/testing/src/view';
import { createTranslate } from '../../src/ui/i18n';
import type { TextKey, Texts, Translate } from '../../src/ui/i18n';

export { elementsOf };

export const english = JSON.parse(readFileSync('locales/ui/en.json', 'utf8')) as Texts;

/**
 * Returns an English text.
 *
 * @throws {Error} If the text is missing, or a placeholder has no value.
 */
export const translate: Translate = Object.assign(
  (key: TextKey, values?: Parameters<Translate>[1]) => {
    if (!Object.hasOwn(english, key)) throw new Error(`There is no text "${key}".`);
    const text = createTranslate(english)(key, values);
    const unfilled = /\{\w+\}/u.exec(english[key])?.[0];
    if (unfilled !== undefined && text.includes(unfilled)) {
      throw new Error(`The text "${key}" was not given ${unfilled}.`);
    }
    return text;
  },
  { template: (key: TextKey) => english[key], language: 'en' },
);

export function textOf(key: TextKey, values?: Record<string, string>): string {
  return translate(key, values);
}

/** Titles that only state the severity. Other titles begin the banner's text. */
const severityTitles = (['danger.title', 'warning.title', 'info.title'] as const).map(
  (key) => english[key],
);

/** Lists all text in a dialog, labels and values alike, in order. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (Array.isArray(content)) return content.flatMap(textsOf);
  if (!isElement(content)) return [];
  const { label, title, value, address, children } = content.props;
  if (content.type === 'CollapsibleSection') {
    // Joins the two halves of an address.
    const line = String(label).replace(/(0x\w{19}) (\w{21})/gu, '$1$2');
    return [line, children].flatMap(textsOf);
  }
  if (content.type === 'Banner' && !severityTitles.includes(String(title))) {
    return [[title, ...textsOf(children)].join(' ')];
  }
  return [label, title, value, address, children].flatMap(textsOf);
}

export function writeView(content: unknown): string {
  return textsOf(content).join('\n');
}

type Notice = { severity: string; text: string };

/** Lists a dialog's warnings: banners, and the list of several dangers. */
export function noticesOf(content: unknown): Notice[] {
  const notices: Notice[] = [];
  let isList = false;
  for (const element of elementsOf(content)) {
    const { type, props } = element;
    if (type === 'Checkbox') isList = false;
    if (type === 'CollapsibleSection' && isList) {
      notices.push({ severity: 'danger', text: textsOf(element).join(' ').trim() });
    }
    if (type !== 'Banner') continue;
    isList = /^\d+ dangers$/u.test(String(props.title));
    const [text = ''] = textsOf(element).slice(-1);
    if (!isList) notices.push({ severity: String(props.severity), text });
  }
  return notices;
}

export function warningsOf(content: unknown): string[] {
  return noticesOf(content).map(({ text }) => text);
}

export function severitiesOf(content: unknown): string[] {
  return noticesOf(content).map(({ severity }) => severity);
}

export function namesOf(content: unknown, type: string): string[] {
  return elementsOf(content)
    .filter((element) => element.type === type)
    .map(({ props }) => String(props.name));
}

/** Finds a button's full name, whose part after the colon identifies the screen. */
export function buttonOf(content: unknown, name: string): string {
  const names = namesOf(content, 'Button');
  return names.find((each) => each.replace(/:.*$/u, '') === name) ?? name;
}
