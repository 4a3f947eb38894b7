import { privateKeyToAddress } from 'viem/accounts';

import { createSigner, fetchKeyAddress } from '../../../src/accounts/signer';
import type { AccountRecord } from '../../../src/state/account-record';
import { createEntropy, keyOfIndex, ownerKeyOfIndex } from '../../support/entropy';
import { errorOf, toWholeText } from '../../support/error-of';
import { refusalOf } from '../../support/refusal';

const IMPORTED = `0x${'11'.repeat(32)}` as const;

const lower = (address: string): `0x${string}` =>
  address.toLowerCase() as `0x${string}`;

const derived: AccountRecord = {
  type: 'eip155:eoa',
  id: 'derived',
  address: lower(privateKeyToAddress(keyOfIndex(4))),
  key: { kind: 'derived', index: 4 },
};

const imported: AccountRecord = {
  type: 'eip155:eoa',
  id: 'imported',
  address: lower(privateKeyToAddress(IMPORTED)),
  key: { kind: 'imported', privateKey: IMPORTED },
};

const smart: AccountRecord = {
  ...derived,
  type: 'eip155:erc4337',
  address: '0x0000000000000000000000000000000000000001',
  owner: lower(privateKeyToAddress(ownerKeyOfIndex(4, '0.6'))),
  entryPoint: '0.6',
  factory: '0x0000000000000000000000000000000000000002',
  salt: '0x0',
  scopes: ['eip155:1'],
};

const toHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

function setup(): { withPrivateKey: ReturnType<typeof createSigner> } {
  return { withPrivateKey: createSigner(createEntropy().getEntropy) };
}

describe('withPrivateKey', () => {
  it.each([
    ['a derived account', derived, keyOfIndex(4)],
    ['an imported account', imported, IMPORTED],
    ['a smart account, that of its owner,', smart, ownerKeyOfIndex(4, '0.6')],
  ])('lends the key of %s', async (_kind, record, key) => {
    const { withPrivateKey } = setup();
    expect(await withPrivateKey(record, toHex)).toBe(key);
  });

  it('wipes the key once it was used', async () => {
    const { withPrivateKey } = setup();
    const lent = await withPrivateKey(derived, (key) => key);
    expect(toHex(lent)).toBe(`0x${'00'.repeat(32)}`);
  });

  it('wipes the key also if its use fails', async () => {
    const { withPrivateKey } = setup();
    const lent: Uint8Array[] = [];
    const use = (key: Uint8Array): never => {
      lent.push(key);
      throw new Error('failed');
    };
    await expect(withPrivateKey(imported, use)).rejects.toThrow(new Error('failed'));
    expect(lent.map(toHex)).toStrictEqual([`0x${'00'.repeat(32)}`]);
  });

  it.each([
    ['a derived account', { ...derived, address: imported.address }],
    ['an imported account', { ...imported, address: derived.address }],
    ['a smart account', { ...smart, owner: imported.address }],
    [
      'an index of another source',
      { ...derived, key: { ...derived.key, entropySource: 'second' } },
    ],
  ] as [string, AccountRecord][])(
    'refuses a key that is not the one of %s',
    async (_kind, record) => {
      const { withPrivateKey } = setup();
      let isUsed = false;
      const signing = withPrivateKey(record, () => {
        isUsed = true;
      });
      expect(await refusalOf(signing)).toStrictEqual({
        code: -32603,
        message: 'The key is not the one of the account.',
      });
      expect(isUsed).toBe(false);
      const error = await errorOf(() => withPrivateKey(record, () => undefined));
      expect(toWholeText(error)).not.toContain('11'.repeat(32));
    },
  );
});

describe('comparing a key with its account', () => {
  /** A lender whose wallet has another entropy after some time. */
  function setupChanging(): {
    withPrivateKey: ReturnType<typeof createSigner>;
    change: () => void;
  } {
    const { getEntropy } = createEntropy();
    let other: string | undefined;
    return {
      withPrivateKey: createSigner(async (salt, source) =>
        getEntropy(salt, source ?? other),
      ),
      change: () => {
        other = 'second';
      },
    };
  }

  const wrong = { code: -32603, message: 'The key is not the one of the account.' };

  it('happens once a record, whose key is not asked for again', async () => {
    const { withPrivateKey, change } = setupChanging();
    await withPrivateKey(derived, toHex);
    change();
    expect(await withPrivateKey(derived, toHex)).toBe(keyOfIndex(4));
    expect(await withPrivateKey(derived, toHex)).toBe(keyOfIndex(4));
  });

  it('keeps a key although what was lent is wiped, also after a use that failed', async () => {
    const { withPrivateKey } = setupChanging();
    const fail = (): never => {
      throw new Error('failed');
    };
    await expect(withPrivateKey(derived, fail)).rejects.toThrow(new Error('failed'));
    await expect(withPrivateKey(derived, fail)).rejects.toThrow(new Error('failed'));
    expect(await withPrivateKey(derived, toHex)).toBe(keyOfIndex(4));
  });

  it('happens again for a record that was changed, or read again', async () => {
    const { withPrivateKey, change } = setupChanging();
    await withPrivateKey(derived, toHex);
    change();
    expect(await refusalOf(withPrivateKey({ ...derived }, toHex))).toStrictEqual(wrong);
  });

  it('happens again in another worker', async () => {
    await setupChanging().withPrivateKey(derived, toHex);
    const { withPrivateKey, change } = setupChanging();
    change();
    expect(await refusalOf(withPrivateKey(derived, toHex))).toStrictEqual(wrong);
  });

  it('happens again after it failed', async () => {
    const { withPrivateKey, change } = setupChanging();
    change();
    const record = { ...derived };
    expect(await refusalOf(withPrivateKey(record, toHex))).toStrictEqual(wrong);
    expect(await refusalOf(withPrivateKey(record, toHex))).toStrictEqual(wrong);
  });
});

describe('fetchKeyAddress', () => {
  it('gives the address of a key in lower case', async () => {
    const { getEntropy } = createEntropy();
    expect(await fetchKeyAddress(imported.key, getEntropy)).toBe(imported.address);
    expect(await fetchKeyAddress(derived.key, getEntropy)).toBe(derived.address);
  });
});
