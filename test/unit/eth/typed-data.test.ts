import { SignTypedDataVersion, TypedDataUtils } from '@metamask/eth-sig-util';
import type { Json } from '@metamask/utils';
import { TypedDataEncoder } from 'ethers';
import {
  bytesToHex,
  hashDomain,
  hashTypedData,
  hexToBytes,
  keccak256,
  stringToBytes,
} from 'viem';
import type { Hex, TypedDataDefinition } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { signTypedData, signTypedEntries } from '../../../dev/signing';
import type { TypedData } from '../../../src/core/typed-data';
import {
  findDomainChainId,
  parseWalletTypedData,
  parseTypedData,
  parseTypedDataV3,
  parseTypedEntries,
} from '../../../src/eth/typed-data';
import { owner, privateKey } from '../../fixtures/eth/owner';
import {
  documentOf,
  documentOfTypes,
  DOMAIN_SEPARATOR,
  mail,
  published,
} from '../../fixtures/eth/typed-data';
import type { Document, Types } from '../../fixtures/eth/typed-data';
import {
  publishedDocuments,
  publishedLists,
} from '../../fixtures/eth/typed-data-published';
import { errorOf, toWholeText } from '../../support/error-of';
import { refusalIn } from '../../support/refusal';
import { hashByReference } from '../../support/typed-data-reference';
import { without } from '../../support/without';

const sign = (document: unknown): string =>
  signTypedData(parseTypedData(document, 'data'), privateKey);

const refusalOf = async (document: unknown) => refusalIn(() => sign(document));

const entriesRefusalOf = async (list: unknown) =>
  refusalIn(() => signTypedEntries(parseTypedEntries(list, 'data'), privateKey));

const invalid = (message: string) => ({ code: -32602, message });

// viem derives its types from literal documents, and these are not literal.
const toViem = (document: Document) => document as unknown as TypedDataDefinition;

