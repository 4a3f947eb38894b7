// The params of a form as they are edited: they follow the example until somebody types.
import { useState } from 'preact/hooks';

import { findFirstStep } from './given';
import type { Given } from './given';
import { parseJson } from './json';
import type { MethodRow, Params } from './row';

/** Params that are edited. */
export type EditedParams = {
  text: string;
  /** Why they cannot be used. */
  problem?: string;
  /** What they are, as far as they can be read. */
  params?: Params;
  /** What is to be done before there is an example. */
  firstStep?: string | undefined;
  isEdited: boolean;
  edit: (text: string) => void;
  /** Go back to the example. */
  reset: () => void;
};

/** Keep the params of a form. */
export function useParams(row: MethodRow, given: Given): EditedParams {
  const [edited, edit] = useState<string>();
  const firstStep = findFirstStep(row.needs, given);
  const example =
    firstStep === undefined ? JSON.stringify(row.example(given), null, 2) : '';
  const text = edited ?? example;
  const read =
    text.trim() === '' && firstStep ? { problem: firstStep } : readParams(text);
  const reset = (): void => edit(undefined);
  const isEdited = edited !== undefined;
  return { text, ...read, firstStep, isEdited, edit, reset };
}

/** Read params: an array, or an object that has one in it. */
export function readParams(text: string): { problem: string } | { params: Params } {
  const parsed = parseJson(text);
  if ('problem' in parsed) return parsed;
  const { value } = parsed;
  return typeof value === 'object' && value !== null
    ? { params: value as Params }
    : { problem: 'Params are an array, or an object with account, scope and params.' };
}
