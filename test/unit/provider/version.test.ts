import { satisfies } from '../../../src/provider/version';

it.each([
  ['1.2.3', '1.2.3', true],
  ['1.2.4', '1.2.3', false],
  ['1.2.3', '^1.2.3', true],
  ['1.10.0', '^1.2.3', true],
  ['1.2.2', '^1.2.3', false],
  ['2.0.0', '^1.2.3', false],
  ['0.1.9', '^0.1.2', true],
  ['0.2.0', '^0.1.2', false],
  ['0.1.1', '^0.1.2', false],
  ['0.10.0', '^0.9.0', false],
  ['1.2.3-beta.1', '1.2.3-beta.1', true],
  ['1.2.3-beta.1', '^1.2.3', false],
  ['undefined', '^1.2.3', false],
  ['', '', true],
])('tells whether %s is %s: %s', (version, wanted, answer) => {
  expect(satisfies(version, wanted)).toBe(answer);
});
