// No limit is silent: behind any number of decoys, what is given away is found, or a danger says that
// there was too much to look at.
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

// Lists of at most so many, since longer ones are not read at all.
const inLists = (data: readonly Hex[]): Call => {
  const lists = times(
    Math.ceil(data.length / 200),
    (index) => multicall(data.slice(200 * index, 200 * (index + 1))).data,
  );
  return multicall(lists);
};

/** Where there is a limit: how many decoys are tried, and what has them in front of the payload. */
const places: Record<
  string,
  { most: number; place: (decoys: number) => Call; payload?: Call; cases?: number }
> = {
  'calls in a list': {
    most: 400,
    place: (decoys) => multicall([...times(decoys, () => '0x' as const), plain.data]),
  },
  'calls in a request': {
    most: 800,
    place: (decoys) => inLists([...times(decoys, () => '0x' as const), plain.data]),
  },
  'bytes of calls': {
    most: 150,
    // Long ones take long.
    cases: 16,
    place: (decoys) =>
      inLists([
        ...times(decoys, () => pad('0x', { size: 20_000, dir: 'right' })),
        plain.data,
      ]),
  },
  'calls in each other': {
    most: 40,
    place: (decoys) =>
      times(decoys, () => 0).reduce<Call>((inner) => multicall([inner.data]), plain),
  },
  'calls in an unknown function': {
    most: 120,
    place: (decoys) => ({
      ...plain,
      data: encode('unheardOf(bytes[])', [
        ...times(decoys, (index) => approve(FRIEND, BigInt(index + 1))),
        plain.data,
      ]),
    }),
  },
  'spenders that are asked about': {
    most: 240,
    place: (decoys) =>
      inLists([...times(decoys, (index) => approve(addressAt(index))), plain.data]),
  },
  'contracts that are asked about': {
    most: 240,
    payload: { to: ATTACKER, value: 0n, data: '0x12345678' },
    place: (decoys) => ({
      to: TOKEN,
      value: 0n,
      data: encode('aggregate((address,bytes)[])', [
        ...times(decoys, (index) => [addressAt(index), '0x12345678']),
        [ATTACKER, '0x12345678'],
      ]),
    }),
  },
  'addresses that resemble another': {
    most: 240,
    payload: {
      to: TOKEN,
      value: 0n,
      data: encode('transfer(address,uint256)', POISON, 1n),
    },
    place: (decoys) =>
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

const SAYING = ['alert.tooMuch', 'alert.unread', 'alert.notChecked', 'alert.more'];

it.each(Object.entries(places))(
  'holds for %s',
  async (_name, { most, place, payload = plain, cases = 284 }) => {
    const wanted = (await judge(payload)).filter(({ severity }) => severity !== 'info');
    expect(wanted).not.toStrictEqual([]);
    await fc.assert(
      fc.asyncProperty(fc.nat(most), async (decoys) => {
        const found = await judge(place(decoys));
        const isSaid = found.some(
          ({ key, severity }) => severity === 'danger' && SAYING.includes(key),
        );
        expect(isSaid || wanted.every((each) => includes(found, each))).toBe(true);
      }),
      runs(cases),
    );
  },
);
