// The decoding of known functions, compared with viem's.
import { decodeFunctionData, encodeFunctionData } from 'viem';
import type { Hex } from 'viem';

import { abi } from '../../../src/eth/abi';
import {
  decodeKnownCall,
  functions,
  writeArgument,
} from '../../../src/review/functions';
import { toViemAbi } from '../../support/viem-abi';

const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const OTHER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const MAX = 2n ** 256n - 1n;
const LONG: Hex = `0x${'ab'.repeat(33)}`;
const WORD: Hex = `0x${'cd'.repeat(32)}`;

const rows = Object.entries(functions).map(
  ([selector, { signature }]) => [selector as Hex, signature] as const,
);

const samples: Record<string, unknown> = {
  address: ADDRESS,
  bool: true,
  bytes: LONG,
  uint8: 28,
  uint32: 2 ** 32 - 1,
  uint48: 2 ** 48 - 1,
  uint160: 2n ** 160n - 1n,
  uint192: 2n ** 192n - 1n,
  uint256: MAX,
  'address[]': [ADDRESS, OTHER],
  'uint256[]': [MAX, 0n],
  'bytes[]': [LONG, '0x', WORD],
};

type Input = { type: string; components?: readonly Input[] };

// viem represents tuples with unnamed members as arrays.
function sampleOf({ type, components = [] }: Input): unknown {
  if (type === 'tuple') return components.map(sampleOf);
  if (type === 'tuple[]') {
    const item = sampleOf({ type: 'tuple', components });
    return [item, item];
  }
  const [, item] = /^(.+)\[\]$/u.exec(type) ?? [];
  if (!(type in samples) && item) return [sampleOf({ type: item, components })];
  const [, size] = /^bytes(\d+)$/u.exec(type) ?? [];
  if (size) return WORD.slice(0, 2 + 2 * Number(size));
  if (!(type in samples)) throw new Error(`There is no sample of ${type}.`);
  return samples[type];
}

function encode(signature: string, args?: unknown[]): Hex {
  const [item] = toViemAbi(signature);
  return encodeFunctionData({
    abi: [item],
    args: args ?? item.inputs.map((input) => sampleOf(input)),
  });
}

/** Writes a value from viem as the snap does, without the checksums that viem adds to addresses. */
function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
  return String(value).toLowerCase();
}

function findKnownCall(data: Hex) {
  const call = decodeKnownCall(data);
  if (!call) return undefined;
  const { signature, types, values, isCanonical } = call;
  return {
    signature,
    isCanonical,
    arguments: values?.map((value, index) => ({
      type: types[index] ?? '',
      value: writeArgument(value),
    })),
  };
}

describe('known functions', () => {
  it('include every function that the snap itself encodes', () => {
    for (const [signature, { selector }] of Object.entries(abi)) {
      expect(functions[selector]).toMatchObject({ signature });
    }
  });

  it.each(rows)('are decoded as viem decodes them: %s %s', (_selector, signature) => {
    const data = encode(signature);
    const viem = decodeFunctionData({ abi: toViemAbi(signature), data });
    const call = findKnownCall(data);
    expect(call).toMatchObject({ signature, isCanonical: true });
    expect(call?.arguments?.map(({ value }) => value)).toStrictEqual(
      (viem.args ?? []).map(write),
    );
    expect(`(${call?.arguments?.map(({ type }) => type).join(',')})`).toBe(
      signature.slice(signature.indexOf('(')),
    );
  });
});

describe('a known call', () => {
  it.each<[string, Hex]>([
    ['empty data', '0x'],
    ['a part of a selector', '0xa9059c'],
    ['an unknown selector', '0xdeadbeef'],
  ])('is not recognized in %s', (_what, data) => {
    expect(findKnownCall(data)).toBeUndefined();
  });

  it.each<[string, Hex]>([
    ['missing', '0xa9059cbb'],
    ['cut short', encode('transfer(address,uint256)').slice(0, -2) as Hex],
  ])('has only a name if its arguments are %s', (_what, data) => {
    expect(findKnownCall(data)).toStrictEqual({
      signature: 'transfer(address,uint256)',
      isCanonical: false,
      arguments: undefined,
    });
  });

  it.each<[string, Hex, string]>([
    ['trailing bytes', `${encode('transfer(address,uint256)', [OTHER, 5n])}00`, OTHER],
    [
      'an address with dirty upper bytes',
      `0xa9059cbb${'ff'.repeat(12)}${OTHER.slice(2)}${'5'.padStart(64, '0')}`,
      OTHER,
    ],
    [
      'a bool of 2',
      `0xa22cb465${OTHER.slice(2).padStart(64, '0')}${'2'.padStart(64, '0')}`,
      'true',
    ],
    ['a uint32 of 2^32', `0x0396cb60${'100000000'.padStart(64, '0')}`, '0'],
  ])(
    'is read with %s as contracts read it, but is not canonical',
    (_what, data, value) => {
      const call = findKnownCall(data);
      expect(call?.isCanonical).toBe(false);
      expect(call?.arguments?.map((each) => each.value)).toContain(value);
    },
  );

  const content = Array<bigint>(32).fill(7n);
  const words = [32n, 2n, 64n, 1_120n, 1_024n, ...content, 1_024n, ...content];
  const findMulticall = (all: bigint[]) =>
    findKnownCall(
      `0xac9650d8${all.map((word) => word.toString(16).padStart(64, '0')).join('')}`,
    );

  it.each<[string, bigint[]]>([
    ['trailing bytes', [...words, 0n]],
    ['a gap', words.with(3, 1_152n).toSpliced(37, 0, 0n)],
    ['parts in another order', words.with(2, 1_120n).with(3, 64n)],
    ['overlapping parts beside an equally long gap', words.with(3, 64n)],
    ['bytes that are not zero after a part', words.with(4, 1_000n)],
  ])('is read with %s, but is not canonical, even if it is long', (_what, all) => {
    const bytes = `0x${'7'.padStart(64, '0').repeat(32)}`;
    const call = { arguments: [{ type: 'bytes[]', value: `[${bytes}, ${bytes}]` }] };
    expect(findMulticall(words)).toMatchObject({ ...call, isCanonical: true });
    expect(findMulticall(all)).toMatchObject({ isCanonical: false });
  });
});
