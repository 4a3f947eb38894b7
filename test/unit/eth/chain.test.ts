import { ChainIdStruct, toCaip2 } from '../../../src/eth/chain';
import { parse } from '../../../src/schema/parse';
import { failureOf } from '../../support/error-of';

// EIP-2294: floor(MAX_UINT64 / 2) - 36.
const MAX = 9_223_372_036_854_775_771n;

describe('ChainIdStruct', () => {
  it.each<[unknown, bigint]>([
    ['0x1', 1n],
    ['0xaa36a7', 11155111n],
    [59144, 59144n],
    ['eip155:0xaa36a7', 11155111n],
    ['9007199254740993', 9007199254740993n],
    [MAX.toString(), MAX],
    [`0x${MAX.toString(16)}`, MAX],
  ])('reads %j', (value, expected) => {
    expect(parse(value, ChainIdStruct, 'chainId')).toBe(expected);
  });

  it.each<unknown>([
    0,
    '0x0',
    -1,
    2 ** 53,
    (MAX + 1n).toString(),
    '',
    'eip155:',
    'eip155:eip155:1',
    'solana:1',
    'bip122:000000000019d6689c085ae165831e93',
    'mainnet',
    null,
    { chainId: 1 },
  ])('refuses %j', async (value) => {
    expect(await failureOf(() => parse(value, ChainIdStruct, 'chainId'))).toStrictEqual(
      {
        name: 'InvalidParamsError',
        code: -32602,
        message:
          'chainId must be a chain id (hex, decimal or CAIP-2 such as "eip155:1").',
        context: { path: 'chainId' },
      },
    );
  });
});

describe('toCaip2', () => {
  it('writes the number in decimal, however large', () => {
    expect(toCaip2(1n)).toBe('eip155:1');
    expect(toCaip2(MAX)).toBe('eip155:9223372036854775771');
  });
});
