// The replacements in the bundle behave as the packages do, for random values.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';

import * as common from '@ethereumjs/common';
import { createTxFromRLP } from '@ethereumjs/tx';
import * as abi from '@metamask/abi-utils';
import * as parsers from '@metamask/abi-utils/dist/parsers';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base64 } from '@scure/base';
import fc from 'fast-check';
import { encodeAbiParameters, hexToBytes } from 'viem';
import type { AbiParameter } from 'viem';

import * as own from '../../../src/review/describe/micro-eth-signer';
import * as ownAbi from '../../../src/vendor/abi-utils';
import * as ownBase64 from '../../../src/vendor/base64';
import { Buffer as OwnBuffer } from '../../../src/vendor/buffer';
import * as ownCommon from '../../../src/vendor/common';
import * as slim from '../../../src/vendor/eth-sig-util-util';
import { keccak256 } from '../../../src/vendor/keccak';
import { owner, privateKey } from '../../fixtures/eth/owner';
import { signByViem, transactionsOf } from '../../support/transaction-arbitraries';

const require = createRequire(import.meta.url);

// The copy that eth-sig-util brings, with the types of none.
const sigUtil = createRequire(require.resolve('@metamask/eth-sig-util'));
const whole = sigUtil('@ethereumjs/util') as Record<
  string,
  (...all: unknown[]) => unknown
>;

const hexOf = (value: unknown) => Buffer.from(value as Uint8Array).toString('hex');

const bytes = fc.uint8Array({ maxLength: 80 });

/** What a function answers; `undefined` where it throws, and nothing else answers that. */
function outcomeOf(work: () => unknown): unknown {
  try {
    const answer = work();
    return answer instanceof Uint8Array ? hexOf(answer) : answer;
  } catch {
    return undefined;
  }
}

/** Compares what work does with each of two. */
const compare =
  <Parts>(one: Parts, other: Parts) =>
  (work: (parts: Parts) => unknown): void => {
    expect(outcomeOf(() => work(one))).toStrictEqual(outcomeOf(() => work(other)));
  };

