// Writes openrpc.json: the contract as an OpenRPC document.
import type { Json } from '@metamask/utils';

import about from '../../package.json' with { type: 'json' };
import { EnvelopeStruct } from '../../src/request';
import { findRoute, listMethods } from '../../src/routes';
import { rows } from './contract';
import { callsErrors, generalErrors, getError, type ErrorRow } from './contract/errors';
import type { ErrorUse, Example, Param, Row } from './contract/row';
import { createConverter, type Converter } from './schema/convert';

const CALLING =
  'Call the methods with `wallet_invokeSnap`, with this snap as `snapId` and ' +
  '`{ method, params }` as `request`. Every method can also fail with -32002 (MetaMask cannot ' +
  'do what the snap asks for) and -32603 (an internal error). `x-open-to` lists who may call a ' +
  'method, `x-asks-user` says whether the user is asked, `x-passes-on` whose errors keep their ' +
  'own codes, and `x-open-ended` that more params like the last one may follow. Methods with ' +
  '`x-takes-envelope` also take an object in place of the array: see `RequestEnvelope`.';

export function writeOpenRpc(): string {
  const converter = createConverter();
  const methods = listMethods('rpc').map((name) => {
    const row = rows.find((each) => each.name === name);
    if (row) return toMethod(row, converter);
    throw new Error(`${name} has no row in dev/docs/contract.`);
  });
  converter.convert(EnvelopeStruct);
  const document = {
    openrpc: '1.3.2',
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
  return JSON.stringify(document);
}

// JSON omits undefined fields.
function toMethod(row: Row, converter: Converter): object {
  const { name, summary, description, params, result, examples } = row;
  return {
    name,
    summary,
    description,
    'x-open-to': findRoute(name)?.by ?? [],
    'x-asks-user': row.asks,
    'x-passes-on': row.passesOn,
    'x-takes-envelope': row.takesEnvelope,
    'x-open-ended': params.isOpenEnded,
    paramStructure: 'by-position',
    params: params.list.map(
      ({ name: param, summary: meaning, source, isRequired }) => ({
        name: param,
        summary: meaning,
        required: isRequired,
        schema: converter.convert(source),
      }),
    ),
    result: { name: result.name, schema: converter.convert(result.source) },
    errors: row.errors.map(toErrorUse),
    examples: examples.map((example) => toPairing(example, params.list)),
  };
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
