// Keeps secrets out of what is shown of others' texts: servers quote what they were sent,
// and what carries a request quotes its address.
import { isObject } from '@metamask/utils';

/** What stands in a text where a secret was. */
export const REDACTED = '[redacted]';

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Shorter texts stand in any message by chance, and are nobody's secret. */
const MIN_SECRET = 4;

/** Shortest beginning of a longer one that is taken out. */
const MIN_BEGINNING = 8;

/** How far causes of causes are followed. */
const MAX_CAUSES = 5;

/**
 * Create a function that takes secrets out of a text: in any case, encoded for addresses,
 * JSON or pages or not, and cut off at the end as servers write keys that they do not know.
 */
export function createRedact(secrets: readonly string[]): Redact {
  let passes: RegExp[] | undefined;
  return (text) => {
    // Most endpoints never need them.
    passes ??= toPasses(secrets.filter(({ length }) => length >= MIN_SECRET));
    return passes.reduce((rest, pass) => rest.replace(pass, REDACTED), text);
  };
}

// What is left of one secret must not be taken for the beginning of another: whole ones go
// first, the longest of them before those that are a part of it.
function toPasses(secrets: readonly string[]): RegExp[] {
  const all = [...new Set(secrets.flatMap(toForms))].sort(
    (one, other) => other.length - one.length,
  );
  return [all.map(escape), all.flatMap(toBeginning)]
    .filter(({ length }) => length > 0)
    .map((patterns) => new RegExp(patterns.join('|'), 'giu'));
}

// As servers and platforms write what they quote.
function toForms(secret: string): string[] {
  const component = encodeURIComponent(secret);
  const strict = component.replace(/[!'()*]/gu, (sign) => `%${toHex(sign, 2)}`);
  const json = toJsonForm(secret);
  const ascii = json.replace(/[^ -~]/g, (unit) => `\\u${toHex(unit, 4)}`);
  const page = PAGE_FORMS.reduce<string>(
    (rest, [sign, form]) => rest.replaceAll(sign, form),
    secret,
  );
  const forms = [secret, component, strict, strict.replaceAll('%20', '+'), json, ascii];
  return [...forms, ascii.replaceAll('/', '\\/'), toJsonForm(json), page];
}

function toJsonForm(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const PAGE_FORMS = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
] as const;

function toHex(unit: string, digits: number): string {
  return unit.charCodeAt(0).toString(16).padStart(digits, '0');
}

// With all that hangs on it. Words begin like other words: what has no digit counts as a
// whole alone.
function toBeginning(secret: string): string[] {
  const least = Math.max(secret.search(/\d/u) + 1, MIN_BEGINNING);
  if (!/\d/u.test(secret) || secret.length <= least) return [];
  return [`${escape(secret.slice(0, least))}[\\w%.~+=-]*`];
}

function escape(text: string): string {
  return text.replace(/[$(-+./?[-^{|}]/gu, '\\$&');
}

/**
 * Copy what was thrown by something that was given secrets.
 *
 * @returns Its message, code and causes without the secrets; undefined if it is no error.
 */
export function redactError(
  thrown: unknown,
  redact: Redact,
  left = MAX_CAUSES,
): Error | undefined {
  if (!isObject(thrown) || typeof thrown.message !== 'string' || left === 0) {
    return undefined;
  }
  const { message, code } = thrown;
  const cause = redactError(thrown.cause, redact, left - 1);
  const copy = new Error(redact(message), cause && { cause });
  return typeof code === 'string' ? Object.assign(copy, { code: redact(code) }) : copy;
}
