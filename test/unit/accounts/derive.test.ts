import { derivePrivateKey } from '../../../src/accounts/derive';
import { createEntropy, entropyOf } from '../../support/entropy';
import { refusalOf } from '../../support/refusal';

const toHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

describe('derivePrivateKey', () => {
  // The salt is the derivation path: another one would lose every account there is.
  it.each([
    [0, 'tollkeeper/v1/0'],
    [1, 'tollkeeper/v1/1'],
    [2 ** 31 - 1, 'tollkeeper/v1/2147483647'],
  ])(
    'asks for index %i with the salt %s of the primary source',
    async (index, salt) => {
      const { getEntropy, asked } = createEntropy();
      const key = await derivePrivateKey(getEntropy, { index });
      expect(asked).toStrictEqual([{ salt, source: undefined }]);
      expect(toHex(key)).toBe(entropyOf(salt));
    },
  );

  it('asks the source that was named', async () => {
    const { getEntropy, asked } = createEntropy();
    const key = await derivePrivateKey(getEntropy, {
      index: 5,
      entropySource: 'second',
    });
    expect(asked).toStrictEqual([{ salt: 'tollkeeper/v1/5', source: 'second' }]);
    expect(toHex(key)).toBe(entropyOf('tollkeeper/v1/5', 'second'));
  });

  it.each([
    ['zero', `0x${'00'.repeat(32)}`],
    ['a number above the order of the curve', `0x${'ff'.repeat(32)}`],
  ] as const)('refuses %s, which is no key, without showing it', async (_what, key) => {
    const derived = derivePrivateKey(() => Promise.resolve(key), { index: 3 });
    expect(await refusalOf(derived)).toStrictEqual({
      code: -32603,
      message: 'Index 3 has no valid key.',
    });
  });
});
