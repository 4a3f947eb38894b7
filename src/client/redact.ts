// Keeps secrets out of what is shown of others' texts: servers quote what they were sent,
// and what carries a request quotes its address.
import { isObject } from '@metamask/utils';

/** What stands in a text where a secret was. */
export const REDACTED = '[redacted]';

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Shorter texts stand in any message by chance, and are nobody's secret. */
const MIN_SECRET = 4;

/** How far causes of causes are followed. */
const MAX_CAUSES = 5;

/** Create a function that takes secrets out of a text, encoded for addresses or not. */
export function createRedact(secrets: readonly string[]): Redact {
  const forms = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter(({ length }) => length >= MIN_SECRET)
    // The longest first: one can be a part of another.
    .sort((one, other) => other.length - one.length);
  return (text) => forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), text);
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
