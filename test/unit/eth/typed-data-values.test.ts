import { parseTypedData, signTypedData } from '../../../src/eth/typed-data';
import { privateKey } from '../../fixtures/eth/owner';
import { documentOf } from '../../fixtures/eth/typed-data';
import { failureOf } from '../../support/error-of';

const sign = (document: unknown): string =>
  signTypedData(parseTypedData(document, 'params[1]'), privateKey);

describe('a value that does not fit its type', () => {
  // What a contract would hash differently, or not at all, must not be signed.
  it.each<[string, string, unknown]>([
    ['a word for true or false', 'bool', 'maybe'],
    ['bytes that are too long', 'bytes32', `0x${'11'.repeat(33)}`],
    ['bytes that are no hex', 'bytes', 'hello'],
    ['bytes with an odd digit', 'bytes', '0xabc'],
    ['an array that is too short', 'uint8[3]', [1]],
    ['an array that is too long', 'uint8[1]', [1, 2]],
    ['a long address', 'address', `0x${'11'.repeat(21)}`],
    ['a number for a text', 'string', 5],
    ['a number over its bound', 'int8', 128],
    ['a negative number', 'uint8', -1],
    ['a number of too many digits', 'uint256', '9'.repeat(79)],
    ['hex over its bound', 'int8', '0xff'],
    ['bytes as numbers', 'bytes', [1, 2]],
    ['bytes that are too short', 'bytes32', '0x11'],
    ['half of a character', 'string', 'a\ud800'],
    ['an object for an array', 'uint8[]', { 0: 1, length: 1 }],
    ['a text for a struct', 'Person', 'Cow'],
  ])('is refused with the path: %s (%s: %j)', async (_what, type, value) => {
    const document = documentOf({ a: type }, { a: value as never });
    expect(await failureOf(() => sign(document))).toMatchObject({
      name: 'InvalidParamsError',
      code: -32602,
      message: `params[1].message.a must be of type ${type}.`,
    });
  });

  it('is named by its path where it is nested', async () => {
    const document = documentOf({ a: 'uint8[2][]' }, { a: [[1, 2], [1]] });
    expect((await failureOf(() => sign(document))).message).toBe(
      'params[1].message.a[1] must be of type uint8[2].',
    );
  });

  it('is refused: a message without a field that its type has', async () => {
    const { message } = await failureOf(() => sign(documentOf({ a: 'uint256' }, {})));
    expect(message).toBe('params[1].message.a is missing: it must be of type uint256.');
  });

  it('is refused: arrays that are nested too deeply to be read', async () => {
    const depth = 20_000;
    const value: unknown = JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`);
    const document = documentOf(
      { a: `uint8${'[]'.repeat(depth)}` },
      { a: value as never },
    );
    expect((await failureOf(() => sign(document))).name).toBe('InvalidParamsError');
  });
});
