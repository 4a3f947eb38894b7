// openrpc.json as its readers see it, and validation against its schemas.
import { readFileSync } from 'node:fs';

import Ajv from 'ajv';

import type { JsonSchema } from '../../dev/docs/schema/words';

/** A method of the document. */
export type ContractMethod = {
  name: string;
  params: { name: string; required: boolean; schema: JsonSchema }[];
  result: { name: string; schema: JsonSchema };
  errors: ({ $ref: string } | { code: number; message: string })[];
  examples: {
    name: string;
    params: { value: unknown }[];
    result: { value: unknown };
  }[];
  'x-open-to': string[];
  'x-open-ended'?: boolean;
};

export type Contract = {
  openrpc: string;
  info: { version: string };
  methods: ContractMethod[];
  components: {
    schemas: Record<string, JsonSchema>;
    errors: Record<string, { code: number; message: string }>;
  };
};

/** Describes a value's fault; undefined if it is valid. */
export type FindFault = (value: unknown) => string | undefined;

/** The document as shipped. */
export const contract = JSON.parse(readFileSync('openrpc.json', 'utf8')) as Contract;

const { components } = contract;

/** Creates a validator for a schema of the document. */
export function faultFinder(schema: JsonSchema): FindFault {
  const ajv = new Ajv();
  // References point to the document's schemas.
  const validate = ajv.compile({ ...schema, components });
  return (value) =>
    validate(value) === true ? undefined : ajv.errorsText(validate.errors);
}

/** Creates a validator for a named schema. */
export function componentFaults(name: string): FindFault {
  return faultFinder({ anyOf: [{ $ref: `#/components/schemas/${name}` }] });
}

/**
 * Gets a method of the document.
 *
 * @throws {Error} If there is no such method.
 */
export function getContractMethod(name: string): ContractMethod {
  const found = contract.methods.find((method) => method.name === name);
  if (!found) throw new Error(`openrpc.json has no method ${name}.`);
  return found;
}

/** Creates a validator for a method's params, as one array. */
export function paramsFaults(name: string): FindFault {
  const { params, 'x-open-ended': isOpenEnded = false } = getContractMethod(name);
  const items = params.map(({ schema }) => schema);
  return faultFinder({
    type: 'array',
    // An empty `items` array is invalid.
    ...(items.length === 0 ? { maxItems: 0 } : { items }),
    minItems: params.filter(({ required }) => required).length,
    additionalItems: isOpenEnded ? (items.at(-1) ?? false) : false,
  });
}

/** Creates a validator for a method's result. */
export function resultFaults(name: string): FindFault {
  return faultFinder({ anyOf: [getContractMethod(name).result.schema] });
}