describe('@metamask/abi-utils', () => {
  const same = compare<typeof ownAbi>(ownAbi, { ...abi, ...parsers } as never);

  const size = fc.integer({ min: 0, max: 33 });
  const atom = fc.oneof(
    fc.constantFrom('address', 'bool', 'bytes', 'string', 'uint', 'int', 'text'),
    fc.constantFrom(
      'uint8',
      'int8',
      'uint256',
      'int256',
      'uint160',
      'bytes4',
      'bytes32',
    ),
    size.map((length) => `bytes${length}`),
    size.map((length) => `uint${length * 8 + (length % 2)}`),
    size.map((length) => `int${length * 8}`),
  );
  const { type } = fc.letrec<{ type: string }>((tie) => ({
    type: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 4, arbitrary: atom },
      { weight: 1, arbitrary: tie('type').map((item) => `${item}[]`) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(tie('type'), fc.nat(3))
          .map(([item, length]) => `${item}[${length}]`),
      },
      {
        weight: 1,
        arbitrary: fc
          .array(tie('type'), { maxLength: 3 })
          .map((members) => `(${members.join()})`),
      },
    ),
  }));

  const hex = fc.uint8Array({ maxLength: 34 }).map((some) => `0x${hexOf(some)}`);
  const odd = fc.oneof(
    hex,
    fc.bigInt({ min: -(2n ** 257n), max: 2n ** 257n }),
    fc.integer(),
    fc.boolean(),
    fc.constantFrom(
      'true',
      'false',
      '',
      '0x',
      null,
      undefined,
      NaN,
      1.5,
      '12',
      '-12',
      '0x1',
    ),
    fc.string(),
    bytes,
  );

  /** Values of a type most of the time, and others. */
  const valueOf = (name: string): fc.Arbitrary<unknown> => {
    const array = /^(.*)\[(\d*)\]$/u.exec(name);
    if (array) {
      const [, item = '', length = ''] = array;
      const exact = length === '' ? {} : { minLength: Number(length) };
      const most = { maxLength: length === '' ? 3 : Number(length) };
      const items = fc.array(valueOf(item), { ...exact, ...most });
      return fc.oneof(
        { weight: 20, arbitrary: items },
        fc.array(odd, { maxLength: 2 }),
      );
    }
    if (name.startsWith('(')) {
      const members = parsers.getTupleElements(name).map(valueOf);
      return fc.tuple(...members);
    }
    const bits = Number(/^u?int(\d+)$/u.exec(name)?.[1] ?? 256) || 8;
    const small = (most: number): fc.Arbitrary<unknown> =>
      fc
        .uint8Array({ maxLength: most })
        .chain((some) => fc.constantFrom<unknown>(some, `0x${hexOf(some)}`));
    const fitting = (): fc.Arbitrary<unknown> => {
      if (name === 'bool') return fc.boolean();
      if (name === 'address') return small(20);
      if (name === 'string') return fc.string({ unit: 'grapheme' });
      if (name === 'bytes') return small(70);
      if (name.startsWith('bytes')) return small(Number(name.slice(5)));
      const signed = name.startsWith('int');
      const top = 2n ** BigInt(signed ? bits - 1 : bits);
      return fc
        .bigInt({ min: signed ? -top : 0n, max: top - 1n })
        .chain((value) => fc.constantFrom<unknown>(value, value.toString()));
    };
    return fc.oneof({ weight: 20, arbitrary: fitting() }, odd);
  };

  const call = fc.array(type, { maxLength: 4 }).chain((types) =>
    fc.record({
      types: fc.constant(types),
      values: fc.tuple(...types.map(valueOf)),
      isTight: fc.boolean(),
    }),
  );

  it('encodes the same, and refuses the same', () => {
    fc.assert(
      fc.property(call, ({ types, values, isTight }) => {
        same(({ encode }) => encode(types, values));
        same(({ encodePacked }) => encodePacked(types, values, isTight));
      }),
      { numRuns: Number(process.env.ABI_RUNS ?? 200) },
    );
  });

  it('takes types apart', () => {
    fc.assert(
      fc.property(fc.oneof(type, fc.string()), (name) => {
        same(({ isArrayType }) => isArrayType(name));
        same(({ getArrayType }) => getArrayType(name));
        same(({ getLength }) => getLength(name));
        same(({ getByteLength }) => getByteLength(name));
      }),
    );
  });
});

describe('@ethereumjs/common', () => {
  const options = { hardfork: common.Hardfork.Prague };
  const chain = { chainId: '5' };
  const theirs = common.createCustomCommon(chain, common.Mainnet, options);
  const ours = ownCommon.createCustomCommon(chain, ownCommon.Mainnet, options);

  it('knows the forks, EIPs and chain', () => {
    for (const fork of [...theirs.hardforks().map(({ name }) => name), 'none']) {
      expect([fork, ours.gteHardfork(fork)]).toEqual([fork, theirs.gteHardfork(fork)]);
    }
    for (let eip = 0; eip < 10_000; eip += 1) {
      if (ours.isActivatedEIP(eip) === theirs.isActivatedEIP(eip)) continue;
      throw new Error(`EIP-${eip} differs.`);
    }
    expect([ours.chainId(), ours.hardfork()]).toEqual([
      theirs.chainId(),
      theirs.hardfork(),
    ]);
  });

  it('knows the parameters of transactions', () => {
    const { paramsTx } = require('@ethereumjs/tx') as { paramsTx: Params };
    ours.updateParams(paramsTx);
    theirs.updateParams(paramsTx);
    const names = Object.values(paramsTx).flatMap((each) => Object.keys(each));
    for (const name of [...names, 'none']) {
      compare<Pick<typeof theirs, 'param'>>(ours, theirs)((rules) => rules.param(name));
    }
  });

  it('refuses the rules of another fork', () => {
    const other = { hardfork: common.Hardfork.London };
    expect(() => ownCommon.createCustomCommon({ chainId: '1' }, {}, other)).toThrow(
      'Only the rules of Prague',
    );
  });

  it('signs the same transactions', async () => {
    const kzg = {} as never;
    const rulesOf = (source: typeof common): typeof theirs =>
      source.createCustomCommon(chain, source.Mainnet, {
        hardfork: source.Hardfork.Prague,
        customCrypto: { kzg },
      });
    const all = [common, ownCommon as unknown as typeof common].map(rulesOf);
    const transaction = fc.oneof(...Object.values(transactionsOf));
    const property = fc.asyncProperty(transaction, async (each) => {
      const raw = hexToBytes(await signByViem(owner, { ...each, chainId: 5 }));
      const [their, our] = all.map((rules) =>
        createTxFromRLP(raw, { common: rules, allowUnlimitedInitCodeSize: true })
          .sign(privateKey, false)
          .serialize(),
      );
      expect(hexOf(our)).toBe(hexOf(their));
    });
    await fc.assert(property);
  });

  type Params = Record<number, Record<string, number>>;
});

