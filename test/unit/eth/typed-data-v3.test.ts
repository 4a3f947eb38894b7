import { parseTypedDataV3 } from '../../../src/eth/typed-data';
import { documentOfTypes, mail } from '../../fixtures/eth/typed-data';
import { refusalIn } from '../../support/refusal';
import { without } from '../../support/without';

describe('a document of version 3', () => {
  it('may have arrays in types that it is not made of', () => {
    const document = documentOfTypes(
      { Mail: { a: 'bool' }, Group: { members: 'Group[]' } },
      { a: true },
    );
    expect(parseTypedDataV3(document, 'data')).toStrictEqual(document);
  });

  const ARRAY = 'is an array: only eth_signTypedData_v4 has these.';
  const ENDLESS = 'contains itself: only eth_signTypedData_v4 has such types.';

  it.each<[unknown, string]>([
    [documentOfTypes({ M: { a: 'bool[]' } }, { a: [] }), `.types.M[0].type ${ARRAY}`],
    [
      documentOfTypes(
        { M: { a: 'N' }, N: { b: 'bool', c: 'bool[1]' } },
        { a: { b: true, c: [true] } },
      ),
      `.types.N[1].type ${ARRAY}`,
    ],
    [documentOfTypes({ M: { a: 'M' } }, { a: null }), `.types.M ${ENDLESS}`],
    [
      documentOfTypes({ M: { a: 'N' }, N: { b: 'M' } }, { a: { b: null } }),
      `.types.M ${ENDLESS}`,
    ],
    [
      { ...mail, message: without(mail.message, 'contents') },
      '.message.contents is missing: it must be of type string.',
    ],
    [
      { ...mail, message: { ...mail.message, to: null } },
      '.message.to must be of type Person.',
    ],
    [{ ...mail, domain: {} }, '.domain.name is missing: it must be of type string.'],
  ])('is refused with what version 3 has not (%#)', async (document, message) => {
    expect(await refusalIn(() => parseTypedDataV3(document, 'data'))).toStrictEqual({
      code: -32602,
      message: `data${message}`,
    });
  });
});
