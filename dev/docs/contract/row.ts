// The contract of a method. openrpc.json and the pages of docs are generated from these rows.
import type { Json } from '@metamask/utils';

import type { MethodName } from '../../../src/routes';
import { parse, parseObjectParams } from '../../../src/schema/parse';
import type { StructOf } from '../../../src/schema/parse';
import { isOptional, listItems } from '../schema/convert';
import type { AnyStruct, Source } from '../schema/source';
import type { ErrorCode } from './errors';

export type Param = {
  name: string;
  summary: string;
  source: Source;
  isRequired: boolean;
};

export type Params = {
  list: readonly Param[];
  /** Whether any number like the last one may follow. */
  isOpenEnded?: boolean;
  /** Reads params as the code does, and throws what it throws; signing methods read their own. */
  read?: (params: unknown) => void;
};

export type Result = { name: string; source: Source };

/** An error that is a method's own, and when, where the code alone does not tell. */
export type ErrorUse = ErrorCode | { code: ErrorCode; when: string };

export type Example = { name: string; params: Json[]; result: Json };

export type Row = {
  name: MethodName;
  summary: string;
  /** What else its callers must know. */
  description?: string;
  params: Params;
  result: Result;
  /** Whether the user is asked, in words. */
  asks: string;
  errors: readonly ErrorUse[];
  /** Whose own errors are passed on: `the node said`. */
  passesOn?: string;
  /** Whether its params can stand in an object that names account and chain. */
  takesEnvelope?: boolean;
  examples: readonly Example[];
};

export type Group = { title: string; rows: readonly Row[] };

/** What most methods that only look something up have in common. */
const defaults = { params: { list: [] }, asks: 'no', errors: [] };

/** Groups methods. Left out, they take no params, ask nobody and have no errors of their own. */
export function groupOf(
  title: string,
  rows: readonly (Omit<Row, keyof typeof defaults> & Partial<Row>)[],
): Group {
  return { title, rows: rows.map((row) => ({ ...defaults, ...row })) };
}

/**
 * Describe params by position.
 *
 * @param struct - The tuple that the code reads them with.
 * @param summaries - What each is, by name, in their order.
 */
export function positions<Type>(
  struct: AnyStruct & StructOf<Type>,
  summaries: Record<string, string>,
): Params {
  const names = Object.entries(summaries);
  const list = listItems(struct).map((item, index) => {
    const [name = '', summary = ''] = names[index] ?? [];
    return { name, summary, source: item, isRequired: !isOptional(item) };
  });
  if (list.length !== names.length) {
    throw new Error(`${names.length} params are described, ${list.length} are read.`);
  }
  return { list, read: (params) => void parse(params, struct, 'params') };
}

/** Describe params that are one object, which may stand in an array, and must by default be there. */
export function oneObject<Type>(
  struct: AnyStruct & StructOf<Type>,
  param: Pick<Param, 'name' | 'summary'> & Partial<Param>,
): Params {
  return {
    list: [{ isRequired: true, source: struct, ...param }],
    read: (params) => void parseObjectParams(params, struct, 'params'),
  };
}

export function required(name: string, summary: string, source: Source): Param {
  return { name, summary, source, isRequired: true };
}

export function optional(name: string, summary: string, source: Source): Param {
  return { name, summary, source, isRequired: false };
}
