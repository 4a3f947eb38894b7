import { encodeAbiParameters, parseAbiParameters } from 'viem';

import { hasLayout, listTypes } from '../../../src/eth/abi-layout';
import { decodeCalls, encodeIntents } from '../../../src/eth/account-calls';
import { entryPointVersions } from '../../../src/eth/entry-point';

const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

/** Values by their types, with members that are dynamic, static, and in one another. */
const cases: [string, unknown[]][] = [
  ['', []],
  ['uint256', [1n]],
  ['string,bool', ['a text of more than one word, to be sure', true]],
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

describe('the layout of arguments', () => {
  it.each(cases)('of (%s) is that of viem', (types, values) => {
    const bytes = encode(types, values);
    expect(hasLayout(listTypes(`f(${types})`), bytes)).toBe(true);
  });

  it.each(cases)('of (%s) has no byte more or less', (types, values) => {
    const bytes = encode(types, values);
    const list = listTypes(`f(${types})`);
    expect(hasLayout(list, new Uint8Array([...bytes, 0]))).toBe(false);
    if (bytes.length === 0) return;
    expect(hasLayout(list, bytes.slice(0, -32))).toBe(false);
    expect(hasLayout(list, new Uint8Array())).toBe(false);
  });

  it('is none of more items than anybody reads', () => {
    const list = (length: number): Uint8Array =>
      encode('bytes[]', [Array<string>(length).fill('0x')]);
    expect(hasLayout(['bytes[]'], list(250))).toBe(true);
    expect(hasLayout(['bytes[]'], list(251))).toBe(false);
  });

  it.each(entryPointVersions)('is none of hundreds of calls, for %s', (version) => {
    const call = { to: ADDRESS, value: 0n, data: '0x' } as const;
    const callData = encodeIntents(version, Array<typeof call>(500).fill(call));
    expect(decodeCalls(version, callData)).toBeUndefined();
  });
});

describe('the types of a signature', () => {
  it.each([
    ['f()', []],
    ['f(bool)', ['bool']],
    [
      'f(bool,(address,(bytes,bool)[])[],uint8)',
      ['bool', '(address,(bytes,bool)[])[]', 'uint8'],
    ],
    ['(address,bytes)', ['address', 'bytes']],
  ])('are listed: %s', (signature, types) => {
    expect(listTypes(signature)).toStrictEqual(types);
  });
});
