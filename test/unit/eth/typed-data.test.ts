import type { TypedDataDefinition } from 'viem';

import {
  findDomainChainId,
  parseTypedData,
  signTypedData,
} from '../../../src/eth/typed-data';
import { owner, privateKey } from '../../fixtures/eth/owner';
import { documentOf, mail } from '../../fixtures/eth/typed-data';
import type { Document } from '../../fixtures/eth/typed-data';
import { errorOf, failureOf, toWholeText } from '../../support/error-of';
import { without } from '../../support/without';

const sign = (document: unknown): string =>
  signTypedData(parseTypedData(document, 'params[1]'), privateKey);

// viem's types follow the document's literal types, which these have not.
const toViem = (document: Document) => document as unknown as TypedDataDefinition;

describe('signTypedData', () => {
  it('signs a domain alone as viem does', async () => {
    const document = { ...mail, primaryType: 'EIP712Domain', message: {} };
    expect(sign(document)).toBe(await owner.signTypedData(toViem(document)));
  });

  it('infers the type of the domain in the order of the EIP', () => {
    const types = without(mail.types, 'EIP712Domain');
    const { verifyingContract, chainId, version, name } = mail.domain as never;
    const shuffled = { verifyingContract, chainId, version, name };
    expect(sign({ ...mail, types, domain: shuffled })).toBe(sign(mail));
  });

  it('infers also a chain id that is text, and no field that the EIP has not', () => {
    const domain = { name: 'x', chainId: '0x5', other: 'y' };
    const EIP712Domain = [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ];
    const types = without(mail.types, 'EIP712Domain');
    const declared = { ...types, EIP712Domain };
    expect(parseTypedData({ ...mail, types, domain }, 'data')).toStrictEqual({
      ...mail,
      types: declared,
      domain: { name: 'x', chainId: '0x5' },
    });
    expect(sign({ ...mail, types, domain })).toBe(
      sign({ ...mail, types: declared, domain: { name: 'x', chainId: 5 } }),
    );
  });

  it('infers no empty version, which libraries sign or leave out', async () => {
    const types = without(mail.types, 'EIP712Domain');
    const document = { ...mail, types, domain: { name: 'x', version: '' } };
    expect((await failureOf(() => sign(document))).message).toBe(
      'params[1].domain.version is empty: declare EIP712Domain in params[1].types to say ' +
        'if it is signed.',
    );
  });

  it('signs the fields of the domain that are declared, whatever they are', async () => {
    const EIP712Domain = [
      { name: 'version', type: 'uint8' },
      { name: 'more', type: 'bytes' },
    ];
    const types = { ...mail.types, EIP712Domain };
    const document = {
      ...mail,
      types,
      domain: { version: 1, more: '0x12', name: 'x' },
    };
    expect(sign(document)).toBe(await owner.signTypedData(toViem(document)));
    expect(parseTypedData(document, 'data').domain).toStrictEqual({
      version: 1,
      more: '0x12',
    });
  });

  it('signs an address whose checksum is wrong, as a contract hashes it', () => {
    const address = owner.address.toLowerCase().replace('0xf39', '0xF39');
    const signed = [address, owner.address].map((a) =>
      sign(documentOf({ a: 'address' }, { a })),
    );
    expect(signed[0]).toBe(signed[1]);
  });
});

describe('parseTypedData', () => {
  it.each<[unknown, string]>([
    [undefined, ' is missing: it must be an object.'],
    [null, ' must be an object.'],
    ['not json', ' must be an object, or the JSON text of one.'],
    ['[1]', ' must be an object, or the JSON text of one.'],
    [{}, '.types is missing: it must be an object.'],
    [{ ...mail, types: { Mail: 'x' } }, '.types.Mail must be an array.'],
    [
      { ...mail, types: { Mail: [{ name: 'a' }] } },
      '.types.Mail[0].type is missing: it must be a string.',
    ],
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
    const error = await errorOf(() => parseTypedData('{"a": top-secret}', 'data'));
    expect(toWholeText(error)).not.toContain('top-secret');
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
