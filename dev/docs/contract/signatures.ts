// Methods that sign messages and typed data.
import { literal } from '@metamask/superstruct';

import { AddressStruct } from '../../../src/eth/hex';
import {
  parseTypedData,
  signTypedData,
  TypedDataStruct,
} from '../../../src/eth/typed-data';
import {
  EntriesStruct,
  parseTypedEntries,
  signTypedEntries,
} from '../../../src/eth/typed-data-v1';
import { PersonalSignParamsStruct } from '../../../src/message/request';
import type { Source } from '../schema/source';
import { SignatureStruct } from './results';
import { noParams, positions, readBy, required } from './row';
import type { Group, Params, Row } from './row';
import { ADDRESS, KEY, MESSAGE, MESSAGE_SIGNATURE } from './samples';

const EITHER_WAY = 'The two params may stand the other way round as well.';

const MAIL = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Mail: [
      { name: 'to', type: 'address' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: { name: 'Post', version: '1', chainId: 1 },
  message: { to: ADDRESS, contents: 'Hello.' },
};

const ENTRIES = [
  { type: 'string', name: 'Message', value: 'Hello.' },
  { type: 'uint32', name: 'A number', value: 1337 },
];

const mail: Row['examples'] = [
  {
    name: 'a mail',
    params: [ADDRESS, MAIL],
    result: signTypedData(parseTypedData(MAIL, 'params[1]'), KEY),
  },
];

const entries: Row['examples'] = [
  {
    name: 'two values',
    params: [ADDRESS, ENTRIES],
    result: signTypedEntries(parseTypedEntries(ENTRIES, 'params[1]'), KEY),
  },
];

const signing: Pick<Row, 'asks' | 'errors' | 'takesOutright'> = {
  asks: 'yes',
  errors: [4001, 4100, 4200, -32602, -32005],
  takesOutright: true,
};

const text: Source = {
  schema: { type: 'string', description: 'the same as JSON text' },
};

function typedParams(method: string, cell: string, source: Source): Params {
  return readBy(method, {
    cell,
    list: [
      required('address', 'The account that signs.', AddressStruct),
      required('typedData', 'What is signed.', { anyOf: [source, text] }),
    ],
  });
}

function signature(cell: string): Row['result'] {
  return { cell, name: 'signature', source: SignatureStruct };
}

/** What signs messages. */
export const signatures: Group = {
  title: 'Messages',
  rows: [
    {
      name: 'personal_sign',
      summary: 'Sign a text, or the bytes that a hex string stands for.',
      description: EITHER_WAY,
      params: positions(
        '`[message, address]`, or the other way round',
        PersonalSignParamsStruct,
        {
          message: 'A text, or bytes in hex.',
          address: 'The account that signs.',
          password: 'Ignored: some clients send one.',
        },
      ),
      result: signature('signature (EIP-191)'),
      ...signing,
      examples: [
        { name: 'a text', params: [MESSAGE, ADDRESS], result: MESSAGE_SIGNATURE },
      ],
    },
    {
      name: 'eth_sign',
      summary: 'Refused: it signs a hash that nobody can read.',
      params: noParams,
      result: {
        cell: 'refused: it signs a hash that nobody can read',
        name: 'nothing',
        source: literal(null),
      },
      asks: 'no',
      errors: [4200],
      examples: [],
    },
    {
      name: 'eth_signTypedData_v4',
      summary: 'Sign a typed-data document (EIP-712).',
      description: `${EITHER_WAY} A document without \`EIP712Domain\` among its types has it inferred from its domain.`,
      params: typedParams(
        'eth_signTypedData_v4',
        '`[address, typedData]`, or the other way round',
        TypedDataStruct,
      ),
      result: signature('signature (EIP-712)'),
      ...signing,
      examples: mail,
    },
    {
      name: 'eth_signTypedData_v3',
      summary: 'Sign a typed-data document without arrays.',
      description: EITHER_WAY,
      params: typedParams('eth_signTypedData_v3', 'as `_v4`', TypedDataStruct),
      result: signature('signature (EIP-712), of documents without arrays'),
      ...signing,
      examples: mail,
    },
    {
      name: 'eth_signTypedData_v1',
      summary: 'Sign a list of typed values as Solidity packs them.',
      description: EITHER_WAY,
      params: typedParams(
        'eth_signTypedData_v1',
        'as `_v4`, with `[{ type, name, value }, …]`',
        EntriesStruct,
      ),
      result: signature('signature of the values as Solidity packs them'),
      ...signing,
      examples: entries,
    },
    {
      name: 'eth_signTypedData',
      summary: 'Sign a list of typed values: `eth_signTypedData_v1` by its first name.',
      description: EITHER_WAY,
      params: typedParams('eth_signTypedData', 'as `_v1`', EntriesStruct),
      result: signature('signature of the values as Solidity packs them'),
      ...signing,
      examples: entries,
    },
  ],
};
