import { parseJson } from '../../../../dev/dapp/methods/json';

it('reads JSON', () => {
  expect(parseJson(' [1, {"a": [true, null, "x\\u00e4"]}] ')).toStrictEqual({
    value: [1, { a: [true, null, 'xä'] }],
  });
});

it.each([
  ['', 'Line 1, column 1: a value was expected.'],
  ['[1,]', 'Line 1, column 4: a value was expected.'],
  ['[1 2]', 'Line 1, column 4: a comma or ] was expected.'],
  [
    '[\n  {"a": 1,\n   b: 2}\n]',
    'Line 3, column 4: a name in double quotes was expected.',
  ],
  ['{"a" 1}', 'Line 1, column 6: a colon was expected.'],
  ['{"a": 1', 'Line 1, column 8: a comma or } was expected.'],
  ['["a]', 'Line 1, column 2: a value was expected.'],
  ["['a']", 'Line 1, column 2: a value was expected.'],
  ['[01]', 'Line 1, column 3: a comma or ] was expected.'],
  ['[] []', 'Line 1, column 4: the end was expected.'],
])('tells where it breaks off: %j', (text, problem) => {
  expect(parseJson(text)).toStrictEqual({ problem });
});
