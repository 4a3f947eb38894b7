// Writes the pages about the methods in openrpc.json and about their types.
import type { Json } from '@metamask/utils';

import { capitalize } from '../../src/ui/format';
import {
  companionMethods,
  contract,
  type ContractMethod,
  type ContractParam,
  type Example,
  type JsonSchema,
  listExamples,
  siteMethods,
} from './contract';
import { toTable } from './tables';

const SCHEMAS = 'schemas.md';

const SITE_HEAD = `# Methods

Sites call these methods with \`wallet_invokeSnap\`, or through the [provider](../start/dapps.md). The [companion page](companion.md) may call them too. Programs find the same in \`openrpc.json\` ([OpenRPC](https://open-rpc.org)), which \`rpc.discover\` returns.

\`\`\`json
{
  "method": "wallet_invokeSnap",
  "params": {
    "snapId": "npm:tollkeeper-snap",
    "request": { "method": "eth_requestAccounts" }
  }
}
\`\`\`

- **Params** are an array. An optional value may be \`null\`, which means the same as leaving it out.
- **Object form:** signing methods and look-ups also take \`{ account?, scope?, params: [...] }\`, with an address or account id and a CAIP-2 chain. Use it where the params do not name the account or the chain.
- **Account:** the one that the params name (\`address\`, \`from\`, \`sender\`). It must be connected to the site.
- **Chain:** the scope, else the transaction's \`chainId\`, else the domain of the typed data, else the account's only chain, else Tollkeeper's default network: the one that MetaMask had selected when Tollkeeper was installed, or another of MetaMask's networks if you have removed that one. A request that names two different chains is refused.
- **Errors:** every method can also fail with \`-32002\` (MetaMask cannot do what the snap asks for) and \`-32603\` (an internal error). See [Errors](errors.md).
- **Smart accounts:** a Safe signs messages and typed data (\`personal_sign\`, \`eth_signTypedData_v4\`) for its contract, which verifies them by ERC-1271; before it is deployed, the signature is wrapped as ERC-6492 says. A SimpleAccount signs none (\`4200\`): it has no ERC-1271, so its signatures cannot be verified.`;

const SCHEMAS_HEAD = `# Types

The types of params and results of the [methods](methods.md) and [companion methods](companion.md), in alphabetical order. Quantities are hex strings unless the type says otherwise.`;

export function writeMethodsPage(): string {
  return [SITE_HEAD, writeMethods(siteMethods)].join('\n\n');
}

export function writeCompanionMethods(): string {
  return writeMethods(companionMethods);
}

export function writeSchemasPage(): string {
  const schemas = Object.entries(contract.components.schemas).map(toSchema);
  return [SCHEMAS_HEAD, ...schemas].join('\n\n');
}

function writeMethods(methods: readonly ContractMethod[]): string {
  const rows = methods.map(({ name, summary, 'x-asks-user': asks }) => [
    `[\`${name}\`](#${name.toLowerCase().replace('.', '')})`,
    summary,
    asks,
  ]);
  const overview = toTable(['Method', 'What it does', 'Asks the user'], rows);
  let title: string | undefined;
  const sections = methods.flatMap((method) => {
    const [tag] = method.tags;
    const isNew = tag?.name !== title;
    title = tag?.name;
    return [...(isNew ? [`## ${title}`] : []), toSection(method)];
  });
  return [overview, ...sections].join('\n\n');
}

function toSection(method: ContractMethod): string {
  const { name, summary, description, params, result } = method;
  const facts = [
    ...(params.length === 0 ? ['**Params:** none'] : []),
    `**Result:** ${toTypeText(result.schema, SCHEMAS)}`,
    `**Asks the user:** ${method['x-asks-user']}`,
    `**Errors:** ${listErrors(method)}`,
    ...(method['x-open-ended'] === true ? ['Any number of params may follow.'] : []),
    ...(method['x-takes-envelope'] === true
      ? [`Also takes the [object form](${SCHEMAS}#requestenvelope).`]
      : []),
  ];
  return [
    `### \`${name}\``,
    [summary, description].filter((text) => text !== undefined).join(' '),
    ...toParams(params),
    facts.map((fact) => `- ${fact}`).join('\n'),
    ...listExamples(method).map((example) => toExample(name, example)),
  ].join('\n\n');
}

