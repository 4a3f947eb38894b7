import { parseTypedData } from '../../../src/eth/typed-data';
import { documentOfTypes, mail } from '../../fixtures/eth/typed-data';
import type { Types } from '../../fixtures/eth/typed-data';
import { refusalIn } from '../../support/refusal';

const NO_NAME = ' has a name that no type can have.';
const NO_TYPE = '.type is not a type, nor declared in data.types.';
const ODD = ' must have a name of letters, digits and _ to be made of other types.';
const NO_FIELD =
  '.name must be a name (not empty, without spaces, commas and brackets).';

const refusalOf = async (document: unknown): Promise<unknown> =>
  refusalIn(() => parseTypedData(document, 'data'));

const yes = { a: 'bool' };

describe('types', () => {
  it.each<[string, Types, string]>([
    ['an atomic type', { M: yes, uint256: {} }, `.uint256${NO_NAME}`],
    ['an alias', { M: yes, uint: {} }, `.uint${NO_NAME}`],
    ['bytes', { M: yes, bytes: {} }, `.bytes${NO_NAME}`],
    ['an array', { M: yes, 'M[]': {} }, `["M[]"]${NO_NAME}`],
    ['a name with a comma', { 'M,a': yes }, `["M,a"]${NO_NAME}`],
    ['a name with a bracket', { 'M(': yes }, `["M("]${NO_NAME}`],
    ['an empty name', { M: yes, '': {} }, `[""]${NO_NAME}`],
    ['half a character', { M: yes, 'a\ud800': {} }, `["a\\ud800"]${NO_NAME}`],
    ['a name that libraries cut', { M: { a: 'A:B' }, 'A:B': {} }, `.M[0]${NO_TYPE}`],
    ['an odd name with parts', { 'M:N': { a: 'A' }, A: {} }, `["M:N"]${ODD}`],
    ['an odd name that begins as another', { 'M:N': yes, M: {} }, `["M:N"]${ODD}`],
    ['an unknown type', { M: { ...yes, b: 'Animal' } }, `.M[1]${NO_TYPE}`],
    ['an unknown type in an array', { M: { a: 'Animal[]' } }, `.M[0]${NO_TYPE}`],
    [
      'an unknown type further in',
      { M: { a: 'N' }, N: { b: 'O[2]' } },
      `.N[0]${NO_TYPE}`,
    ],
    ['an inherited type', { M: { a: 'toString' } }, `.M[0]${NO_TYPE}`],
    ['an array of no length', { M: { a: 'bool[0]' } }, `.M[0]${NO_TYPE}`],
    ['a length with a zero before it', { M: { a: 'bool[01]' } }, `.M[0]${NO_TYPE}`],
    ['a broken array', { M: { a: 'bool[' } }, `.M[0]${NO_TYPE}`],
    ['a function', { M: { a: 'function' } }, `.M[0]${NO_TYPE}`],
    ['a tuple', { M: { a: '(bool)' } }, `.M[0]${NO_TYPE}`],
    ['an unknown width', { M: { a: 'int7' } }, `.M[0]${NO_TYPE}`],
    ['too wide bytes', { M: { a: 'bytes33' } }, `.M[0]${NO_TYPE}`],
    ['a field without a name', { M: { '': 'bool' } }, `.M[0]${NO_FIELD}`],
    ['a field that holds another', { M: { 'a,bool b': 'bool' } }, `.M[0]${NO_FIELD}`],
  ])('are refused with the path: %s', async (_what, types, expected) => {
    expect(await refusalOf(documentOfTypes(types, { a: [] }))).toStrictEqual({
      code: -32602,
      message: `data.types${expected}`,
    });
  });

  it('are refused with two fields of one name', async () => {
    const field = { name: 'a', type: 'bool' };
    const document = { ...mail, types: { ...mail.types, Mail: [field, field] } };
    expect(await refusalOf(document)).toStrictEqual({
      code: -32602,
      message: 'data.types.Mail[1].name is that of another field of the type.',
    });
  });

  it.each(['Person', 'Person[]', 'EIP712Domain'])(
    'are refused with %s in the domain, where other types are not known',
    async (type) => {
      const EIP712Domain = [{ name: 'name', type }];
      const document = { ...mail, types: { ...mail.types, EIP712Domain } };
      expect(await refusalOf(document)).toStrictEqual({
        code: -32602,
        message: 'data.types.EIP712Domain must have no fields of struct types.',
      });
    },
  );
});

describe('null and nothing', () => {
  it.each([null, undefined])(
    'are refused for a struct that has an end (%j)',
    async (a) => {
      const document = documentOfTypes({ M: { a: 'N' }, N: { b: 'bool' } }, { a });
      const what = a === null ? 'must be' : 'is missing: it must be';
      expect(await refusalOf(document)).toStrictEqual({
        code: -32602,
        message: `data.message.a ${what} of type N.`,
      });
    },
  );

  it('are refused for a struct that contains itself by arrays, which end it', async () => {
    const document = documentOfTypes({ Tree: { parts: 'Tree[]' } }, { parts: [null] });
    expect(await refusalOf(document)).toStrictEqual({
      code: -32602,
      message: 'data.message.parts[0] must be of type Tree.',
    });
  });
});