describe('@scure/base', () => {
  const same = compare<typeof ownBase64.base64>(ownBase64.base64, base64);

  it('writes and reads Base64 alone', () => {
    fc.assert(
      fc.property(bytes, fc.string(), (some, text) => {
        const encoded = base64.encode(some);
        expect(ownBase64.base64.encode(some)).toBe(encoded);
        for (const given of [encoded, text, `${encoded} `, encoded.replace('=', '')]) {
          same(({ decode }) => decode(given));
        }
      }),
    );
  });
});

// Both are ES modules, which Jest would translate.
const evaluate = (program: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });

const COMPARE = `
  import { readFileSync } from 'node:fs';
  import * as theirs from '@ethereumjs/util';
  import withoutTable from './dev/build/bigint-loader.mjs';

  const url = import.meta.resolve('@ethereumjs/util').replace('index.js', 'bytes.js');
  const source = withoutTable.call({}, readFileSync(new URL(url), 'utf8'));
  const absolute = source.replace(/(from ")\\.\\//gu, '$1' + new URL('.', url))
    .replace(/from '@noble[^']*'/gu, (from) => {
      return "from '" + import.meta.resolve(from.slice(6, -1)) + "'";
    });
  const ours = await import('data:text/javascript,' + encodeURIComponent(absolute));
  for (let number = 0; number < 2 ** 17; number += 1) {
    const bytes = Uint8Array.of(number >> 16, number >> 8, number);
    for (const some of [bytes, bytes.subarray(1), bytes.subarray(2), bytes.subarray(3)]) {
      if (ours.bytesToBigInt(some) !== theirs.bytesToBigInt(some)) throw new Error(some);
    }
  }
  try {
    withoutTable.call({ resourcePath: 'a file' }, 'another text');
  } catch ({ message }) {
    console.log(message);
  }
`;

it('leaves the numbers of @ethereumjs/util as they are without their table', () => {
  expect(evaluate(COMPARE)).toBe(
    'a file has another table of bigints than expected.\n',
  );
});

const COMPARE_PERMUTATIONS = `
  import { deepStrictEqual } from 'node:assert';
  import { getRandomValues } from 'node:crypto';
  import { readFileSync } from 'node:fs';
  import { keccakP } from '@noble/hashes/sha3.js';
  import withViews from './dev/build/keccak-loader.mjs';

  const url = import.meta.resolve('@noble/hashes/sha3.js');
  const source = withViews.call({}, readFileSync(new URL(url), 'utf8'));
  const absolute = source.replace(/(from ")\\.\\//gu, '$1' + new URL('.', url));
  const ours = await import('data:text/javascript,' + encodeURIComponent(absolute));
  for (let rounds = 1; rounds <= 24; rounds += 1) {
    const states = [getRandomValues(new Uint32Array(60)).subarray(10)];
    states.push(states[0].slice());
    keccakP(states[1], rounds);
    ours.keccakP(states[0], rounds);
    deepStrictEqual(states[0], states[1]);
  }
  try {
    withViews.call({ resourcePath: 'a file' }, 'another text');
  } catch ({ message }) {
    console.log(message);
  }
`;

it("leaves noble's Keccak as it is where it writes by a view", () => {
  expect(evaluate(COMPARE_PERMUTATIONS)).toBe(
    'a file has another permutation than expected.\n',
  );
});

