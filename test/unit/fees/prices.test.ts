// Prices in US dollars from Chainlink feeds, including feeds without a usable answer.
import { decodeFunctionData, encodeFunctionResult, parseAbi } from 'viem';
import type { Hex } from 'viem';

import { createNodeClient } from '../../../packages/client/src';
import { createPreparePrice, toShownPrice } from '../../../src/fees/prices';
import type { CoinPrice } from '../../../src/fees/prices';
import { createTranslate } from '../../../src/ui/i18n';
import { english, translate } from '../../support/view';

const abi = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
]);

const NOW = 1_790_000_000;

type Feed = { decimals?: number; price?: bigint; at?: number };

function answer({ decimals = 8, price = 345_678_000_000n, at = NOW - 720 }: Feed) {
  return (data: Hex): Hex =>
    decodeFunctionData({ abi, data }).functionName === 'decimals'
      ? encodeFunctionResult({ abi, functionName: 'decimals', result: decimals })
      : encodeFunctionResult({
          abi,
          functionName: 'latestRoundData',
          result: [7n, price, BigInt(at), BigInt(at), 7n],
        });
}

async function read(
  answerCall: (data: Hex) => unknown,
  { id = 1n, isWanted = true } = {},
): Promise<{ price: CoinPrice | undefined; asked: number }> {
  let asked = 0;
  const node = createNodeClient({
    label: 'the node',
    request: async ({ params: [call] }) => {
      asked += 1;
      return Promise.resolve(answerCall((call as { data: Hex }).data));
    },
  });
  const prepare = createPreparePrice(
    () => NOW * 1_000,
    async () => Promise.resolve(isWanted),
  );
  const price = await (await prepare({ id, node }))();
  return { price, asked };
}

it('reads a price and its age', async () => {
  const { price } = await read(answer({}));
  expect(price).toStrictEqual({ usd: 345_678_000_000n, age: 720_000 });
});

it.each([1n, 10n, 56n, 8453n, 42_161n, 43_114n, 59_144n])(
  'has a feed for chain %i',
  async (id) => {
    expect((await read(answer({}), { id })).price).toBeDefined();
  },
);

it('makes no call on other chains, or if prices are turned off', async () => {
  for (const options of [{ id: 11_155_111n }, { isWanted: false }]) {
    expect(await read(answer({}), options)).toStrictEqual({
      price: undefined,
      asked: 0,
    });
  }
});

it.each<[string, (data: Hex) => unknown]>([
  ['of zero', answer({ price: 0n })],
  ['below zero', answer({ price: -5n })],
  ['of ten million', answer({ price: 10n ** 15n })],
  ['from yesterday', answer({ at: NOW - 86_401 })],
  ['from tomorrow', answer({ at: NOW + 301 })],
  ['without a time', answer({ at: 0 })],
  ['with other decimals', answer({ decimals: 18 })],
  ['without a contract', () => '0x'],
  ['of too few bytes', (data) => answer({})(data).slice(0, -2)],
  ['of too many bytes', (data) => `${answer({})(data)}00`],
  ['that is not a string', () => 7],
  [
    'that is refused',
    () => {
      throw new Error('no');
    },
  ],
])('shows no price %s', async (_what, answerCall) => {
  expect((await read(answerCall)).price).toBeUndefined();
});

it('accepts a clock that is slightly behind', async () => {
  expect((await read(answer({ at: NOW + 300 }))).price).toHaveProperty('age', 0);
});

it.each<[bigint, string]>([
  [10n ** 18n, '≈ $3,456.78'],
  [356_000_000_000_000n, '≈ $1.23'],
  [2_893_000_000_000n, '≈ $0.01'],
  [2_892_000_000_000n, '< $0.01'],
  [0n, '< $0.01'],
])('formats the value of %i wei: %s', (wei, text) => {
  const price = { usd: 345_678_000_000n, age: 720_000 };
  expect(toShownPrice(wei, price, translate)).toBe(text);
});

it("formats the value in the user's language", () => {
  const price = { usd: 345_678_000_000n, age: 720_000 };
  const german = createTranslate(english, 'de');
  expect(toShownPrice(10n ** 18n, price, german)).toContain('3.456,78');
});
