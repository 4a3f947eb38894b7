// The digests of ERC-8213, and those that the owners of a Safe compare, beside viem's.
import {
  concat,
  domainSeparator,
  hashMessage,
  hashStruct,
  hashTypedData,
  keccak256,
  numberToHex,
  size,
  stringToBytes,
  toFunctionSelector,
  toHex,
} from 'viem';
import type { Hex } from 'viem';

import { parseTypedData } from '../../../src/eth/typed-data';
import { decodeDocument, decodeEntries } from '../../../src/review/documents';
import {
  getCalldataDigest,
  getMessageDigest,
  listTypedDigests,
} from '../../../src/review/screen/digests';
import { safeTx } from '../../fixtures/trust/more-shapes';
import { mailOf } from '../../support/typed-data';

const digestsOf = (document: unknown): Record<string, Hex> =>
  Object.fromEntries(
    listTypedDigests(decodeDocument(parseTypedData(document, 'data'))).map(
      ({ term, value }) => [term, value],
    ),
  );

/** The hashes of a document's domain, of its message, and of both. */
function hashByViem(document: Record<string, unknown>): Hex[] {
  const { domain, message: data } = document;
  return [
    domainSeparator({ domain } as never),
    hashStruct({ ...document, data } as never),
    hashTypedData(document as never),
  ];
}

describe('the digests of typed data', () => {
  it("match viem's", () => {
    const document = mailOf(1);
    const [domain, message, hash] = hashByViem(document);
    expect(digestsOf(document)).toStrictEqual({
      'Domain hash': domain,
      'Message hash': message,
      'EIP-712 digest': hash,
    });
  });

  // From 1.3.0 on the domain of a Safe has the chain.
  it.each([{}, { chainId: 10 }])(
    "match those of a Safe's transaction, with %j",
    (chain) => {
      const { types, domain, ...others } = safeTx({ data: '0xabcd' });
      const { EIP712Domain = [], ...inner } = types;
      const fields = EIP712Domain.filter(
        ({ name }) => name !== 'chainId' || 'chainId' in chain,
      );
      const { verifyingContract } = domain;
      const document = {
        ...others,
        types: { EIP712Domain: fields, ...inner },
        domain: { ...chain, verifyingContract },
      };
      const [domainHash, message, hash] = hashByViem(document);
      expect(digestsOf(document)).toStrictEqual({
        'Domain hash': domainHash,
        'Message hash': message,
        'Safe transaction hash': hash,
      });
    },
  );

  it('have no message hash if only the domain is signed', () => {
    const types = { EIP712Domain: [{ name: 'name', type: 'string' }] };
    const primaryType = 'EIP712Domain';
    const document = { types, primaryType, domain: { name: 'a' }, message: {} };
    expect(Object.keys(digestsOf(document))).toStrictEqual([
      'Domain hash',
      'EIP-712 digest',
    ]);
  });

  it('are absent for version 1, and for unhashable documents', () => {
    const entries = [{ type: 'string', name: 'a', value: 'b' }];
    expect(listTypedDigests(decodeEntries(entries))).toStrictEqual([]);
    const types = { EIP712Domain: [{ name: 'name', type: 'string' }], A: [] };
    const document = { types, primaryType: 'A', domain: {}, message: {} };
    expect(listTypedDigests(decodeDocument(document as never))).toStrictEqual([]);
  });
});

it.each(['', 'hello', 'ünï'.repeat(50)])('hashes the message %j by ERC-191', (text) => {
  const { term, value } = getMessageDigest(stringToBytes(text));
  expect([term, value]).toStrictEqual(['ERC-191 digest', hashMessage(text)]);
});

it.each<Hex>([
  '0x',
  toFunctionSelector('approve(address,uint256)'),
  toHex('x'.repeat(99)),
])('hashes calldata with its length: %s', (data) => {
  const length = numberToHex(size(data), { size: 32 });
  expect(getCalldataDigest(data)).toStrictEqual({
    term: 'Calldata digest',
    value: keccak256(concat([length, data])),
  });
});
