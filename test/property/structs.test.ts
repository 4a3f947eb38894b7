// The quick check of a struct says yes to what the struct takes and leaves as it is.
import { isDeepStrictEqual } from 'node:util';

import type { Struct } from '@metamask/superstruct';
import fc from 'fast-check';

import { BlockParameterStruct, BlockStruct } from '../../packages/client/src/rpc/block';
import { CallStruct, FeeHistoryStruct } from '../../packages/client/src/rpc/schema';
import {
  ReceiptStruct,
  TransactionStruct,
} from '../../packages/client/src/rpc/transaction';
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
  tuple,
} from '../../src/schema/structs';
import { receipt, transaction } from '../fixtures/client/node-answers';
import { runs } from '../support/runs';

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
