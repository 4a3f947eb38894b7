// The contract of a method. openrpc.json and the pages of docs are generated from these rows.
import type { Json } from '@metamask/utils';

import type { MethodName } from '../../../src/routes';
import { parse, parseObjectParams } from '../../../src/schema/parse';
import type { StructOf } from '../../../src/schema/parse';
import { isOptional, listItems, takes } from '../schema/convert';
import type { AnyStruct, Source } from '../schema/words';
import type { ErrorCode } from './errors';

/** A param by its position. */
export type Param = {
  name: string;
  summary: string;
  source: Source;
  isRequired: boolean;
};

/** Params of a method. */
export type Params = {
  list: readonly Param[];
  /** Whether any number like the last one may follow. */
  isOpenEnded?: boolean;
  /** Reads params as the code does, and throws what it throws. Methods that sign have their own. */
  read?: (params: unknown) => void;
};

/** Result of a method. */
export type Result = { name: string; source: Source };

/** An error of a method; `when` explains it where the code alone does not. */
export type ErrorUse = ErrorCode | { code: ErrorCode; when: string };

/** A call and its result. */
export type Example = { name: string; params: Json[]; result: Json };

export type Row = {
  name: MethodName;
  /** One line. */
  summary: string;
  /** Further text for callers. */
  description?: string;
  params: Params;
  result: Result;
  /** Whether it asks the user, in words. */
  asks: string;
  errors: readonly ErrorUse[];
  /** Whose errors it passes on. */
  passesOn?: string;
  /** Whether it also takes an object with account, chain and params. */
  takesEnvelope?: boolean;
  examples: readonly Example[];
};

export type Group = { title: string; rows: readonly Row[] };

/** What most methods that only look something up have in common. */
const defaults = { params: { list: [] }, asks: 'no', errors: [] };

/** Groups methods. By default they take no params, do not ask the user, and have no own errors. */
export function groupOf(
  title: string,
  rows: Partial<
    Record<MethodName, Omit<Row, 'name' | keyof typeof defaults> & Partial<Row>>
  >,
): Group {
  return {
    title,
    rows: Object.entries(rows).map(([name, row]) => ({
      ...defaults,
      ...row,
      name: name as MethodName,
    })),
  };
}

/** Creates an example: the params of a call and its result. */
export function example(name: string, params: Json[], result: Json): Example {
  return { name, params, result };
}

/**
 * Describes params by position.
 *
 * @param struct - The tuple that the code reads them with.
 * @param summaries - The meaning of each by its name, in their order.
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

/** Describes params that are one object, which can be the only entry of an array. */
export function oneObject<Type>(
  struct: AnyStruct & StructOf<Type>,
  name: string,
  summary: string,
): Params {
  return {
    list: [{ name, summary, source: struct, isRequired: !takes(struct, {}) }],
    read: (params) => void parseObjectParams(params, struct, 'params'),
  };
}

/** Describes a param that is required. */
export function required(name: string, summary: string, source: Source): Param {
  return { name, summary, source, isRequired: true };
}
