import { hashDomain, hashTypedData, hexToBytes, keccak256, stringToBytes } from 'viem';
import { privateKeyToAccount, sign } from 'viem/accounts';

import {
  parseTypedData,
  parseTypedDataV3,
  parseTypedEntries,
  signTypedData,
  signTypedEntries,
} from '../../../src/eth/typed-data';
import { DOMAIN_SEPARATOR, mail, published } from '../../fixtures/eth/typed-data';
import {
  publishedDocuments,
  publishedLists,
} from '../../fixtures/eth/typed-data-published';
import { hashByReference } from '../../support/typed-data-reference';

const keyOf = (word: string): `0x${string}` => keccak256(stringToBytes(word));

describe('the example of EIP-712', () => {
  const cow = hexToBytes(keyOf('cow'));

  it('is signed as published, in versions 4 and 3', () => {
    for (const read of [parseTypedData, parseTypedDataV3]) {
      expect(signTypedData(read(mail, 'data'), cow)).toBe(published.signature);
    }
  });

  it('has the published figures in what we compare with, too', () => {
    expect(hashTypedData(mail as never)).toBe(published.digest);
    expect(hashByReference(mail)).toBe(published.digest);
    expect(hashDomain(mail as never)).toBe(DOMAIN_SEPARATOR);
    expect(privateKeyToAccount(keyOf('cow')).address).toBe(published.address);
  });
});

describe.each(Object.entries(publishedDocuments))(
  'the published document with %s',
  (_what, { document, key, digest, signature }) => {
    it('is signed as published', () => {
      const data = parseTypedData(document, 'data');
      expect(signTypedData(data, hexToBytes(keyOf(key)))).toBe(signature);
    });

    it('has the published digest in what we compare with, too', async () => {
      expect(hashByReference(document)).toBe(digest);
      const privateKey = keyOf(key);
      expect(await sign({ hash: digest, privateKey, to: 'hex' })).toBe(signature);
    });
  },
);

describe('the published lists of version 1', () => {
  it.each(publishedLists)('are signed by their published hash (%#)', async (each) => {
    const privateKey = keyOf('cow');
    const signature = await sign({ hash: each.hash, privateKey, to: 'hex' });
    const entries = parseTypedEntries(each.list, 'data');
    expect(signTypedEntries(entries, hexToBytes(privateKey))).toBe(signature);
  });
});
