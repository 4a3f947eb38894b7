import {
  array,
  boolean,
  coerce,
  define,
  exactOptional,
  integer,
  literal,
  max,
  min,
  nonempty,
  number,
  object,
  record,
  string,
  tuple,
  type,
  union,
  unknown,
} from '@metamask/superstruct';

import { parse } from '../../src/schema/parse';
import type { StructOf } from '../../src/schema/parse';
import { oneOf, text } from '../../src/schema/structs';
import { failureOf } from '../support/error-of';

const SECRET = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';

const hexStruct = define<string>('bytes in hex', (value) => /^0x/u.test(String(value)));

const messageOf = async (value: unknown, struct: StructOf<unknown>): Promise<string> =>
  (await failureOf(() => parse(value, struct, 'params'))).message;

describe('parse', () => {
  it('returns the value with coercions applied, and does not change its input', () => {
    const toNumber = coerce(number(), string(), (value) => Number(value));
    const given = ['3', { list: ['1', 2] }];
    const struct = tuple([toNumber, object({ list: array(toNumber) })]);
    expect(parse(given, struct, 'params')).toStrictEqual([3, { list: [1, 2] }]);
    expect(given).toStrictEqual(['3', { list: ['1', 2] }]);
  });

  it('reports the path and the expected type, with the code of invalid params', async () => {
    const struct = tuple([object({ list: array(hexStruct) })]);
    const run = (): unknown => parse([{ list: ['0x', 'no'] }], struct, 'params');
    expect(await failureOf(run)).toStrictEqual({
      name: 'InvalidParamsError',
      code: -32602,
      message: 'params[0].list[1] must be bytes in hex.',
      context: { path: 'params[0].list[1]' },
    });
  });

  it('reports a missing or unexpected field', async () => {
    const struct = object({ a: string(), b: exactOptional(string()) });
    expect(await messageOf({}, struct)).toBe(
      'params.a is missing: it must be a string.',
    );
    expect(await messageOf({ a: '', c: SECRET }, struct)).toBe(
      'params.c is not expected here.',
    );
    expect(await messageOf(['', 1], tuple([string()]))).toBe(
      'params[1] is not expected here.',
    );
    expect(await messageOf(undefined, struct)).toBe(
      'params is missing: it must be an object.',
    );
  });

  it.each<[string, StructOf<unknown>, unknown, string]>([
    ['an array', array(), {}, 'an array'],
    ['a boolean', boolean(), 'true', 'true or false'],
    ['an integer', integer(), 1.5, 'an integer'],
    ['a number', number(), NaN, 'a number'],
    ['an object', object({}), null, 'an object'],
    ['a record', record(string(), unknown()), 'x', 'an object'],
    ['a tolerant object', type({}), 7, 'an object'],
    ['a string', string(), 7, 'a string'],
    ['a tuple', tuple([string()]), 'x', 'an array'],
    ['one of a few', oneOf(['a', 'b']), 'c', 'one of "a", "b"'],
    ['a bounded string', text(3), 'abcd', 'a string of at most 3 characters'],
  ])('says that %s is expected', async (...row) => {
    const [, struct, value, expected] = row;
    expect(await messageOf(value, struct)).toBe(`params must be ${expected}.`);
  });

  it.each<[string, StructOf<unknown>, unknown]>([
    ['union', union([hexStruct, oneOf(['latest'])]), 'safe'],
    ['min', min(number(), 0), -1],
    ['max', max(number(), 1), 2],
    ['nonempty', nonempty(array()), []],
    ['literal', literal('2.0'), '1.0'],
  ])(
    'does not show callers "%s", a term of the validator',
    async (word, struct, value) => {
      expect(await messageOf(value, struct)).not.toBe(`params must be ${word}.`);
    },
  );
});

describe('a value that cannot become a string', () => {
  const DEPTH = 100_000;

  it.each<[string, string]>([
    ['an object with a toString of its own', '{"toString": 1}'],
    ['an array of such an object', '[{"toString": null, "valueOf": 1}]'],
  ])('is rejected with its path: %s', async (_what, json) => {
    const value = [{ toString: 2, list: ['', JSON.parse(json) as unknown] }];
    const struct = tuple([object({ toString: number(), list: array(string()) })]);
    expect(await messageOf(value, struct)).toBe('params[0].list[1] must be a string.');
  });

  it('is rejected without a path if it is too deep', async () => {
    const value: unknown = JSON.parse(`${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`);
    expect(await messageOf(value, string())).toBe(
      'params must be in an accepted format.',
    );
  });

  it('is rejected without a path if another form of a union is allowed', async () => {
    const struct = union([string(), object({ toString: number() })]);
    expect(await messageOf({ toString: 1 }, struct)).toBe(
      'params must be in an accepted format.',
    );
  });
});

describe('a path', () => {
  const pathOf = async (key: string): Promise<unknown> => {
    const value: unknown = JSON.parse(`{${JSON.stringify(key)}: 1}`);
    const { context } = await failureOf(() => parse(value, object({}), 'params'));
    return (context as { path: unknown }).path;
  };

  it.each([
    ['plain', 'params.plain'],
    ['$with_9', 'params.$with_9'],
    ['with space', 'params["with space"]'],
    ['"] quoted', String.raw`params["\"] quoted"]`],
    ['line\nbreak', String.raw`params["line\nbreak"]`],
    ['\ud800', String.raw`params["\ud800"]`],
    ['__proto__', 'params.__proto__'],
    ['constructor', 'params.constructor'],
    ['', 'params[""]'],
    ['7', 'params[7]'],
  ])('writes the key %j', async (key, path) => {
    expect(await pathOf(key)).toBe(path);
  });

  it.each([
    ['letters', 'k'],
    ['digits', '1'],
    ['spaces', ' '],
  ])('shortens a long key of %s', async (_what, character) => {
    const path = await pathOf(character.repeat(100_000));
    expect(String(path).length).toBeLessThan(60);
  });

  it('does not split a character', async () => {
    const path = String(await pathOf(`${'k'.repeat(39)}\u{1f600}`));
    expect(path).not.toContain(String.raw`\ud83d`);
  });

  it('escapes characters that reorder text', async () => {
    expect(await pathOf('\u202etxt')).not.toContain('\u202e');
  });
});

describe('a key named __proto__', () => {
  it('stays a plain field and reaches no prototype', () => {
    const given: unknown = JSON.parse('{"a": {"__proto__": {"polluted": true}}}');
    const parsed = parse(given, record(string(), unknown()), 'params');
    expect(Object.keys(parsed.a as object)).toStrictEqual(['__proto__']);
    expect(Object.prototype).not.toHaveProperty('polluted');
    const top = parse(JSON.parse('{"__proto__": 1}'), record(string(), number()), 'p');
    expect(Object.getPrototypeOf(top)).toBe(Object.prototype);
  });
});

describe('oneOf', () => {
  it.each(['toString', '__proto__', 'A', ' a', '', null, 0, ['a'], { a: 1 }])(
    'rejects %j',
    (value) => {
      expect(oneOf(['a', 'b']).is(value)).toBe(false);
    },
  );
});
