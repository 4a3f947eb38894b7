// Validation against the schemas of openrpc.json.
import Ajv from 'ajv';

import { contract, getContractMethod, type JsonSchema } from '../../dev/docs/contract';

/** Describes a value's fault; undefined if it is valid. */
export type FindFault = (value: unknown) => string | undefined;

const { components } = contract;

export function faultFinder(schema: JsonSchema): FindFault {
  const ajv = new Ajv();
  // References point to the document's schemas.
  const validate = ajv.compile({ ...schema, components });
  return (value) =>
    validate(value) === true ? undefined : ajv.errorsText(validate.errors);
}

export function componentFaults(name: string): FindFault {
  return faultFinder({ anyOf: [{ $ref: `#/components/schemas/${name}` }] });
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

export function resultFaults(name: string): FindFault {
  return faultFinder({ anyOf: [getContractMethod(name).result.schema] });
}