describe('signTypedData', () => {
  it('signs a domain alone as viem does', async () => {
    const document = { ...mail, primaryType: 'EIP712Domain', message: {} };
    expect(sign(document)).toBe(await owner.signTypedData(toViem(document)));
  });

  it("infers the domain's type in the order of the EIP", () => {
    const types = without(mail.types, 'EIP712Domain');
    const { verifyingContract, chainId, version, name } = mail.domain as never;
    const shuffled = { verifyingContract, chainId, version, name };
    expect(sign({ ...mail, types, domain: shuffled })).toBe(sign(mail));
  });

  it("infers the domain's type with a chain id as a string, and ignores unknown fields", () => {
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

  it('signs exactly the declared domain fields', async () => {
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

  it('ignores the checksum of an address, as contracts do', () => {
    const address = owner.address.toLowerCase().replace('0xf39', '0xF39');
    const signed = [address, owner.address].map((a) =>
      sign(documentOf({ a: 'address' }, { a })),
    );
    expect(signed[0]).toBe(signed[1]);
  });
});

const FIELD = { name: 'a', type: 'bool' };

const ENDING = { M: { a: 'N' }, N: { b: 'bool' } };

describe('parseTypedData', () => {
  it.each<[string, unknown, string]>([
    ['undefined', undefined, ' is missing: it must be an object.'],
    ['null', null, ' must be an object.'],
    ['invalid JSON', 'not json', ' must be an object, or the JSON text of one.'],
    ['a JSON array', '[1]', ' must be an object, or the JSON text of one.'],
    ['no types', {}, '.types is missing: it must be an object.'],
    [
      'a type that is not an array',
      { ...mail, types: { Mail: 'x' } },
      '.types.Mail must be an array.',
    ],
    [
      'a field without a type',
      { ...mail, types: { Mail: [{ name: 'a' }] } },
      '.types.Mail[0].type is missing: it must be a string.',
    ],
    [
      'two fields with the same name',
      { ...mail, types: { ...mail.types, Mail: [FIELD, FIELD] } },
      '.types.Mail[1].name is used by another field of the type.',
    ],
    [
      'a primary type that is not declared',
      { ...mail, primaryType: 'Post' },
      '.primaryType is not declared in data.types.',
    ],
    [
      'a primary type that is an inherited property',
      { ...mail, primaryType: 'toString' },
      '.primaryType is not declared in data.types.',
    ],
    [
      'no domain',
      { ...mail, domain: undefined },
      '.domain is missing: it must be an object.',
    ],
    [
      'an empty version, which only some libraries sign',
      {
        ...mail,
        types: without(mail.types, 'EIP712Domain'),
        domain: { name: 'x', version: '' },
      },
      '.domain.version is empty: declare EIP712Domain in data.types to say if it is signed.',
    ],
    [
      'a message that is not an object',
      { ...mail, message: 'Hello' },
      '.message must be an object.',
    ],
    [
      'a message without a declared field',
      documentOf({ a: 'uint256' }, {}),
      '.message.a is missing: it must be of type uint256.',
    ],
    [
      'a nested value that does not fit',
      documentOf({ a: 'uint8[2][]' }, { a: [[1, 2], [1]] }),
      '.message.a[1] must be of type uint8[2].',
    ],
    [
      'null for a struct that does not contain itself',
      documentOfTypes(ENDING, { a: null }),
      '.message.a must be of type N.',
    ],
    [
      'an absent struct that does not contain itself',
      documentOfTypes(ENDING, { a: undefined }),
      '.message.a is missing: it must be of type N.',
    ],
    [
      'null for a struct that contains itself only through arrays',
      documentOfTypes({ Tree: { parts: 'Tree[]' } }, { parts: [null] }),
      '.message.parts[0] must be of type Tree.',
    ],
    [
      'a type named __proto__, which libraries cannot copy',
      `{ "types": { "EIP712Domain": [], "__proto__": [] },
         "primaryType": "__proto__", "domain": {}, "message": {} }`,
      '.types.__proto__ has an invalid type name.',
    ],
    [
      'a name with hidden characters, which the error escapes',
      documentOfTypes({ M: { '\u202eab': 'bool' } }, {}),
      String.raw`.message["\u{202e}ab"] is missing: it must be of type bool.`,
    ],
  ])('refuses %s', async (_what, document, message) => {
    expect(await refusalOf(document)).toStrictEqual(invalid(`data${message}`));
  });

  it('does not quote a malformed document in the error', async () => {
    const error = await errorOf(() => parseTypedData('{"a": top-secret}', 'data'));
    expect(toWholeText(error)).not.toContain('top-secret');
  });

  it('does not change its input', () => {
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
    // The domain's type is inferred if it is not declared.
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
    [2 ** 53, 9007199254740992n],
  ])('reads %j', (chainId, expected) => {
    expect(find(chainId)).toBe(expected);
  });

  it('rejects a chain id above the limit', async () => {
    expect((await refusalIn(() => find(`0x${'f'.repeat(64)}`))).message).toBe(
      'data.domain.chainId must be a chain id (hex, decimal or CAIP-2 such as "eip155:1").',
    );
  });

  it.each([-1, 1.5, 'mainnet', '', null, true, {}])('refuses %j', async (id) => {
    expect((await refusalIn(() => find(id))).message).toBe(
      'data.domain.chainId must be of type uint256.',
    );
  });
});

describe('values in other forms', () => {
  const documentWith = (type: string, written: string): string =>
    JSON.stringify(documentOf({ a: type }, { a: '?' })).replace('"?"', written);

  it.each<[string, string, Json]>([
    ['uint256', '12345678901234567891', '12345678901234567891'],
    ['int256', '-12345678901234567891', '-12345678901234567891'],
    ['uint64', '9007199254740993', '9007199254740993'],
    ['uint256', `${2n ** 256n - 1n}`, `${2n ** 256n - 1n}`],
    ['uint256[]', '[1,\n 9007199254740993]', [1, '9007199254740993']],
    ['uint256', '1e18', '1000000000000000000'],
    ['uint256', '1.5e18', '1500000000000000000'],
    ['string', '"say \\"12345678901234567891, "', 'say "12345678901234567891, '],
    ['string', '"12345678901234567891"', '12345678901234567891'],
    ['bytes', '""', '0x'],
    ['bytes[]', '["", "0x12"]', ['0x', '0x12']],
  ])('keep their meaning in JSON text: %s %s', async (type, written, a) => {
    const text = documentWith(type, written);
    expect(parseTypedData(text, 'data').message).toStrictEqual({ a });
    const document = documentOf({ a: type }, { a });
    expect(sign(text)).toBe(await owner.signTypedData(toViem(document)));
  });

  it.each<[string, Json, Json]>([
    ['uint256', 1e18, '1000000000000000000'],
    ['int256', -1e18, '-1000000000000000000'],
    ['uint256', 1e21, '1000000000000000000000'],
    ['uint256', 2 ** 53, '9007199254740992'],
    ['uint256', 7, 7],
    ['bytes', '', '0x'],
  ])(
    'hash as in MetaMask if they are given in an object: %s %j',
    async (type, given, a) => {
      const document = documentOf({ a: type }, { a: given });
      expect(parseTypedData(document, 'data').message).toStrictEqual({ a });
      const hash = TypedDataUtils.eip712Hash(
        document as never,
        SignTypedDataVersion.V4,
      );
      expect(sign(document)).toBe(await owner.sign({ hash: bytesToHex(hash) }));
    },
  );

  it.each<[string, number, string]>([
    ['uint256', 2 ** 64, '18446744073709551616'],
    ['int256', -(2 ** 64), '-18446744073709551616'],
    ['uint256', Number('1234567890123456789'), '1234567890123456768'],
  ])(
    'are rejected in objects if JavaScript has rounded them: %s %d',
    async (type, a, digits) => {
      const { code, message } = await refusalOf(documentOf({ a: type }, { a }));
      expect(code).toBe(-32602);
      expect(message).toBe(
        'data.message.a is a number beyond 2^53 that JavaScript has rounded: write it as ' +
          `a string of digits, such as "${digits}".`,
      );
      expect(sign(documentOf({ a: type }, { a: digits }))).toHaveLength(132);
    },
  );

  it.each<[string, string]>([
    ['uint8', '12345678901234567891'],
    ['uint8', '1e21'],
    ['string', '12345678901234567891'],
    ['string', '5'],
    ['bytes', '12345678901234567891'],
    ['bytes4', '""'],
    ['bool', '12345678901234567891'],
    ['uint256', `${2n ** 256n}`],
    ['uint256', '9'.repeat(400)],
    ['uint256', '1.5'],
    ['uint256', '""'],
  ])('are rejected if they do not fit: %s %s', async (type, written) => {
    expect(await refusalOf(documentWith(type, written))).toStrictEqual(
      invalid(`data.message.a must be of type ${type}.`),
    );
  });

  it('are rounded as in MetaMask if MetaMask signs', () => {
    const text = documentWith('uint256', '12345678901234567891');
    const read = parseWalletTypedData(text, 'V4', 'data') as TypedData;
    expect(read.message).toStrictEqual({ a: '12345678901234567168' });
    const given = JSON.parse(text) as never;
    expect(hashTypedData(toViem(read as Document))).toBe(
      bytesToHex(TypedDataUtils.eip712Hash(given, SignTypedDataVersion.V4)),
    );
  });

  it('are also read in v1 entries', () => {
    const list = '[{"type": "uint256", "name": "a", "value": 9007199254740993}]';
    const [entry] = parseTypedEntries(list, 'data');
    expect(entry?.value).toBe('9007199254740993');
  });

  it('do not turn other text into a document', async () => {
    for (const text of [
      documentWith('uint8', '0012345678901234567891'),
      '"\\"'.repeat(9),
    ]) {
      expect((await refusalOf(text)).message).toContain('the JSON text of one');
    }
  });
});

const keyOf = (word: string) => keccak256(stringToBytes(word));

const accountOf = (word: string) => privateKeyToAccount(keyOf(word));

describe('the example of EIP-712', () => {
  const cow = hexToBytes(keyOf('cow'));

  it('is signed as published, in versions 4 and 3', () => {
    for (const read of [parseTypedData, parseTypedDataV3]) {
      expect(signTypedData(read(mail, 'data'), cow)).toBe(published.signature);
    }
  });

  it('has the published digests in the reference implementation, too', () => {
    expect(hashTypedData(toViem(mail))).toBe(published.digest);
    expect(hashByReference(mail)).toBe(published.digest);
    expect(hashDomain(mail as never)).toBe(DOMAIN_SEPARATOR);
    expect(accountOf('cow').address).toBe(published.address);
  });
});

describe.each(Object.entries(publishedDocuments))(
  'the published document with %s',
  (_what, { document, key, digest, signature }) => {
    it('is signed as published', () => {
      const data = parseTypedData(document, 'data');
      expect(signTypedData(data, hexToBytes(keyOf(key)))).toBe(signature);
    });

    it('has the published digest in the reference implementation, too', async () => {
      expect(hashByReference(document)).toBe(digest);
      expect(await accountOf(key).sign({ hash: digest })).toBe(signature);
    });
  },
);

describe('the published v1 entries', () => {
  it.each(publishedLists)(
    'are signed with their published hash (case %#)',
    async (each) => {
      const signature = await accountOf('cow').sign({ hash: each.hash });
      const entries = parseTypedEntries(each.list, 'data');
      expect(signTypedEntries(entries, hexToBytes(keyOf('cow')))).toBe(signature);
    },
  );
});

describe('types', () => {
  it.each<[string, Types, unknown]>([
    [
      'a primary type with a colon in its name, as used by one exchange',
      { 'Exchange:Send': { amount: 'string' } },
      { amount: '1' },
    ],
    [
      'types and fields named like inherited properties',
      {
        Mail: { a: 'constructor', toString: 'bool' },
        constructor: { valueOf: 'bool' },
      },
      { a: { valueOf: true }, toString: false },
    ],
    [
      'an unused type with undeclared members',
      { Mail: { a: 'bool' }, Unused: { b: 'Nothing[]' } },
      { a: true },
    ],
    [
      'the type of the domain used in the message',
      { Mail: { a: 'EIP712Domain' } },
      { a: mail.domain },
    ],
  ])('are hashed as viem hashes them: %s', async (_what, types, message) => {
    const document = documentOfTypes(types, message);
    expect(sign(document)).toBe(await owner.signTypedData(toViem(document)));
  });

  it.each([
    '',
    ' ',
    'Wallet address',
    ' Wallet  address ',
    'Dirección',
    '名前',
    '🙂',
    'from-address',
    'a.b',
    'a/b',
    'it\'s "quoted"',
    '1',
    'a,bool b',
    'a)Other(bool b',
    'a[]',
    'a\nb',
    'a\0',
    'a\u202eb',
    'a\u200b',
    '__proto__',
  ])('hash as in viem, ethers and eth-sig-util with a field named %j', async (name) => {
    const document = documentOfTypes(
      { M: { [name]: 'string', b: 'N[]' }, N: { [name]: 'bool' } },
      JSON.parse(
        `{${JSON.stringify(name)}: "x", "b": [{${JSON.stringify(name)}: true}]}`,
      ),
    );
    const signature = sign(document);
    expect(signature).toBe(await owner.signTypedData(toViem(document)));
    const types = without(document.types, 'EIP712Domain');
    const ethersHash = TypedDataEncoder.hash(document.domain, types, document.message);
    const metaMaskHash = TypedDataUtils.eip712Hash(
      document as never,
      SignTypedDataVersion.V4,
    );
    expect(ethersHash).toBe(bytesToHex(metaMaskHash));
    expect(signature).toBe(await owner.sign({ hash: ethersHash as Hex }));
  });

  // viem refuses these documents; eth-sig-util and contracts with these types hash them alike.
  it.each<[string, Types, unknown]>([
    ['uint and int', { M: { a: 'uint', b: 'int[]' } }, { a: 5, b: [-5] }],
    [
      'a struct whose name begins like an atomic type',
      {
        M: { a: 'interest', b: 'bytesOf[]' },
        interest: { c: 'bool' },
        bytesOf: { d: 'uint8' },
      },
      { a: { c: true }, b: [{ d: 1 }] },
    ],
    [
      'null at the end of a recursive type',
      { A: { a: 'A', b: 'bool' } },
      { a: null, b: true },
    ],
    [
      'an absent field at the end of a recursive type',
      { A: { a: 'A', b: 'bool' } },
      { b: true },
    ],
    [
      'null at the end of two types that contain each other',
      { A: { b: 'B' }, B: { a: 'A', all: 'A[]' } },
      { b: { a: { b: null }, all: [null] } },
    ],
  ])('are hashed as EIP-712 specifies: %s', async (_what, types, message) => {
    const document = documentOfTypes(types, message);
    const signature = await owner.sign({ hash: hashByReference(document) });
    expect(sign(document)).toBe(signature);
  });

  it('are read without unsigned members', () => {
    const Person = (mail.types.Person ?? []).map((field) => ({
      ...field,
      internal: 1,
    }));
    const document = { ...mail, types: { ...mail.types, Person }, account: 'x' };
    expect(parseTypedData(document, 'data')).toStrictEqual(mail);
    expect(sign(document)).toBe(sign(mail));
  });
});

const NO_NAME = ' has an invalid type name.';
const NO_TYPE = '.type is neither a built-in type nor declared in data.types.';
const ODD = ' must have a name of letters, digits and _ to use other types.';
const NO_FIELD = '.name must be a well-formed string (no lone surrogates).';

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
    ['a lone surrogate', { M: yes, 'a\ud800': {} }, `["a\\ud800"]${NO_NAME}`],
    [
      'a name that libraries truncate',
      { M: { a: 'A:B' }, 'A:B': {} },
      `.M[0]${NO_TYPE}`,
    ],
    ['an odd name with a struct field', { 'M:N': { a: 'A' }, A: {} }, `["M:N"]${ODD}`],
    [
      'an odd name that begins like another type',
      { 'M:N': yes, M: {} },
      `["M:N"]${ODD}`,
    ],
    ['an unknown type', { M: { ...yes, b: 'Animal' } }, `.M[1]${NO_TYPE}`],
    ['an unknown type in an array', { M: { a: 'Animal[]' } }, `.M[0]${NO_TYPE}`],
    ['a nested unknown type', { M: { a: 'N' }, N: { b: 'O[2]' } }, `.N[0]${NO_TYPE}`],
    ['an inherited type', { M: { a: 'toString' } }, `.M[0]${NO_TYPE}`],
    ['an array of length 0', { M: { a: 'bool[0]' } }, `.M[0]${NO_TYPE}`],
    [
      'an array length with a leading zero',
      { M: { a: 'bool[01]' } },
      `.M[0]${NO_TYPE}`,
    ],
    ['a broken array', { M: { a: 'bool[' } }, `.M[0]${NO_TYPE}`],
    ['a function', { M: { a: 'function' } }, `.M[0]${NO_TYPE}`],
    ['a tuple', { M: { a: '(bool)' } }, `.M[0]${NO_TYPE}`],
    ['an unknown width', { M: { a: 'int7' } }, `.M[0]${NO_TYPE}`],
    ['bytes that are too wide', { M: { a: 'bytes33' } }, `.M[0]${NO_TYPE}`],
    ['a lone surrogate in a field', { M: { 'a\ud800': 'bool' } }, `.M[0]${NO_FIELD}`],
  ])('are rejected with the path: %s', async (_what, types, expected) => {
    expect(await refusalOf(documentOfTypes(types, { a: [] }))).toStrictEqual(
      invalid(`data.types${expected}`),
    );
  });

  it.each(['Person', 'Person[]', 'EIP712Domain'])(
    'are rejected if the domain has a field of type %s',
    async (type) => {
      const EIP712Domain = [{ name: 'name', type }];
      const document = { ...mail, types: { ...mail.types, EIP712Domain } };
      expect(await refusalOf(document)).toStrictEqual(
        invalid('data.types.EIP712Domain must have no fields of struct types.'),
      );
    },
  );
});

