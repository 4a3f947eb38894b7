// No limit is silent: behind any number of decoys, the review finds the payload, or a danger says
// that there is too much to check.
import fc from 'fast-check';
import { numberToHex, pad } from 'viem';
import type { Hex } from 'viem';

import {
  ATTACKER,
  encode,
  FRIEND,
  includes,
  judge,
  POISON,
  TOKEN,
} from '../support/judged-calls';
import type { Call } from '../support/judged-calls';
import { runs } from '../support/runs';

const addressAt = (index: number): Hex =>
  numberToHex(2n ** 100n + BigInt(index), { size: 20 });

const approve = (spender: Hex, amount = 1n): Hex =>
  encode('approve(address,uint256)', spender, amount);

const plain: Call = { to: TOKEN, value: 0n, data: approve(ATTACKER) };

const times = <Each>(count: number, make: (index: number) => Each): Each[] =>
  Array.from({ length: count }, (_each, index) => make(index));

const multicall = (data: readonly Hex[]): Call => ({
  to: TOKEN,
  value: 0n,
  data: encode('multicall(bytes[])', data),
});

// Splits the calls into lists of 200, because lists of more than 250 are not read at all.
const inLists = (data: readonly Hex[]): Call => {
  const lists = times(
    Math.ceil(data.length / 200),
    (index) => multicall(data.slice(200 * index, 200 * (index + 1))).data,
  );
  return multicall(lists);
};

/** The review's limits: the maximum number of decoys to try, and a function that hides the payload
 * behind them. */
const limits: Record<
  string,
  { maxDecoys: number; hide: (decoys: number) => Call; payload?: Call; cases?: number }
> = {
  'calls in a list': {
    maxDecoys: 400,
    hide: (decoys) => multicall([...times(decoys, () => '0x' as const), plain.data]),
  },
  'calls in a request': {
    maxDecoys: 800,
    hide: (decoys) => inLists([...times(decoys, () => '0x' as const), plain.data]),
  },
  'bytes of calls': {
    maxDecoys: 150,
    // Long calls are slow.
    cases: 16,
    hide: (decoys) =>
      inLists([
        ...times(decoys, () => pad('0x', { size: 20_000, dir: 'right' })),
        plain.data,
      ]),
  },
  'nested calls': {
    maxDecoys: 40,
    hide: (decoys) =>
      times(decoys, () => 0).reduce<Call>((inner) => multicall([inner.data]), plain),
  },
  'calls in an unknown function': {
    maxDecoys: 120,
    hide: (decoys) => ({
      ...plain,
      data: encode('unheardOf(bytes[])', [
        ...times(decoys, (index) => approve(FRIEND, BigInt(index + 1))),
        plain.data,
      ]),
    }),
  },
  'spenders to look up on the chain': {
    maxDecoys: 240,
    hide: (decoys) =>
      inLists([...times(decoys, (index) => approve(addressAt(index))), plain.data]),
  },
  'contracts to look up on the chain': {
    maxDecoys: 240,
    payload: { to: ATTACKER, value: 0n, data: '0x12345678' },
    hide: (decoys) => ({
      to: TOKEN,
      value: 0n,
      data: encode('aggregate((address,bytes)[])', [
        ...times(decoys, (index) => [addressAt(index), '0x12345678']),
        [ATTACKER, '0x12345678'],
      ]),
    }),
  },
  'addresses that resemble a known one': {
    maxDecoys: 240,
    payload: {
      to: TOKEN,
      value: 0n,
      data: encode('transfer(address,uint256)', POISON, 1n),
    },
    hide: (decoys) =>
      inLists(
        [
          ...times(
            decoys,
            (index) =>
              `0x7099${numberToHex(index + 1, { size: 16 }).slice(2)}79c8` as const,
          ),
          POISON,
        ].map((to) => encode('transfer(address,uint256)', to, 1n)),
      ),
  },
};

const LIMIT_WARNINGS = [
  'alert.tooMuch',
  'alert.unread',
  'alert.notChecked',
  'alert.more',
];

it.each(Object.entries(limits))(
  'finds the payload or warns, despite the limit on %s',
  async (_name, { maxDecoys, hide, payload = plain, cases = 284 }) => {
    const expected = (await judge(payload)).filter(
      ({ severity }) => severity !== 'info',
    );
    expect(expected).not.toStrictEqual([]);
    await fc.assert(
      fc.asyncProperty(fc.nat(maxDecoys), async (decoys) => {
        const found = await judge(hide(decoys));
        const isWarned = found.some(
          ({ key, severity }) => severity === 'danger' && LIMIT_WARNINGS.includes(key),
        );
        expect(isWarned || expected.every((each) => includes(found, each))).toBe(true);
      }),
      runs(cases),
    );
  },
);
