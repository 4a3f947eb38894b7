import { hashTypedData } from 'viem';

import {
  parseTypedData,
  parseTypedEntries,
  signTypedData,
} from '../../../src/eth/typed-data';
import { owner, privateKey } from '../../fixtures/eth/owner';
import { refusalIn } from '../../support/refusal';

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

const sign = (document: unknown): string =>
  signTypedData(parseTypedData(document, 'data'), privateKey);

/** Every place of a document that can hold a name, by a document with the name there. */
const places: Record<string, (name: string) => string> = {
  'a struct as a field': (name) =>
    `{ "types": { "EIP712Domain": [], "Mail": [{ "name": "${name}", "type": "In" }],
         "In": [{ "name": "polluted", "type": "string" }] },
       "primaryType": "Mail", "domain": {}, "message": { "${name}": { "polluted": "x" } } }`,
  'a field that is not declared': (name) =>
    `{ "types": { "EIP712Domain": [], "Mail": [{ "name": "a", "type": "string" }] },
       "primaryType": "Mail", "domain": {},
       "message": { "a": "x", "${name}": { "polluted": "x" } } }`,
  'a field of a domain that is inferred': (name) =>
    `{ "types": { "Mail": [{ "name": "a", "type": "string" }] }, "primaryType": "Mail",
       "domain": { "name": "x", "${name}": { "version": "1", "polluted": "x" } },
       "message": { "a": "x" } }`,
  'a field of the document': (name) =>
    `{ "types": { "EIP712Domain": [], "Mail": [{ "name": "a", "type": "string" }] },
       "primaryType": "Mail", "domain": {}, "message": { "a": "x" },
       "${name}": { "polluted": "x" } }`,
};

afterEach(() => {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(([] as { polluted?: unknown }).polluted).toBeUndefined();
});

describe.each(NAMES)('%s', (name) => {
  it.each(Object.entries(places))(
    'is hashed as %s as viem does',
    async (_where, text) => {
      const document: unknown = JSON.parse(text(name));
      const hash = hashTypedData(document as never);
      const signature = await owner.sign({ hash });
      expect(sign(document)).toBe(signature);
      expect(sign(text(name))).toBe(signature);
    },
  );

  it.each<[string, string]>([
    [
      `{ "types": { "Mail": [{ "name": "${name}", "type": "string" }] },
         "primaryType": "Mail", "domain": {}, "message": {} }`,
      `data.message.${name} is missing: it must be of type string.`,
    ],
    [
      `{ "types": { "Mail": [{ "name": "a", "type": "${name}" }] },
         "primaryType": "Mail", "domain": {}, "message": { "a": {} } }`,
      'data.types.Mail[0].type is not a type, nor declared in data.types.',
    ],
    [
      `{ "types": { "Mail": [] }, "primaryType": "${name}", "domain": {}, "message": {} }`,
      'data.primaryType is not declared in data.types.',
    ],
  ])('is not found where it is not declared (%#)', async (text, message) => {
    expect(await refusalIn(() => sign(text))).toStrictEqual({ code: -32602, message });
  });

  it('is harmless in a list of version 1', () => {
    const text = `[{ "type": "string", "name": "${name}", "value": "x",
      "${name}": { "polluted": "x" } }]`;
    expect(parseTypedEntries(text, 'data')).toStrictEqual([
      { name, type: 'string', value: 'x' },
    ]);
  });
});

it('a type named __proto__ is refused, since libraries cannot copy it', async () => {
  const text = `{ "types": { "EIP712Domain": [], "__proto__": [] },
    "primaryType": "__proto__", "domain": {}, "message": {} }`;
  expect(await refusalIn(() => sign(text))).toStrictEqual({
    code: -32602,
    message: 'data.types.__proto__ has a name that no type can have.',
  });
});

it('hidden characters of a name are shown in the message', async () => {
  const types = { Mail: [{ name: '\u202eab', type: 'bool' }] };
  const document = { types, primaryType: 'Mail', domain: {}, message: {} };
  expect((await refusalIn(() => sign(document))).message).toBe(
    String.raw`data.message["\u{202e}ab"] is missing: it must be of type bool.`,
  );
});