const nest = (depth: number) =>
  JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`) as Json;

describe('a value that does not fit its type', () => {
  // Contracts would hash these values differently, or not at all.
  it.each<[string, string, unknown]>([
    ['a string for a bool', 'bool', 'maybe'],
    ['bytes that are too long', 'bytes32', `0x${'11'.repeat(33)}`],
    ['bytes that are not hex', 'bytes', 'hello'],
    ['bytes with an odd number of digits', 'bytes', '0xabc'],
    ['an array that is too short', 'uint8[3]', [1]],
    ['an array that is too long', 'uint8[1]', [1, 2]],
    ['a long address', 'address', `0x${'11'.repeat(21)}`],
    ['a number for a string', 'string', 5],
    ['a number out of range', 'int8', 128],
    ['a negative number', 'uint8', -1],
    ['a number with too many digits', 'uint256', '9'.repeat(79)],
    ['hex out of range', 'int8', '0xff'],
    ['bytes as numbers', 'bytes', [1, 2]],
    ['bytes that are too short', 'bytes32', '0x11'],
    ['a lone surrogate', 'string', 'a\ud800'],
    ['an object for an array', 'uint8[]', { 0: 1, length: 1 }],
    ['a string for a struct', 'Person', 'Cow'],
  ])('is rejected with the path: %s (%s: %j)', async (_what, type, value) => {
    const document = documentOf({ a: type }, { a: value as never });
    expect(await refusalOf(document)).toStrictEqual(
      invalid(`data.message.a must be of type ${type}.`),
    );
  });

  it('is rejected if arrays are nested too deeply to read', async () => {
    const document = documentOf(
      { a: `uint8${'[]'.repeat(20_000)}` },
      { a: nest(20_000) },
    );
    expect((await refusalOf(document)).code).toBe(-32602);
  });
});

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

/** Documents with the given name in each position where a name can occur. */
const positions: Record<string, (name: string) => string> = {
  'a struct field': (name) =>
    `{ "types": { "EIP712Domain": [], "Mail": [{ "name": "${name}", "type": "In" }],
         "In": [{ "name": "polluted", "type": "string" }] },
       "primaryType": "Mail", "domain": {}, "message": { "${name}": { "polluted": "x" } } }`,
  'an undeclared field': (name) =>
    `{ "types": { "EIP712Domain": [], "Mail": [{ "name": "a", "type": "string" }] },
       "primaryType": "Mail", "domain": {},
       "message": { "a": "x", "${name}": { "polluted": "x" } } }`,
  'a field of an inferred domain': (name) =>
    `{ "types": { "Mail": [{ "name": "a", "type": "string" }] }, "primaryType": "Mail",
       "domain": { "name": "x", "${name}": { "version": "1", "polluted": "x" } },
       "message": { "a": "x" } }`,
  'a field of the document': (name) =>
    `{ "types": { "EIP712Domain": [], "Mail": [{ "name": "a", "type": "string" }] },
       "primaryType": "Mail", "domain": {}, "message": { "a": "x" },
       "${name}": { "polluted": "x" } }`,
};

afterEach(() => {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(([] as { polluted?: unknown }).polluted).toBeUndefined();
});

describe.each(NAMES)('%s', (name) => {
  it.each(Object.entries(positions))(
    'is hashed as in viem if it is the name of %s',
    async (_where, text) => {
      const document = JSON.parse(text(name)) as Document;
      const signature = await owner.signTypedData(toViem(document));
      expect(sign(document)).toBe(signature);
      expect(sign(text(name))).toBe(signature);
    },
  );

  it.each<[string, string]>([
    [
      `{ "types": { "Mail": [{ "name": "${name}", "type": "string" }] },
         "primaryType": "Mail", "domain": {}, "message": {} }`,
      `data.message.${name} is missing: it must be of type string.`,
    ],
    [
      `{ "types": { "Mail": [{ "name": "a", "type": "${name}" }] },
         "primaryType": "Mail", "domain": {}, "message": { "a": {} } }`,
      'data.types.Mail[0].type is neither a built-in type nor declared in data.types.',
    ],
    [
      `{ "types": { "Mail": [] }, "primaryType": "${name}", "domain": {}, "message": {} }`,
      'data.primaryType is not declared in data.types.',
    ],
  ])('is not recognized if it is not declared (case %#)', async (text, message) => {
    expect(await refusalOf(text)).toStrictEqual(invalid(message));
  });

  it('is harmless in v1 entries', () => {
    const text = `[{ "type": "string", "name": "${name}", "value": "x",
      "${name}": { "polluted": "x" } }]`;
    expect(parseTypedEntries(text, 'data')).toStrictEqual([
      { name, type: 'string', value: 'x' },
    ]);
  });
});

const TOO_LARGE =
  'data is too large: at most 10000 values and 4000000 characters, types included, can be signed.';

const chain = (count: number): Types =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `T${index}`,
      { next: index + 1 < count ? `T${index + 1}[]` : 'bool' },
    ]),
  );

describe('a document of the maximum size', () => {
  it.each<[string, Types, unknown]>([
    ['many values', { M: { a: 'uint8[]' } }, { a: Array(9_000).fill(7) }],
    ['a long string', { M: { a: 'string' } }, { a: 'x'.repeat(3_900_000) }],
    ['deep arrays', { M: { a: `uint8${'[]'.repeat(62)}` } }, { a: nest(62) }],
    ['many types', chain(199), { next: [] }],
  ])('is signed: %s', (_what, types, message) => {
    const document = documentOfTypes(types, message);
    expect(sign(document)).toMatch(/^0x[0-9a-f]{130}$/u);
  });
});

describe('a larger document', () => {
  const name = 'x'.repeat(4_000_001);

  it.each<[string, Types, unknown, string]>([
    ['many values', { M: { a: 'uint8[]' } }, { a: Array(10_001).fill(7) }, TOO_LARGE],
    ['a long string', { M: { a: 'string' } }, { a: name }, TOO_LARGE],
    ['long types', { M: { [name]: 'bool' } }, {}, TOO_LARGE],
    [
      'long unused types',
      { M: { a: 'bool' }, N: { [name]: 'bool' } },
      { a: true },
      TOO_LARGE,
    ],
    [
      'long types, hashed again for each struct',
      { M: { a: 'N[]' }, N: { ['x'.repeat(5_000)]: 'bool' } },
      { a: Array(1_000).fill({ ['x'.repeat(5_000)]: true }) },
      TOO_LARGE,
    ],
    ['many types', chain(200), {}, 'data.types must be at most 200 types.'],
    [
      'deep arrays',
      { M: { a: `uint8${'[]'.repeat(65)}` } },
      { a: nest(65) },
      `data.message.a${'[0]'.repeat(64)} is nested too deeply.`,
    ],
    [
      'a type nested in itself many times',
      { M: { m: 'M' } },
      JSON.parse(`${'{"m":'.repeat(66)}{}${'}'.repeat(66)}`),
      `data.message${'.m'.repeat(65)} is nested too deeply.`,
    ],
  ])('is rejected: %s', async (...row) => {
    const [, types, given, message] = row;
    const document = documentOfTypes(types, given);
    expect(await refusalOf(document)).toStrictEqual(invalid(message));
  });

  it('is not expanded beyond the limit if structs in a request to MetaMask lack their fields', () => {
    const fields = Array.from({ length: 1_000 }, (_, at) => [`f${at}`, 'string']);
    const types = { M: { a: 'N[]' }, N: Object.fromEntries(fields) as Types[string] };
    let reads = 0;
    const empty = new Proxy({}, { getOwnPropertyDescriptor: () => void (reads += 1) });
    const document = documentOfTypes(types, { a: Array(100).fill(empty) });
    expect(() => parseWalletTypedData(document, 'V4', 'data')).toThrow(TOO_LARGE);
    expect(reads).toBeLessThanOrEqual(10_000);
  });

  it('is quickly rejected if it has many megabytes of values or types', async () => {
    const a = Array(2_000_000).fill(7);
    const values = documentOfTypes({ M: { a: 'uint8[]' } }, { a });
    expect((await refusalOf(values)).message).toBe(TOO_LARGE);
    const fields = Array.from({ length: 500_000 }, (_, at) => ({
      name: `f${at}`,
      type: 'bool',
    }));
    const types = { ...mail, types: { ...mail.types, Mail: fields } };
    expect((await refusalOf(types)).message).toBe(TOO_LARGE);
  });

  it('is also rejected as v1 entries', async () => {
    const list = [{ type: 'string', name: 'a', value: name }];
    expect((await entriesRefusalOf(list)).message).toBe(TOO_LARGE);
  });
});

describe('a v3 document', () => {
  it('may have arrays in unused types', () => {
    const document = documentOfTypes(
      { Mail: { a: 'bool' }, Group: { members: 'Group[]' } },
      { a: true },
    );
    expect(parseTypedDataV3(document, 'data')).toStrictEqual(document);
  });

  const ARRAY = 'is an array: only eth_signTypedData_v4 supports arrays.';
  const ENDLESS = 'contains itself: only eth_signTypedData_v4 supports such types.';

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
  ])('is rejected for features that v3 lacks (case %#)', async (document, message) => {
    expect(await refusalIn(() => parseTypedDataV3(document, 'data'))).toStrictEqual(
      invalid(`data${message}`),
    );
  });
});

const NOT_PACKED =
  '.type must be a type that Solidity packs (string, bool, address, bytes, integers; arrays only of integers, bool, address and bytes32).';

describe('a list of v1 entries', () => {
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
    [[{ name: '' }], '[0].name must be a non-empty string.'],
    [[{ type: 'string' }], '[0].name is missing: it must be a non-empty string.'],
  ])('is rejected if it is malformed (case %#)', async (list, message) => {
    expect(await entriesRefusalOf(list)).toStrictEqual(invalid(`data${message}`));
  });

  // eth-sig-util packs the last five differently from Solidity.
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
    'is rejected with the path if Solidity does not pack a type: %s',
    async (type, value) => {
      const list = [
        { type: 'bool', name: 'a', value: true },
        { type, name: 'b', value },
      ];
      expect(await entriesRefusalOf(list)).toStrictEqual(
        invalid(`data[1]${NOT_PACKED}`),
      );
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
    'is rejected with the path if a value does not fit: %s of %j',
    async (type, value, message) => {
      const list = [{ type, name: 'a', value }];
      expect(await entriesRefusalOf(list)).toStrictEqual(invalid(`data[0]${message}`));
    },
  );
});