describe('the Buffer', () => {
  it('reads and writes as that of Node', () => {
    fc.assert(
      fc.property(bytes, fc.string({ unit: 'grapheme' }), (some, text) => {
        const hex = hexOf(some);
        expect(OwnBuffer.from(some).toString('hex')).toBe(hex);
        expect(OwnBuffer.from(hex, 'hex').toString('hex')).toBe(hex);
        expect(hexOf(OwnBuffer.from(text))).toBe(hexOf(Buffer.from(text)));
        expect(hexOf(OwnBuffer.concat([some, some]))).toBe(hex + hex);
      }),
    );
  });

  it('copies bytes, and views an ArrayBuffer', () => {
    const some = Uint8Array.of(1, 2, 3);
    const [copy, view] = [OwnBuffer.from(some), OwnBuffer.from(some.buffer, 1, 2)];
    some.fill(9);
    expect([...copy, ...view]).toStrictEqual([1, 2, 3, 9, 9]);
  });

  it('refuses what it cannot do', () => {
    expect(() => OwnBuffer.from('AA==', 'base64' as 'hex')).toThrow(TypeError);
    expect(() => OwnBuffer.from('A').toString('base64')).toThrow(TypeError);
    expect(String(OwnBuffer.from('A'))).toBe('1 bytes');
  });
});

describe('what eth-sig-util takes of @ethereumjs/util', () => {
  it('signs, recovers and hashes as the package does', () => {
    fc.assert(
      fc.property(bytes, (some) => {
        const digest = keccak_256(some);
        const signature = slim.ecsign(digest, privateKey);
        expect(signature).toStrictEqual(whole.ecsign?.(digest, privateKey));
        const { v, r, s } = signature;
        const key = slim.ecrecover(digest, v, r, s);
        expect(hexOf(key)).toBe(hexOf(whole.ecrecover?.(digest, v, r, s)));
        expect(hexOf(slim.publicToAddress(key))).toBe(
          hexOf(whole.publicToAddress?.(key)),
        );
        expect(hexOf(slim.hashPersonalMessage(some))).toBe(
          hexOf(whole.hashPersonalMessage?.(Buffer.from(some))),
        );
      }),
    );
  });

  it('reads and writes numbers as the package does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 32 }), (some) => {
        const buffer = Buffer.from(some);
        expect(slim.bufferToHex(some)).toBe(whole.bufferToHex?.(buffer));
        expect(slim.fromSigned(some)).toBe(whole.fromSigned?.(buffer));
        const signed = slim.fromSigned(some);
        expect(hexOf(slim.toUnsigned(signed))).toBe(hexOf(whole.toUnsigned?.(signed)));
        const [first = 0] = some;
        expect(slim.bufferToInt(Uint8Array.of(first))).toBe(first);
      }),
    );
  });

  it.each(['0x', '0x1', '0x0102', 5n, 256n, Uint8Array.of(0, 1)])(
    'reads %p',
    (value) => {
      expect(hexOf(slim.toBuffer(value))).toBe(hexOf(whole.toBuffer?.(value)));
    },
  );

  it('reads no text', () => {
    expect(() => slim.toBuffer('text')).toThrow(TypeError);
  });
});

it('hashes texts as their bytes', () => {
  const digest = keccak256('Bob');
  expect(digest).toStrictEqual(keccak256(Uint8Array.of(66, 111, 98)));
  expect(digest).toStrictEqual(keccak_256(Uint8Array.of(66, 111, 98)));
});

const root = require.resolve('micro-eth-signer/clearsig.js').replace('clearsig.js', '');

/** What the engine imports, by what it imports it from. */
const engine = Object.assign(
  {},
  require('@noble/curves/utils.js') as object,
  ...['abi/mapper.js', 'core/address.js', 'core/message.js', 'utils.js'].map(
    (path) => require(`${root}${path}`) as object,
  ),
) as typeof own;

describe('micro-eth-signer', () => {
  const same = compare(own, engine);

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
            ? Object.fromEntries(
                parts.map(({ value }, index) => [`part${index}`, value]),
              )
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
          expect(read(own)).toStrictEqual(read(engine));
        },
      ),
    );
  });

  it('refuses truncated data', () => {
    const encoded = hexToBytes(encodeAbiParameters([{ type: 'bytes' }], ['0x1234']));
    for (const parts of [own, engine]) {
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
});
