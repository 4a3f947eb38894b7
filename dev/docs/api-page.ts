// docs/api.md: the contract as a page, for people.
import type { Json } from '@metamask/utils';
import { format, resolveConfig } from 'prettier';

import { OutrightStruct } from '../../src/handlers/signing-request';
import { findRoute } from '../../src/routes';
import { companionGroups, siteGroups } from './contract';
import type { Example, Group, Param, Row } from './contract/row';
import { listErrors, writeCallsErrorTable, writeErrorTable } from './method-tables';
import { createConverter } from './schema/convert';
import type { Converter } from './schema/convert';
import type { JsonSchema } from './schema/words';
import { toTable } from './table';
import { toTypeText } from './type-text';

const HEAD = `# Methods

Every method that can be called by \`wallet_invokeSnap\`, generated from the code by \`npm run docs\`: for programs there is the same in [openrpc.json](../openrpc.json), which \`rpc.discover\` answers as well. What is filled in, who is asked and which chain is meant, the [README](../README.md#methods-for-dapps) tells.

A method takes an array of its params. One that takes them outright also takes an object that names account and chain: see [Outright](#outright). An optional field of a param may be null, which is the same as leaving it out.`;

/** Write the page. */
export async function writeApiPage(): Promise<string> {
  const converter = createConverter();
  const groups = [...siteGroups, ...companionGroups].map((group) =>
    toGroup(group, converter),
  );
  converter.convert(OutrightStruct);
  const schemas = Object.entries(converter.components()).map(toSchema);
  const text = [
    HEAD,
    ...groups,
    `## Errors\n\n${writeErrorTable()}\n\nOf batches:\n\n${writeCallsErrorTable()}`,
    'Errors of nodes, bundlers and paymasters keep their code and data.',
    '## Schemas',
    ...schemas,
  ].join('\n\n');
  const config = await resolveConfig('docs/api.md');
  return format(text, { ...config, parser: 'markdown' });
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
