import { isRollup, toRollupMethod } from '../../../../src/client';

describe('isRollup', () => {
  it.each([
    [59144n, true],
    [59141n, true],
    [1n, false],
    [0n, false],
    [-59144n, false],
    [2n ** 256n, false],
  ])('answers chain %s with %s', (chainId, answer) => {
    expect(isRollup(chainId)).toBe(answer);
  });
});

describe('toRollupMethod', () => {
  it.each([
    [59144n, 'linea_estimateGas'],
    [59141n, 'linea_estimateGas'],
    [1n, 'rollup_estimateGas'],
    [undefined, 'rollup_estimateGas'],
  ])('names the method of chain %s: %s', (chainId, method) => {
    expect(toRollupMethod(chainId)).toBe(method);
  });
});
