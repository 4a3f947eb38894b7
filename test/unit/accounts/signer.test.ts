// Lent copies of a key are wiped. No entry point can show this, so the test lends keys itself.
import { createKeys } from '../../../src/core/keys';
import { createVault } from '../../../src/core/vault';
import { toAccountRef } from '../../../src/state/account-record';
import { createEntropy, keyOfIndex } from '../../support/entropy';
import { derivedRecord, IMPORTED_KEY } from '../../support/records';

const toHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

const WIPED = `0x${'00'.repeat(32)}`;

const vault = createVault({
  load: async () => Promise.resolve(null),
  save: async () => Promise.resolve(),
});
const held = vault.hold(IMPORTED_KEY);
const imported = {
  id: 'imported',
  address: held,
  owner: held,
  keys: [{ kind: 'imported' as const, held }],
};

it.each([
  { account: toAccountRef(derivedRecord()), expected: keyOfIndex(0) },
  { account: imported, expected: IMPORTED_KEY },
])(
  'wipes a key after its use, even if the use fails, and lends it again (case %#)',
  async ({ account, expected }) => {
    const keys = createKeys(createEntropy().getEntropy, vault, async () =>
      Promise.resolve(account),
    );
    const lent: Uint8Array[] = [];
    const lend = async (): Promise<string> =>
      keys.lend(account, (bytes) => {
        lent.push(bytes);
        return toHex(bytes);
      });
    expect(await lend()).toBe(expected);
    const failing = keys.lend(account, (bytes) => {
      lent.push(bytes);
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow(new Error('failed'));
    expect(await lend()).toBe(expected);
    expect(lent.map(toHex)).toStrictEqual([WIPED, WIPED, WIPED]);
  },
);
