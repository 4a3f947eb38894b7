// docs/reference/methods.md: the contract as a page, for people.
import type { Json } from '@metamask/utils';

import { EnvelopeStruct } from '../../src/request';
import { findRoute } from '../../src/routes';
import { companionGroups, siteGroups } from './contract';
import { callsErrors, generalErrors } from './contract/errors';
import type { Example, Group, Param, Row } from './contract/row';
import { createConverter, LEFT_OUT, type Converter } from './schema/convert';
import type { JsonSchema } from './schema/words';
import { formatAs, listErrors, toTable, writeErrorTable } from './tables';

const HEAD = `# Methods

Every method that a site or the companion page can call with \`wallet_invokeSnap\`. Programs find the same in \`openrpc.json\` ([OpenRPC](https://open-rpc.org)), which \`rpc.discover\` returns.

Params are an array. Methods marked "Params outright" also take an object that names the account and the chain: see [Outright](#outright). An optional field may be \`null\`, which means the same as leaving it out.`;

/** Writes the page. */
export async function writeApiPage(): Promise<string> {
  const converter = createConverter();
  const groups = [...siteGroups, ...companionGroups].map((group) =>
    toGroup(group, converter),
  );
  converter.convert(EnvelopeStruct);
  const schemas = Object.entries(converter.components()).map(toSchema);
  const text = [
    HEAD,
    ...groups,
    `## Errors\n\n${writeErrorTable(generalErrors)}\n\nOf batches:\n\n${writeErrorTable(callsErrors)}`,
    'Errors of nodes, bundlers and paymasters keep their code and data.',
    '## Schemas',
    ...schemas,
  ].join('\n\n');
  return formatAs('docs/reference/methods.md', text);
}

function toGroup({ title, rows }: Group, converter: Converter): string {
  return [`## ${title}`, ...rows.map((row) => toSection(row, converter))].join('\n\n');
}

function toSection(row: Row, { convert }: Converter): string {
  const { name, summary, description, params, result, examples } = row;
  return [
    `### \`${name}\``,
    [summary, description].filter((text) => text !== undefined).join(' '),
    ...toParams(params.list, convert),
    `**Result:** ${toTypeText(convert(result.source))}`,
    toFacts(row),
    ...examples.map((example) => toExample(name, example)),
  ].join('\n\n');
}

function toParams(list: readonly Param[], convert: Converter['convert']): string[] {
  if (list.length === 0) return ['**Params:** none'];
  const rows = list.map(({ name, summary, source, isRequired }) => [
    `\`${name}\`${isRequired ? '' : ' (optional)'}`,
    toTypeText(convert(source)),
    summary,
  ]);
  return [toTable(['Param', 'Type', 'Meaning'], rows)];
}

function toFacts(row: Row): string {
  const isOpen = findRoute(row.name)?.by.includes('dapp') === true;
  const facts = [
    ['Open to', isOpen ? 'every site' : 'the companion page, in builds that have one'],
    ['Asks the user', row.asks],
    ['Errors', listErrors(row)],
    ...(row.params.isOpenEnded === true ? [['More params', 'like the last one']] : []),
    ...(row.takesOutright === true ? [['Params outright', 'yes']] : []),
  ];
  return facts.map(([label, text]) => `**${label}:** ${text}`).join(' · ');
}

function toExample(method: string, { name, params, result }: Example): string {
  const request = { method, ...(params.length === 0 ? {} : { params }) };
  return `For example, ${name}:\n\n${toJson(request)}\n\n${toJson(result)}`;
}

function toJson(value: Json): string {
  return ['```json', JSON.stringify(value, null, 2), '```'].join('\n');
}

function toSchema([name, schema]: [string, JsonSchema]): string {
  const { description, ...others } = schema;
  const { properties, required } = others;
  const words = typeof description === 'string' ? [`${capitalised(description)}.`] : [];
  const body =
    properties === undefined
      ? toTypeText(others)
      : toFields(properties as Record<string, JsonSchema>, required as string[]);
  return [`### ${name}`, ...words, body].join('\n\n');
}

function toFields(
  fields: Record<string, JsonSchema>,
  required: readonly string[] = [],
): string {
  const rows = Object.entries(fields).map(([name, field]) => [
    `\`${name}\`${required.includes(name) ? '' : ' (optional)'}`,
    toTypeText(field),
  ]);
  return toTable(['Field', 'Type'], rows);
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

// A JSON Schema in short: `Address`, `array of Intent`, `"low" or "medium"`. Schemas with names
// are linked to.
function toTypeText(schema: JsonSchema): string {
  const { $ref, anyOf, enum: values, description, type } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? '';
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (typeof description === 'string') return description;
  if (Array.isArray(anyOf)) {
    const forms = (anyOf as JsonSchema[]).filter((form) => form !== LEFT_OUT);
    return [...new Set(forms.map(toTypeText))].join(' or ');
  }
  if (Array.isArray(values)) return values.map(toCode).join(' or ');
  if ('const' in schema) return toCode(schema.const ?? null);
  if (type === 'array') return toArrayText(schema);
  if (type === 'object') return toObjectText(schema);
  return typeof type === 'string' ? type : 'any';
}

function toCode(value: Json): string {
  return `\`${JSON.stringify(value)}\``;
}

function toArrayText({ items }: JsonSchema): string {
  if (items === undefined) return 'array';
  const all = (Array.isArray(items) ? items : [items]) as JsonSchema[];
  return `array of ${all.map(toTypeText).join(', ')}`;
}

function toObjectText(schema: JsonSchema): string {
  const { properties, required, additionalProperties } = schema;
  if (properties === undefined) {
    return typeof additionalProperties === 'object'
      ? `object of ${toTypeText(additionalProperties as JsonSchema)}`
      : 'object';
  }
  const needed: readonly Json[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, field]) =>
      `\`${name}${needed.includes(name) ? '' : '?'}\`: ${toTypeText(field)}`,
  );
  return `{ ${fields.join(', ')} }`;
}
