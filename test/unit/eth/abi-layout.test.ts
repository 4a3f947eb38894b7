import { encodeAbiParameters, parseAbiParameters } from 'viem';

import { listTypes, readArguments } from '../../../src/eth/abi';
import { encodeIntents, readCallData } from '../../../src/eth/account-calls';
import { entryPointVersions } from '../../../src/eth/user-operation';

const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

/** Values by their types, with members that are dynamic, static, and in one another. */
const cases: [string, unknown[]][] = [
  ['', []],
  ['uint256', [1n]],
  ['bytes,bool', [`0x${'ab'.repeat(40)}`, true]],
  ['bytes4,uint8,bytes32', ['0x12345678', 7, `0x${'cd'.repeat(32)}`]],
  ['(uint256,address),bytes', [[1n, ADDRESS], '0xab']],
  ['(uint256,address)[],(bool,(uint8,uint8))', [[[1n, ADDRESS]], [true, [1, 2]]]],
  [
    '(uint256,(bytes,bool)),uint256[][]',
    [
      [1n, ['0xab', true]],
      [[1n], [], [2n, 3n]],
    ],
  ],
  [
    '(address,bytes[])[]',
    [
      [
        [ADDRESS, ['0x', '0xab']],
        [ADDRESS, []],
      ],
    ],
  ],
];

const encode = (types: string, values: unknown[]): Uint8Array => {
  if (types === '') return new Uint8Array();
  const hex = encodeAbiParameters(parseAbiParameters(types), values as never);
  return Buffer.from(hex.slice(2), 'hex');
};

const read = (types: string, bytes: Uint8Array): unknown =>
  readArguments(listTypes(`f(${types})`), bytes);

// viem gives bytes as hex, small numbers as numbers.
function toComparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value)) return value.map(toComparable);
  return typeof value === 'number' ? BigInt(value) : value;
}

describe('arguments', () => {
  it.each(cases)('(%s) are read whatever follows, and not if cut', (types, values) => {
    const bytes = encode(types, values);
    const more = read(types, new Uint8Array([...bytes, 1]));
    expect(toComparable(more)).toStrictEqual(toComparable(values));
    if (bytes.length === 0) return;
    expect(read(types, bytes.slice(0, 31))).toBeUndefined();
    expect(read(types, new Uint8Array())).toBeUndefined();
  });

  it('are none of more items than anybody reads', () => {
    const list = (length: number): Uint8Array =>
      encode('bytes[]', [Array<string>(length).fill('0x')]);
    expect(read('bytes[]', list(250))).toBeDefined();
    expect(read('bytes[]', list(251))).toBeUndefined();
  });

  it.each(entryPointVersions)('are none of hundreds of calls, for %s', (version) => {
    const call = { to: ADDRESS, value: 0n, data: '0x' } as const;
    const callData = encodeIntents(version, Array<typeof call>(500).fill(call));
    expect(readCallData(version, callData).calls).toBeUndefined();
  });
});
