// Errors about any refused value contain its path and type, never the value.
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

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
import { oneOf, text } from '../../src/schema/structs';
import { owner } from '../fixtures/eth/owner';
import { mail } from '../fixtures/eth/typed-data';
import { toWholeText } from '../support/error-of';
import { runs } from '../support/runs';

/** Twelve letters that no message contains and no error may show. */
const MARK = 'qzxjvkwqzxjv';

const marked = fc.string({ maxLength: 20 }).map((rest) => `${MARK}${rest}`);

// Mostly names with a meaning in JavaScript.
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

const readers: Record<string, (value: unknown) => unknown> = {
  'an address': (value) => parse(value, AddressStruct, 'params'),
  bytes: (value) => parse(value, BytesStruct, 'params'),
  'a word': (value) => parse(value, Bytes32Struct, 'params'),
  'a quantity': (value) => parse(value, QuantityStruct, 'params'),
  'a chain id': (value) => parse(value, ChainIdStruct, 'params'),
  'a short text': (value) => parse(value, text(3), 'params'),
  'one of two values': (value) => parse(value, oneOf(['a', 'b']), 'params'),
  'a user operation': (value) => parse(value, UserOperationStruct, 'params'),
  'a transaction': (value) => parseTransactionRequest(value, 'params'),
  'a list of typed data': (value) => parseTypedEntries(value, 'params'),
  'a document': (value) => parseTypedData(value, 'params'),
};

/** Expects that an error contains the path, but not the value. */
function expectNoMark(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof InvalidParamsError)) throw error;
    expect(error.message).toMatch(/^params\b.*\.$/su);
    expect(toWholeText(error)).not.toContain(MARK);
  }
}

describe.each(Object.keys(readers))('a value that is refused as %s', (name) => {
  it('is not quoted in the error', () => {
    const property = fc.property(json, (value) => {
      expectNoMark(() => readers[name]?.(value));
    });
    fc.assert(property, runs(150));
  });
});

describe('a refused field', () => {
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

  it('is not quoted in the error about a transaction', () => {
    const property = fc.property(fc.constantFrom(...names), json, (name, value) => {
      const request = { ...transaction, [name]: value };
      expectNoMark(() => parseTransactionRequest(request, 'params'));
    });
    fc.assert(property, runs(400));
  });

  it('is not quoted in the error about a document', () => {
    const fields = fc.constantFrom('types', 'primaryType', 'domain', 'message');
    const property = fc.property(fields, json, (name, value) => {
      const document = { ...mail, [name]: value };
      expectNoMark(() => parseTypedData(document, 'params'));
    });
    fc.assert(property, runs(300));
  });
});
