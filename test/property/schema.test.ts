// Whatever is refused, the error names a path and a type, never the value; and the quick check of a
// struct says yes to what the struct takes and leaves as it is.
import { isDeepStrictEqual } from 'node:util';

import type { Struct } from '@metamask/superstruct';
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import { BlockParameterStruct, BlockStruct } from '../../packages/client/src/rpc/block';
import { CallStruct, FeeHistoryStruct } from '../../packages/client/src/rpc/schema';
import {
  ReceiptStruct,
  TransactionStruct,
} from '../../packages/client/src/rpc/transaction';
import { InvalidParamsError } from '../../src/core/errors';
import { ChainIdStruct } from '../../src/eth/chain';
import {
  AddressStruct,
  Bytes32Struct,
  BytesStruct,
  QuantityStruct,
} from '../../src/eth/hex';
import { parseTransactionRequest } from '../../src/eth/transaction';
import { parseTypedData, parseTypedEntries } from '../../src/eth/typed-data';
import { UserOperationStruct } from '../../src/eth/user-operation';
import { parse } from '../../src/schema/parse';
import {
  array,
  boolean,
  exactOptional,
  findCheck,
  list,
  literal,
  named,
  nothing,
  nullable,
  object,
  oneOf,
  partial,
  record,
  sensitive,
  text,
  tuple,
} from '../../src/schema/structs';
import { receipt, transaction } from '../fixtures/client/node-answers';
import { owner } from '../fixtures/eth/owner';
import { mail } from '../fixtures/eth/typed-data';
import { toWholeText } from '../support/error-of';
import { runs } from '../support/runs';

/** Must never appear. Twelve letters that are in no message. */
const MARK = 'qzxjvkwqzxjv';

const marked = fc.string({ maxLength: 20 }).map((rest) => `${MARK}${rest}`);

// Names that mean something to JavaScript.
const KEYS = ['a', '__proto__', 'constructor', 'toString', 'length'];

const json: Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    marked,
    fc.constantFrom(null, true, 0, -1, 1.5, ''),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { noNullPrototype: true }),
  ),
})).value;

/** Every way in, by a function that reads a value there. */
const readers: Record<string, (value: unknown) => unknown> = {
  address: (value) => parse(value, AddressStruct, 'params'),
  bytes: (value) => parse(value, BytesStruct, 'params'),
  'a word': (value) => parse(value, Bytes32Struct, 'params'),
  'a quantity': (value) => parse(value, QuantityStruct, 'params'),
  'a chain id': (value) => parse(value, ChainIdStruct, 'params'),
  'a short text': (value) => parse(value, text(3), 'params'),
  'one of a few': (value) => parse(value, oneOf(['a', 'b']), 'params'),
  'a user operation': (value) => parse(value, UserOperationStruct, 'params'),
  'a transaction': (value) => parseTransactionRequest(value, 'params'),
  'a list of typed data': (value) => parseTypedEntries(value, 'params'),
  'a document': (value) => parseTypedData(value, 'params'),
};

/** Expects of a value that is refused that the error has its path alone. */
function expectNoMark(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof InvalidParamsError)) throw error;
    expect(error.message).toMatch(/^params\b.*\.$/su);
    expect(toWholeText(error)).not.toContain(MARK);
  }
}

describe.each(Object.keys(readers))('a refused %s', (name) => {
  it('is not in the error', () => {
    const property = fc.property(json, (value) => {
      expectNoMark(() => readers[name]?.(value));
    });
    fc.assert(property, runs(150));
  });
});

describe('a field', () => {
  const transaction = { from: owner.address, to: owner.address, nonce: 0 };
  const names = [
    'to',
    'type',
    'chainId',
    'nonce',
    'value',
    'data',
    'gasPrice',
    'accessList',
  ];

  it('of a transaction is not in the error', () => {
    const property = fc.property(fc.constantFrom(...names), json, (name, value) => {
      const request = { ...transaction, [name]: value };
      expectNoMark(() => parseTransactionRequest(request, 'params'));
    });
    fc.assert(property, runs(400));
  });

  it('of a document is not in the error', () => {
    const fields = fc.constantFrom('types', 'primaryType', 'domain', 'message');
    const property = fc.property(fields, json, (name, value) => {
      const document = { ...mail, [name]: value };
      expectNoMark(() => parseTypedData(document, 'params'));
    });
    fc.assert(property, runs(300));
  });
});

const flag = named<string>('a flag', (value) => value === 'on' || value === 'off');

const structs: [string, Struct<unknown, unknown>][] = [
  ['a receipt', ReceiptStruct],
  ['a transaction', TransactionStruct],
  ['a block', BlockStruct],
  ['a call', CallStruct],
  ['a fee history', FeeHistoryStruct],
  ['a block parameter', BlockParameterStruct],
  ['an object', object({ flag: nullable(flag), other: exactOptional(boolean()) })],
  ['an object of some fields', partial({ flag: sensitive(flag) })],
  ['a record', record(flag, literal(7))],
  ['a tuple', tuple([flag, boolean()])],
  ['an array', array(nullable(flag))],
  ['an array of bounded length', list(flag, { min: 1, max: 2 })],
  ['null', nothing()],
  ['a word', oneOf(['on', 'off'])],
].map(([name, struct]) => [name as string, struct as Struct<unknown, unknown>]);

const plain = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    'on',
    '0x',
    '0x1',
    '0x01',
    '0x0g',
    true,
    7,
    'latest',
    'safe',
  ),
  fc.constantFrom<unknown>(
    [],
    {},
    ['on'],
    ['on', true],
    [null, 'off'],
    ['on', true, 1],
    { flag: 'on' },
    { flag: undefined },
    { flag: null, other: true },
    { flag: 'off', other: undefined },
    { flag: 'on', more: 1 },
    { on: 7, off: 7 },
    { on: 7, of: 7 },
  ),
  fc.anything(),
);

/** A well-formed answer with one of its fields replaced or taken out. */
const spoiled = fc
  .record({
    whole: fc.constantFrom<Record<string, unknown>>(receipt, transaction),
    pick: fc.nat(),
    value: plain,
    isGone: fc.boolean(),
  })
  .map(({ whole, pick, value, isGone }) => {
    const names = Object.keys(whole);
    const name = names[pick % names.length] ?? '';
    return Object.fromEntries(
      Object.entries({ ...whole, [name]: value }).filter(
        ([each]) => !isGone || each !== name,
      ),
    );
  });

describe('a quick check', () => {
  it.each(structs)('agrees with its struct: %s', (_name, struct) => {
    const check = findCheck(struct);
    fc.assert(
      fc.property(fc.oneof(plain, spoiled), (value) => {
        expect(check?.(value)).toBe(isTakenAsIs(struct, value));
      }),
      runs(500),
    );
  });
});

// superstruct fails on values that cannot be written as text, which it thus refuses.
function isTakenAsIs(struct: Struct<unknown, unknown>, value: unknown): boolean {
  try {
    const [failure, yielded] = struct.validate(value, { coerce: true });
    return failure === undefined && isDeepStrictEqual(yielded, value);
  } catch {
    return false;
  }
}