function listErrors({ errors, 'x-passes-on': passesOn }: ContractMethod): string {
  const general = contract.components.errors;
  const own = errors.map((error) => {
    if ('code' in error) return `${error.code} (${error.message})`;
    return general[error.$ref.split('/').at(-1) ?? '']?.code;
  });
  return [own, passesOn ?? []].flat().join(', ') || '–';
}

function toParams(params: readonly ContractParam[]): string[] {
  if (params.length === 0) return [];
  const rows = params.map(({ name, summary, schema, required }) => [
    `\`${name}\`${required ? '' : ' (optional)'}`,
    toTypeText(schema, SCHEMAS),
    summary,
  ]);
  return [toTable(['Param', 'Type', 'Meaning'], rows)];
}

function toExample(method: string, { name, params, result }: Example): string {
  const request = params.length === 0 ? { method } : { method, params };
  return `Example: ${name}\n\n${toJson(request)}\n\n${toJson(result)}`;
}

function toJson(value: Json): string {
  return ['```json', JSON.stringify(value, null, 2), '```'].join('\n');
}

function toSchema([name, schema]: [string, JsonSchema]): string {
  const { description, ...others } = schema;
  const words = typeof description === 'string' ? [`${capitalize(description)}.`] : [];
  const fields = listFields(others).map(({ field, isRequired, type }) => [
    `\`${field}\`${isRequired ? '' : ' (optional)'}`,
    type,
  ]);
  const body =
    others.properties === undefined
      ? toTypeText(others)
      : toTable(['Field', 'Type'], fields);
  return [`## ${name}`, ...words, body].join('\n\n');
}

function listFields({ properties, required }: JsonSchema, page = '') {
  const needed: readonly Json[] = Array.isArray(required) ? required : [];
  return Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(
    ([field, schema]) => ({
      field,
      isRequired: needed.includes(field),
      type: toTypeText(schema, page),
    }),
  );
}

// Writes a short form of a JSON Schema: `Address`, `array of Intent`, `"low" or "medium"`.
function toTypeText(schema: JsonSchema, page = ''): string {
  const { $ref, anyOf, enum: values, description, type } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? '';
    return `[${name}](${page}#${name.toLowerCase()})`;
  }
  if (typeof description === 'string') return description;
  if (Array.isArray(anyOf)) {
    // The page explains once that `null` stands for an omitted field.
    const forms = (anyOf as JsonSchema[]).filter((form) => form.$comment === undefined);
    return [...new Set(forms.map((form) => toTypeText(form, page)))].join(' or ');
  }
  if (Array.isArray(values)) return values.map(toCode).join(' or ');
  if ('const' in schema) return toCode(schema.const ?? null);
  if (type === 'array') return toArrayText(schema, page);
  if (type === 'object') return toObjectText(schema, page);
  return typeof type === 'string' ? type : 'any';
}

function toCode(value: Json): string {
  return `\`${JSON.stringify(value)}\``;
}

function toArrayText({ items }: JsonSchema, page: string): string {
  if (items === undefined) return 'array';
  const all = (Array.isArray(items) ? items : [items]) as JsonSchema[];
  return `array of ${all.map((item) => toTypeText(item, page)).join(', ')}`;
}

function toObjectText(schema: JsonSchema, page: string): string {
  const { properties, additionalProperties } = schema;
  if (properties === undefined) {
    return typeof additionalProperties === 'object'
      ? `object of ${toTypeText(additionalProperties as JsonSchema, page)}`
      : 'object';
  }
  const fields = listFields(schema, page).map(
    ({ field, isRequired, type }) => `\`${field}${isRequired ? '' : '?'}\`: ${type}`,
  );
  return `{ ${fields.join(', ')} }`;
}
