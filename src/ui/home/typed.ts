// What was typed into a form, so that drawing it anew loses nothing; and what must be lost.
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

/** What a form is drawn with beside its data. */
export type FormState = {
  /** What was typed, by names of fields and forms. */
  typed: Record<string, Json>;
  /** Whether what was typed led to nothing. */
  hasFailed: boolean;
};

/** Find what was typed into a field of a form; undefined if nothing is known of it. */
export function findTyped(
  { typed }: FormState,
  form: string,
  field: string,
): string | undefined {
  const fields = Object.hasOwn(typed, form) ? typed[form] : undefined;
  if (!isObject(fields) || Array.isArray(fields)) return undefined;
  const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Get the `value` of a field: what was typed; without it, the wallet keeps what it has. */
export function typedValue(
  form: FormState,
  formName: string,
  field: string,
): { value?: string } {
  const value = findTyped(form, formName, field);
  return value === undefined ? {} : { value };
}

/**
 * Get the `value` of a field for a secret: nothing, which leaves to the wallet what is typed,
 * or the empty text after a failure, which takes it away. Never the secret.
 */
export function emptySecret({ hasFailed }: FormState): { value?: '' } {
  return hasFailed ? { value: '' } : {};
}

/** Tell whether a box of a form was ticked when it was last looked at. */
export function isTicked({ typed }: FormState, form: string, field: string): boolean {
  const fields = Object.hasOwn(typed, form) ? typed[form] : undefined;
  return isObject(fields) && Object.hasOwn(fields, field) && fields[field] === true;
}
