import {
  signTypedData as signEip712,
  SignTypedDataVersion,
} from '@metamask/eth-sig-util';

import { parseTypedDataV3, signTypedData } from '../../../src/eth/typed-data';
import { owner, privateKey } from '../../fixtures/eth/owner';
import { documentOfTypes, mail } from '../../fixtures/eth/typed-data';
import { refusalIn } from '../../support/refusal';
import { without } from '../../support/without';

describe('a document of version 3', () => {
  it('is signed as in version 4, and as MetaMask signs version 3', async () => {
    const data = parseTypedDataV3(JSON.stringify(mail), 'data');
    const signature = signTypedData(data, privateKey);
    const key = Buffer.from(privateKey);
    const version = SignTypedDataVersion.V3;
    expect(signature).toBe(signEip712({ privateKey: key, data, version }));
    expect(signature).toBe(await owner.signTypedData(mail as never));
  });

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
