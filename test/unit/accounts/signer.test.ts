// Lent copies of a key are wiped, which cannot be seen from outside.
import { createSigner } from '../../../src/accounts/keys';
import { createEntropy, keyOfIndex } from '../../support/entropy';
import { derivedRecord, importedRecord } from '../../support/records';

const toHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

const WIPED = `0x${'00'.repeat(32)}`;

it.each([derivedRecord(), importedRecord()])(
  'wipes a key once it was used, also if its use fails, and lends it again (%#)',
  async (record) => {
    const withPrivateKey = createSigner(createEntropy().getEntropy, async () =>
      Promise.resolve(true),
    );
    const lent: Uint8Array[] = [];
    const { key } = record;
    const expected = key.kind === 'imported' ? key.privateKey : keyOfIndex(key.index);
    const lend = async (): Promise<string> =>
      withPrivateKey(record, (bytes) => {
        lent.push(bytes);
        return toHex(bytes);
      });
    expect(await lend()).toBe(expected);
    const failing = withPrivateKey(record, (bytes) => {
      lent.push(bytes);
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow(new Error('failed'));
    expect(await lend()).toBe(expected);
    expect(lent.map(toHex)).toStrictEqual([WIPED, WIPED, WIPED]);
  },
);
