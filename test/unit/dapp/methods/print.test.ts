import { code, print } from '../../../../dev/dapp/methods/snippets/print';

it.each([
  ['a text', "'a text'"],
  ["it's", "'it\\'s'"],
  ['say "x"\n', '\'say "x"\\n\''],
  ['\\"', "'\\\\\"'"],
  [10n, '10n'],
  [[], '[]'],
  [{}, '{}'],
  [{ a: undefined, b: null }, '{ b: null }'],
  [{ 'a-b': 1 }, "{ 'a-b': 1 }"],
  [JSON.parse('{"__proto__": 1}'), "{ ['__proto__']: 1 }"],
  [{ chain: code('chain'), to: code('x') }, '{ chain, to: x }'],
])('prints row %#', (value, expected) => {
  expect(print(value)).toBe(expected);
});

it('is read as what was printed', () => {
  const value = { a: ["it's", { b: '\\"\u2028`${x}' }], 'c d': 'x'.repeat(100) };
  // What is printed is code: running it is the test.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
  expect(new Function(`return ${print(value)}`)()).toStrictEqual(value);
});

it('puts what is long on lines of its own', () => {
  const long = 'x'.repeat(70);
  expect(print({ chain: code('chain'), a: [long, { b: 1 }] })).toBe(
    `{\n  chain,\n  a: [\n    '${long}',\n    { b: 1 },\n  ],\n}`,
  );
});
