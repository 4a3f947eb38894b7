// The replacements for parts of micro-eth-signer behave as the originals.
import { createRequire } from 'node:module';

import fc from 'fast-check';
import { encodeAbiParameters, hexToBytes } from 'viem';
import type { AbiParameter } from 'viem';

import * as own from '../../../../src/review/describe/micro-eth-signer';

const require = createRequire(import.meta.url);
const root = require.resolve('micro-eth-signer/clearsig.js').replace('clearsig.js', '');

/** What the engine imports, by what it imports it from. */
const whole = Object.assign(
  {},
  require('@noble/curves/utils.js') as object,
  ...['abi/mapper.js', 'core/address.js', 'core/message.js', 'utils.js'].map(
    (path) => require(`${root}${path}`) as object,
  ),
) as typeof own;

const outcomeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

const same = (work: (parts: typeof own) => unknown): void => {
  expect(outcomeOf(() => work(own))).toStrictEqual(outcomeOf(() => work(whole)));
};

const bytes = fc.uint8Array({ maxLength: 40 });
const text = fc.string({ maxLength: 12, unit: 'grapheme' });

type Typed = { type: string; components?: Typed[]; name?: string; value: unknown };

const atom: fc.Arbitrary<Typed> = fc.oneof(
  fc
    .bigInt({ min: 0n, max: 2n ** 256n - 1n })
    .map((value) => ({ type: 'uint256', value })),
  fc.bigInt({ min: -128n, max: 127n }).map((value) => ({ type: 'int8', value })),
  fc.boolean().map((value) => ({ type: 'bool', value })),
  fc.uint8Array({ minLength: 20, maxLength: 20 }).map((each) => ({
    type: 'address',
    value: own.ethHex.encode(each),
  })),
  fc.uint8Array({ minLength: 4, maxLength: 4 }).map((each) => ({
    type: 'bytes4',
    value: own.ethHex.encode(each),
  })),
  bytes.map((each) => ({ type: 'bytes', value: own.ethHex.encode(each) })),
  text.map((value) => ({ type: 'string', value })),
);

const { argument } = fc.letrec<{ argument: Typed; list: Typed[] }>((tie) => ({
  argument: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc
      .record({ of: tie('argument'), count: fc.nat(3), isFixed: fc.boolean() })
      .map(({ of, count, isFixed }): Typed => ({
        ...of,
        type: `${of.type}[${isFixed ? count + 1 : ''}]`,
        value: Array.from({ length: isFixed ? count + 1 : count }, () => of.value),
      })),
    fc
      .record({ parts: tie('list'), isNamed: fc.boolean() })
      .map(({ parts, isNamed }): Typed => ({
        type: 'tuple',
        components: parts.map((each, index) =>
          isNamed ? { ...each, name: `part${index}` } : each,
        ),
        value: isNamed
          ? Object.fromEntries(parts.map(({ value }, index) => [`part${index}`, value]))
          : parts.map(({ value }) => value),
      })),
  ),
  list: fc.array(tie('argument'), { minLength: 1, maxLength: 3 }),
}));

it('reads and names the arguments of any function', () => {
  fc.assert(
    fc.property(
      fc.array(argument, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (all, isNamed) => {
        const inputs = all.map((each, index) =>
          isNamed ? { ...each, name: `arg${index}` } : each,
        );
        const encoded = hexToBytes(
          encodeAbiParameters(
            inputs as AbiParameter[],
            inputs.map(({ value }) => value) as never,
          ),
        );
        const read = (parts: typeof own): unknown =>
          structuredClone(parts.mapArgs(inputs).decode(encoded));
        expect(read(own)).toStrictEqual(read(whole));
      },
    ),
  );
});

it('refuses truncated data', () => {
  const encoded = hexToBytes(encodeAbiParameters([{ type: 'bytes' }], ['0x1234']));
  for (const parts of [own, whole]) {
    expect(() =>
      parts.mapArgs([{ type: 'bytes' }]).decode(encoded.slice(0, 64)),
    ).toThrow();
  }
});

it.each<[string, unknown]>([
  ['uint256', 5n],
  ['uint8', 255n],
  ['int256', -1n],
])('encodes a %s', (type, value) => {
  same((parts) => parts.mapComponent({ type }).encode(value as bigint));
});

it('encodes types and hashes domains', () => {
  const types = {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Mail: [
      { name: 'to', type: 'Person[]' },
      { name: 'text', type: 'string' },
    ],
    Person: [{ name: 'wallet', type: 'address' }],
  };
  const domain = { name: 'Post', chainId: 1 };
  same((parts) => parts.encodeType(types, 'Mail'));
  same((parts) => parts.getDomainType(domain));
  const hash = ({ encoder }: typeof own): string =>
    (encoder as (...all: unknown[]) => ReturnType<typeof encoder>)(
      types,
      domain,
    ).structHash('EIP712Domain', domain);
  same(hash);
});

it('reads addresses, and writes bytes and decimals', () => {
  const address = fc.oneof(
    fc.uint8Array({ minLength: 20, maxLength: 20 }).map(own.ethHex.encode),
    text,
  );
  fc.assert(
    fc.property(address, (each) => {
      same(({ addr }) => addr.parse(each).data);
      same(({ addr }) => addr.parse(each.slice(2)).data);
    }),
  );
  fc.assert(
    fc.property(bytes, (each) => {
      same(({ ethHex }) => ethHex.encode(each));
      same(({ ethHex }) => ethHex.decode(own.ethHex.encode(each)));
      same(({ add0x }) => add0x(own.ethHex.encode(each).slice(2)));
    }),
  );
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }),
      fc.nat(36),
      (n, d) => {
        same(({ createDecimal }) => createDecimal(d).encode(n));
        same(({ weieth }) => weieth.encode(n));
      },
    ),
  );
});

it('distinguishes objects and bytes, and omits properties', () => {
  for (const value of [null, undefined, 1, 'text', {}, [], new Uint8Array(2)]) {
    same(({ isObject }) => isObject(value));
    same(({ isBytes }) => isBytes(value));
  }
  same(({ omit }) => omit({ a: 1, b: 2, c: 3 }, 'a', 'c'));
});

it('reads, writes and compares bytes', () => {
  const number = fc.oneof(fc.bigInt({ min: -2n, max: 2n ** 264n }), fc.nat());
  fc.assert(
    fc.property(bytes, bytes, number, fc.integer({ min: 1, max: 33 }), (...given) => {
      const [one, other, value, length] = given;
      same(({ bytesToNumberBE }) => bytesToNumberBE(one));
      same(({ equalBytes }) => [equalBytes(one, other), equalBytes(one, one)]);
      same(({ numberToBytesBE }) => numberToBytesBE(value, length));
    }),
  );
});
