import {
  parseTypedData,
  parseTypedEntries,
  signTypedData,
} from '../../../src/eth/typed-data';
import { privateKey } from '../../fixtures/eth/owner';
import { documentOfTypes, mail } from '../../fixtures/eth/typed-data';
import type { Types } from '../../fixtures/eth/typed-data';
import { refusalIn } from '../../support/refusal';

const TOO_LARGE =
  'data is too large: at most 10000 values and 4000000 characters, types included, can be signed.';

/** A list in a list, so many deep. */
const nest = (depth: number): unknown =>
  JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`);

/** Types of which each holds the next. */
const chain = (count: number): Types =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `T${index}`,
      { next: index + 1 < count ? `T${index + 1}[]` : 'bool' },
    ]),
  );

describe('a document as large as allowed', () => {
  it.each<[string, unknown]>([
    [
      'many values',
      documentOfTypes({ M: { a: 'uint8[]' } }, { a: Array(9_000).fill(7) }),
    ],
    [
      'a long text',
      documentOfTypes({ M: { a: 'string' } }, { a: 'x'.repeat(3_900_000) }),
    ],
    [
      'deep arrays',
      documentOfTypes({ M: { a: `uint8${'[]'.repeat(62)}` } }, { a: nest(62) }),
    ],
    ['many types', documentOfTypes(chain(199), { next: [] })],
  ])('is signed: %s', (_what, document) => {
    const data = parseTypedData(document, 'data');
    expect(signTypedData(data, privateKey)).toMatch(/^0x[0-9a-f]{130}$/u);
  });
});

describe('a document that is larger', () => {
  const name = 'x'.repeat(4_000_001);

  it.each<[string, unknown, string]>([
    [
      'many values',
      documentOfTypes({ M: { a: 'uint8[]' } }, { a: Array(10_001).fill(7) }),
      TOO_LARGE,
    ],
    ['a long text', documentOfTypes({ M: { a: 'string' } }, { a: name }), TOO_LARGE],
    ['long types', documentOfTypes({ M: { [name]: 'bool' } }, {}), TOO_LARGE],
    [
      'long types that nothing is made of',
      documentOfTypes({ M: { a: 'bool' }, N: { [name]: 'bool' } }, { a: true }),
      TOO_LARGE,
    ],
    [
      'long types, hashed again for each struct',
      documentOfTypes(
        { M: { a: 'N[]' }, N: { ['x'.repeat(5_000)]: 'bool' } },
        { a: Array(1_000).fill({ ['x'.repeat(5_000)]: true }) },
      ),
      TOO_LARGE,
    ],
    [
      'many types',
      documentOfTypes(chain(200), {}),
      'data.types must be at most 200 types.',
    ],
    [
      'deep arrays',
      documentOfTypes({ M: { a: `uint8${'[]'.repeat(65)}` } }, { a: nest(65) }),
      `data.message.a${'[0]'.repeat(64)} is nested too deeply.`,
    ],
    [
      'a type that contains itself often',
      documentOfTypes(
        { M: { m: 'M' } },
        JSON.parse(`${'{"m":'.repeat(66)}{}${'}'.repeat(66)}`),
      ),
      `data.message${'.m'.repeat(65)} is nested too deeply.`,
    ],
  ])('is refused: %s', async (_what, document, message) => {
    expect(await refusalIn(() => parseTypedData(document, 'data'))).toStrictEqual({
      code: -32602,
      message,
    });
  });

  it('is refused at once where it is many megabytes of values or of types', async () => {
    const a = Array(2_000_000).fill(7);
    const values = documentOfTypes({ M: { a: 'uint8[]' } }, { a });
    expect((await refusalIn(() => parseTypedData(values, 'data'))).message).toBe(
      TOO_LARGE,
    );
    const field = { name: 'a', type: 'bool' };
    const fields = Array.from({ length: 500_000 }, (_, at) => ({
      ...field,
      name: `f${at}`,
    }));
    const types = { ...mail, types: { ...mail.types, Mail: fields } };
    expect((await refusalIn(() => parseTypedData(types, 'data'))).message).toBe(
      TOO_LARGE,
    );
  });

  it('is refused in version 1, too', async () => {
    const list = [{ type: 'string', name: 'a', value: name }];
    expect((await refusalIn(() => parseTypedEntries(list, 'data'))).message).toBe(
      TOO_LARGE,
    );
  });
});
