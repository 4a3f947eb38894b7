// The contract of a method. openrpc.json and the pages of docs are generated from these rows.
import { literal } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { findRoute, type MethodName } from '../../../src/routes';
import { parse, parseObjectParams, type StructOf } from '../../../src/schema/parse';
import { isOptional, listItems, takes } from '../schema/convert';
import type { AnyStruct, Source } from '../schema/words';

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
  /** Reads params as the code does, and throws what it throws. Methods that sign have their own. */
  read?: (params: unknown) => void;
};

export type Result = { name: string; source: Source };

/** An error of a method; `when` explains it where the code alone does not. */
export type ErrorUse = number | { code: number; when: string };

export type Example = { name: string; params: Json[]; result: Json };

export type Row = {
  name: MethodName;
  /** One line. */
  summary: string;
  description?: string;
  params: Params;
  result: Result;
  /** Whether it asks the user, in words. */
  asks: string;
  errors: readonly ErrorUse[];
  passesOn?: string;
  /** Whether it also takes an object with account, chain and params. */
  takesEnvelope?: boolean;
  examples: readonly Example[];
};

const NOTHING: Result = { name: 'nothing', source: literal(null) };

export type Group = { title: string; rows: readonly Row[] };

/** Groups methods. By default they take no params and return null; the rest follows from their kind. */
export function groupOf(
  title: string,
  rows: Partial<Record<MethodName, Pick<Row, 'summary' | 'examples'> & Partial<Row>>>,
): Group {
  return {
    title,
    rows: Object.entries(rows).map(([method, row]) => {
      const name = method as MethodName;
      return { params: { list: [] }, result: NOTHING, ...byKind(name), ...row, name };
    }),
  };
}

function byKind(name: MethodName): Pick<Row, 'asks' | 'errors' | 'takesEnvelope'> {
  const { kind, dapp } = findRoute(name) ?? {};
  if (kind === 'look-up') {
    return { asks: 'no', errors: [-32602, -32002, -32005], takesEnvelope: true };
  }
  if (kind !== 'signing') return { asks: 'no', errors: [] };
  const errors = [4100, 4200, -32602, -32005, -32002] as const;
  return dapp === 'always'
    ? { asks: 'yes', errors: [4001, ...errors], takesEnvelope: true }
    : { asks: 'no', errors, takesEnvelope: true };
}

export function example(name: string, params: Json[], result: Json): Example {
  return { name, params, result };
}

/** Describes params by position: the tuple that the code reads them with, and the meaning of each by
 * its name, in their order. */
export function positions<Type>(
  struct: AnyStruct & StructOf<Type>,
  summaries: Record<string, string>,
): Params {
  const list = listParams(listItems(struct), summaries);
  return { list, read: (params) => void parse(params, struct, 'params') };
}

/** Describes params that a method reads on its own, as {@link positions} does. */
export function listParams(
  sources: readonly Source[],
  summaries: Record<string, string>,
): Param[] {
  const names = Object.entries(summaries);
  if (sources.length !== names.length) {
    throw new Error(`${names.length} params are described, not ${sources.length}.`);
  }
  return sources.map((source, index) => {
    const [name = '', summary = ''] = names[index] ?? [];
    return { name, summary, source, isRequired: !isOptional(source) };
  });
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
