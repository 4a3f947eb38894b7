import { hashTypedData } from 'viem';

import { parseTypedData, signTypedData } from '../../../src/eth/typed-data';
import { owner, privateKey } from '../../fixtures/eth/owner';
import { documentOfTypes, mail } from '../../fixtures/eth/typed-data';
import type { Document } from '../../fixtures/eth/typed-data';
import { hashByReference } from '../../support/typed-data-reference';

const sign = (document: unknown): string =>
  signTypedData(parseTypedData(document, 'data'), privateKey);

const hashByViem = (document: Document) => hashTypedData(document as never);

describe('types', () => {
  it.each<[string, Document]>([
    [
      'a primary type with a colon in its name, as one exchange has it',
      documentOfTypes({ 'Exchange:Send': { amount: 'string' } }, { amount: '1' }),
    ],
    [
      'types and fields named like what every object has',
      documentOfTypes(
        {
          Mail: { a: 'constructor', toString: 'bool' },
          constructor: { valueOf: 'bool' },
        },
        { a: { valueOf: true }, toString: false },
      ),
    ],
    [
      'an unused type with undeclared members',
      documentOfTypes({ Mail: { a: 'bool' }, Unused: { b: 'Nothing[]' } }, { a: true }),
    ],
    [
      'the type of the domain used in the message',
      documentOfTypes({ Mail: { a: 'EIP712Domain' } }, { a: mail.domain }),
    ],
  ])('are hashed as viem does: %s', async (_what, document) => {
    expect(sign(document)).toBe(await owner.sign({ hash: hashByViem(document) }));
  });

  // viem refuses what eth-sig-util and a contract with such a type hash alike.
  it.each<[string, Document]>([
    [
      'uint and int',
      documentOfTypes({ M: { a: 'uint', b: 'int[]' } }, { a: 5, b: [-5] }),
    ],
    [
      'a struct whose name begins as an atomic type does',
      documentOfTypes(
        {
          M: { a: 'interest', b: 'bytesOf[]' },
          interest: { c: 'bool' },
          bytesOf: { d: 'uint8' },
        },
        { a: { c: true }, b: [{ d: 1 }] },
      ),
    ],
    [
      'null at the end',
      documentOfTypes({ A: { a: 'A', b: 'bool' } }, { a: null, b: true }),
    ],
    ['nothing at the end', documentOfTypes({ A: { a: 'A', b: 'bool' } }, { b: true })],
    [
      'null at the end of a circle of two',
      documentOfTypes(
        { A: { b: 'B' }, B: { a: 'A', all: 'A[]' } },
        { b: { a: { b: null }, all: [null] } },
      ),
    ],
  ])('are hashed as the EIP says: %s', async (_what, document) => {
    const signature = await owner.sign({ hash: hashByReference(document) });
    expect(sign(document)).toBe(signature);
  });

  it('are read without unsigned fields of the document and of its members', () => {
    const Person = (mail.types.Person ?? []).map((field) => ({
      ...field,
      internal: 1,
    }));
    const document = { ...mail, types: { ...mail.types, Person }, account: 'x' };
    expect(parseTypedData(document, 'data')).toStrictEqual(mail);
    expect(sign(document)).toBe(sign(mail));
  });
});
