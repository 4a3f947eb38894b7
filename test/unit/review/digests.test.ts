// The digests of ERC-8213 and of Safe transactions, compared with viem's.
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

/** Returns the hashes of a document's domain, of its message, and of both. */
function hashWithViem(document: Record<string, unknown>): Hex[] {
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
    const [domain, message, hash] = hashWithViem(document);
    expect(digestsOf(document)).toStrictEqual({
      'Domain hash': domain,
      'Message hash': message,
      'EIP-712 digest': hash,
    });
  });

  // Since version 1.3.0, the domain of a Safe includes the chain id.
  it.each([{}, { chainId: 10 }])(
    "match viem's for a Safe transaction with %j in its domain",
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
      const [domainHash, message, hash] = hashWithViem(document);
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

  it('are absent for eth_signTypedData (v1) and for unhashable documents', () => {
    const entries = [{ type: 'string', name: 'a', value: 'b' }];
    expect(listTypedDigests(decodeEntries(entries))).toStrictEqual([]);
    const types = { EIP712Domain: [{ name: 'name', type: 'string' }], A: [] };
    const document = { types, primaryType: 'A', domain: {}, message: {} };
    expect(listTypedDigests(decodeDocument(document as never))).toStrictEqual([]);
  });
});

it.each(['', 'hello', 'ünï'.repeat(50)])(
  'hashes the message %j as in ERC-191',
  (text) => {
    const { term, value } = getMessageDigest(stringToBytes(text));
    expect([term, value]).toStrictEqual(['ERC-191 digest', hashMessage(text)]);
  },
);

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
