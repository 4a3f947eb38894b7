// JSON Schemas in short, for people: `Address`, `Intent[]`, `"low" | "medium"`.
import type { Json } from '@metamask/utils';

import { LEFT_OUT } from './schema/convert';
import type { JsonSchema } from './schema/words';

/** A schema in words, which links to the schemas that have names. */
export function toTypeText(schema: JsonSchema): string {
  const { $ref, anyOf, enum: values, description } = schema;
  if (typeof $ref === 'string') return toLink($ref);
  if (typeof description === 'string') return description;
  if (Array.isArray(anyOf)) return toChoice(anyOf as JsonSchema[]);
  if (Array.isArray(values)) return toChoiceOf(values);
  if ('const' in schema) return toCode(schema.const ?? null);
  if (schema.type === 'array') return toArray(schema);
  if (schema.type === 'object') return toObject(schema);
  return typeof schema.type === 'string' ? schema.type : 'any';
}

function toLink(reference: string): string {
  const name = reference.split('/').at(-1) ?? '';
  return `[${name}](#${name.toLowerCase()})`;
}

function toChoice(schemas: readonly JsonSchema[]): string {
  const told = schemas.filter((schema) => schema !== LEFT_OUT);
  return [...new Set(told.map(toTypeText))].join(' or ');
}

function toChoiceOf(values: readonly Json[]): string {
  return values.map(toCode).join(' or ');
}

function toCode(value: Json): string {
  return `\`${JSON.stringify(value)}\``;
}

function toArray({ items }: JsonSchema): string {
  if (Array.isArray(items)) {
    return `array of ${items.map((item) => toTypeText(item as JsonSchema)).join(', ')}`;
  }
  return items === undefined ? 'array' : `array of ${toTypeText(items as JsonSchema)}`;
}

function toObject({ properties, required, additionalProperties }: JsonSchema): string {
  if (properties === undefined) {
    const isOpen = typeof additionalProperties !== 'object';
    return isOpen
      ? 'object'
      : `object of ${toTypeText(additionalProperties as JsonSchema)}`;
  }
  const needed: readonly Json[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, field]) =>
      `\`${name}${needed.includes(name) ? '' : '?'}\`: ${toTypeText(field)}`,
  );
  return `{ ${fields.join(', ')} }`;
}
