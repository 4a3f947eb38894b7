import { parseTypedEntries, signTypedEntries } from '../../../src/eth/typed-data';
import { privateKey } from '../../fixtures/eth/owner';
import { refusalIn } from '../../support/refusal';

const sign = (list: unknown): string =>
  signTypedEntries(parseTypedEntries(list, 'data'), privateKey);

const NO_TYPE =
  '.type must be a type that Solidity packs (string, bool, address, bytes, integers; arrays of none but integers, bool, address and bytes32).';

describe('a list of version 1', () => {
  it('is read without unsigned fields', () => {
    const entry = { type: 'string', name: 'a', value: 'x' };
    expect(parseTypedEntries([{ ...entry, more: 1 }], 'data')).toStrictEqual([entry]);
  });

  it.each<[unknown, string]>([
    [undefined, ' is missing: it must be an array of 1 to 1000 entries.'],
    [{}, ' must be an array of 1 to 1000 entries.'],
    [[], ' must be an array of 1 to 1000 entries.'],
    [Array(1_001).fill({}), ' must be an array of 1 to 1000 entries.'],
    ['{}', ' must be an array, or the JSON text of one.'],
    ['[', ' must be an array, or the JSON text of one.'],
    [[null], '[0] must be an object.'],
    [[{ name: '' }], '[0].name must be a text that is not empty.'],
    [[{ type: 'string' }], '[0].name is missing: it must be a text that is not empty.'],
  ])('is refused if it is none (%#)', async (list, message) => {
    expect(await refusalIn(() => sign(list))).toStrictEqual({
      code: -32602,
      message: `data${message}`,
    });
  });

  // Of the last five eth-sig-util makes something that Solidity does not.
  it.each<[string, unknown]>([
    ['Person', {}],
    ['function', '0x'],
    ['uint7', 1],
    ['bool[0]', []],
    ['uint8[][]', [[1]]],
    ['bytes4[]', ['0x01020304']],
    ['bytes31[1]', [`0x${'12'.repeat(31)}`]],
    ['string[]', ['a']],
    ['bytes[]', ['0x01']],
  ])(
    'is refused with the path if Solidity does not pack its type: %s',
    async (type, value) => {
      const list = [
        { type: 'bool', name: 'a', value: true },
        { type, name: 'b', value },
      ];
      expect(await refusalIn(() => sign(list))).toStrictEqual({
        code: -32602,
        message: `data[1]${NO_TYPE}`,
      });
    },
  );

  it.each<[string, unknown, string]>([
    ['string', undefined, '.value is missing: it must be of type string.'],
    ['string', null, '.value must be of type string.'],
    ['address', '0x12', '.value must be of type address.'],
    ['uint8', 256, '.value must be of type uint8.'],
    ['int8', '0xff', '.value must be of type int8.'],
    ['uint8[2]', [1], '.value must be of type uint8[2].'],
    ['uint8[]', [1, 256], '.value[1] must be of type uint8.'],
  ])(
    'is refused with the path if a value does not fit: %s of %j',
    async (type, value, message) => {
      const list = [{ type, name: 'a', value }];
      expect(await refusalIn(() => sign(list))).toStrictEqual({
        code: -32602,
        message: `data[0]${message}`,
      });
    },
  );
});
