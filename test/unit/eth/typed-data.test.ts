import {
  hashTypedData,
  hexToBytes,
  keccak256,
  recoverAddress,
  stringToBytes,
} from 'viem';
import type { TypedDataDefinition } from 'viem';

import {
  findDomainChainId,
  parseTypedData,
  signTypedData,
} from '../../../src/eth/typed-data';
import { owner, privateKey } from '../../fixtures/eth/owner';
import { documentOf, documents, mail, published } from '../../fixtures/eth/typed-data';
import type { Document } from '../../fixtures/eth/typed-data';
import { errorOf, failureOf, toWholeText } from '../../support/error-of';
import { without } from '../../support/without';

const sign = (document: unknown): string =>
  signTypedData(parseTypedData(document, 'params[1]'), privateKey);

// viem's types follow the document's literal types, which these have not.
const toViem = (document: Document): TypedDataDefinition =>
  document as unknown as TypedDataDefinition;

describe('signTypedData', () => {
  it('gives the signature that EIP-712 publishes', () => {
    const cow = hexToBytes(keccak256(stringToBytes('cow')));
    expect(signTypedData(parseTypedData(mail, 'data'), cow)).toBe(published.signature);
  });

  it.each(Object.keys(documents))('signs %s as viem does', async (name) => {
    const document = documents[name] ?? mail;
    const signature = await owner.signTypedData(toViem(document));
    expect(sign(document)).toBe(signature);
    expect(sign(JSON.stringify(document))).toBe(signature);
    const hash = hashTypedData(toViem(document));
    expect(await recoverAddress({ hash, signature })).toBe(owner.address);
  });

  it('infers the type of the domain in the order of the EIP', () => {
    const types = without(mail.types, 'EIP712Domain');
    const { verifyingContract, chainId, version, name } = mail.domain as never;
    const shuffled = { verifyingContract, chainId, version, name };
    expect(sign({ ...mail, types, domain: shuffled })).toBe(sign(mail));
  });

  // What a contract would hash differently, or not at all, must not be signed.
  it.each<[string, string, unknown]>([
    ['a word for true or false', 'bool', 'maybe'],
    ['a number for true or false', 'bool', 7],
    ['bytes that are too long', 'bytes4', '0x1122334455'],
    ['bytes that are too long', 'bytes32', `0x${'11'.repeat(33)}`],
    ['bytes that are no hex', 'bytes', 'hello'],
    ['a number for bytes', 'bytes', 5],
    ['bytes with an odd digit', 'bytes', '0xabc'],
    ['an array that is too short', 'uint8[3]', [1]],
    ['an array that is too long', 'uint8[1]', [1, 2]],
    ['one value for an array', 'uint8[]', 1],
    ['a short address', 'address', '0x12'],
    ['a long address', 'address', `0x${'11'.repeat(21)}`],
    ['a number for a text', 'string', 5],
    ['an object for a text', 'string', {}],
    ['a number over its bound', 'uint8', 256],
    ['a number over its bound', 'int8', 128],
    ['a negative number', 'uint8', -1],
    ['a fraction', 'uint256', 1.5],
    ['a text for a number', 'uint256', 'one'],
    ['nothing for a number', 'uint256', null],
    ['nothing for an address', 'address', null],
    ['a text for a struct', 'Person', 'Cow'],
    ['a type that is not declared', 'Animal', {}],
    ['an unknown width', 'uint7', 1],
    ['an unknown width', 'bytes33', '0x11'],
  ])('refuses %s (%s: %j)', async (_what, type, value) => {
    const document = documentOf({ a: type }, { a: value as never });
    expect(await failureOf(() => sign(document))).toMatchObject({
      name: 'InvalidParamsError',
      code: -32602,
    });
  });

  it('refuses a message without a field that its type has', async () => {
    const { message } = await failureOf(() => sign(documentOf({ a: 'uint256' }, {})));
    expect(message).toBe('params[1].message.a is missing: it must be of type uint256.');
  });

  it('refuses arrays that are nested too deeply to be read', async () => {
    const depth = 20_000;
    const value: unknown = JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`);
    const document = documentOf(
      { a: `uint8${'[]'.repeat(depth)}` },
      { a: value as never },
    );
    expect((await failureOf(() => sign(document))).name).toBe('InvalidParamsError');
  });
});

describe('parseTypedData', () => {
  it.each<[unknown, string]>([
    [undefined, ' is missing: it must be an object.'],
    [null, ' must be an object.'],
    [5, ' must be an object.'],
    ['not json', ' must be an object, or the JSON text of one.'],
    ['"text"', ' must be an object, or the JSON text of one.'],
    ['[1]', ' must be an object, or the JSON text of one.'],
    [{}, '.types is missing: it must be an object.'],
    [{ ...mail, types: 'Mail' }, '.types must be an object.'],
    [{ ...mail, types: { Mail: 'x' } }, '.types.Mail must be an array.'],
    [
      { ...mail, types: { Mail: [{ name: 1 }] } },
      '.types.Mail[0].name must be a string.',
    ],
    [
      { ...mail, types: { Mail: [{ name: 'a' }] } },
      '.types.Mail[0].type is missing: it must be a string.',
    ],
    [{ ...mail, primaryType: null }, '.primaryType must be a string.'],
    [{ ...mail, primaryType: 'Post' }, '.primaryType is not declared in data.types.'],
    [
      { ...mail, primaryType: 'toString' },
      '.primaryType is not declared in data.types.',
    ],
    [{ ...mail, domain: undefined }, '.domain is missing: it must be an object.'],
    [{ ...mail, message: 'Hello' }, '.message must be an object.'],
  ])('refuses %j', async (value, message) => {
    expect(await failureOf(() => parseTypedData(value, 'data'))).toMatchObject({
      name: 'InvalidParamsError',
      message: `data${message}`,
    });
  });

  it('keeps the text of a broken document out of the error', async () => {
    const error = await errorOf(() => parseTypedData('{"a": tell-nobody}', 'data'));
    expect(toWholeText(error)).not.toContain('tell-nobody');
  });

  it('leaves what it reads as it was', () => {
    const types = without(mail.types, 'EIP712Domain');
    const given = { ...mail, types };
    const copy = structuredClone(given);
    parseTypedData(given, 'data');
    expect(given).toEqual(copy);
  });
});

describe('findDomainChainId', () => {
  const find = (chainId?: unknown): bigint | undefined => {
    const domain = chainId === undefined ? {} : { chainId };
    // Without its declaration the domain's type is inferred.
    const types = without(mail.types, 'EIP712Domain');
    const data = parseTypedData({ ...mail, types, domain }, 'data');
    return findDomainChainId(data, 'data');
  };

  it.each<[unknown, bigint | undefined]>([
    [undefined, undefined],
    [0, undefined],
    ['0x0', undefined],
    [1, 1n],
    ['1', 1n],
    ['0xaa36a7', 11155111n],
    ['9007199254740993', 9007199254740993n],
  ])('reads %j', (chainId, expected) => {
    expect(find(chainId)).toBe(expected);
  });

  it('refuses a number that is no chain id', async () => {
    expect((await failureOf(() => find(`0x${'f'.repeat(64)}`))).message).toBe(
      'data.domain.chainId must be a chain id (hex, decimal or CAIP-2 such as "eip155:1").',
    );
  });

  it.each([-1, 1.5, 2 ** 53, 'mainnet', '', null, true, {}])(
    'refuses %j',
    async (id) => {
      expect((await failureOf(() => find(id))).message).toBe(
        'data.domain.chainId must be of type uint256.',
      );
    },
  );
});
