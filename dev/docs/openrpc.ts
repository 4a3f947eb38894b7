// openrpc.json: the contract as a document of OpenRPC, for programs.
import { readFile } from 'node:fs/promises';

import type { Json } from '@metamask/utils';

import { EnvelopeStruct } from '../../src/request';
import { findRoute, listMethods } from '../../src/routes';
import { rows } from './contract';
import { callsErrors, generalErrors, getError } from './contract/errors';
import type { ErrorRow } from './contract/errors';
import type { ErrorUse, Example, Param, Row } from './contract/row';
import { createConverter } from './schema/convert';
import type { Converter } from './schema/convert';
import { formatAs } from './tables';

export type OpenRpc = Record<string, Json>;

type Package = { version: string; description: string; license: string };

const VERSION = '1.3.2';

const CALLING =
  'Call the methods with `wallet_invokeSnap`, with this snap as `snapId` and ' +
  '`{ method, params }` as `request`. Every method can also fail with -32002 (MetaMask cannot ' +
  'do what the snap asks for) and -32603 (an internal error). `x-open-to` lists who may call a ' +
  'method, `x-asks-user` says whether the user is asked, `x-passes-on` whose errors keep their ' +
  'own codes, and `x-open-ended` that more params like the last one may follow. Methods with ' +
  '`x-takes-envelope` also take an object in place of the array: see `RequestEnvelope`.';

export async function buildOpenRpc(): Promise<OpenRpc> {
  const about = JSON.parse(await readFile('package.json', 'utf8')) as Package;
  const converter = createConverter();
  const methods = sortRows().map((row) => toMethod(row, converter));
  converter.convert(EnvelopeStruct);
  return {
    openrpc: VERSION,
    info: {
      title: 'Tollkeeper',
      description: `${about.description} ${CALLING}`,
      version: about.version,
      license: { name: about.license },
    },
    methods,
    components: {
      schemas: converter.components(),
      errors: Object.fromEntries(
        [...generalErrors, ...callsErrors].map((row) => [row.name, toError(row)]),
      ),
    },
  };
}

export async function writeOpenRpc(): Promise<string> {
  return formatAs('openrpc.json', JSON.stringify(await buildOpenRpc()));
}

// In the order of the table of routes, which names them all.
function sortRows(): Row[] {
  return listMethods('rpc').map((name) => {
    const row = rows.find((each) => each.name === name);
    if (row) return row;
    throw new Error(`${name} has no row in dev/docs/contract.`);
  });
}

function toMethod(row: Row, converter: Converter): OpenRpc {
  const { name, summary, description, params, result, examples } = row;
  return {
    name,
    summary,
    ...(description === undefined ? {} : { description }),
    ...toExtensions(row),
    paramStructure: 'by-position',
    params: params.list.map((param) => toParam(param, converter)),
    result: { name: result.name, schema: converter.convert(result.source) },
    errors: row.errors.map(toErrorUse),
    examples: examples.map((example) => toPairing(example, params.list)),
  };
}

function toExtensions({
  name,
  asks,
  passesOn,
  takesEnvelope,
  params,
}: Row): Record<string, Json> {
  return {
    'x-open-to': [...(findRoute(name)?.by ?? [])],
    'x-asks-user': asks,
    ...(passesOn === undefined ? {} : { 'x-passes-on': passesOn }),
    ...(takesEnvelope === true ? { 'x-takes-envelope': true } : {}),
    ...(params.isOpenEnded === true ? { 'x-open-ended': true } : {}),
  };
}

function toParam(
  { name, summary, source, isRequired }: Param,
  { convert }: Converter,
): Json {
  return { name, summary, required: isRequired, schema: convert(source) };
}

function toErrorUse(use: ErrorUse): Json {
  if (typeof use === 'number') {
    return { $ref: `#/components/errors/${getError(use).name}` };
  }
  const { code, message } = toError(getError(use.code));
  return { code, message: `${message} (${use.when})` };
}

function toError({ code, meaning }: ErrorRow): { code: number; message: string } {
  return { code, message: meaning };
}

function toPairing({ name, params, result }: Example, list: readonly Param[]): Json {
  return {
    name,
    params: params.map((value, index) => {
      const { name: own } = list[Math.min(index, list.length - 1)] ?? { name: '' };
      return { name: own, value };
    }),
    result: { name: 'result', value: result },
  };
}
