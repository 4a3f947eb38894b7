import { derivePrivateKey } from '../../../src/accounts/derive';
import type { GetEntropy } from '../../../src/accounts/derive';
import { createEntropy, entropyOf } from '../../support/entropy';
import { errorOf } from '../../support/error-of';
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

  // MetaMask rejects with an Error or, from the platform, with a plain object.
  const words = 'Entropy source with ID "gone" not found.';
  it.each<unknown>([new Error(words), { code: -32603, message: words, data: {} }])(
    'says that the wallet has no such entropy source: %#',
    async (cause) => {
      const failing = failWith(cause);
      const derived = failing({ index: 0, entropySource: 'gone' });
      expect(await refusalOf(derived)).toStrictEqual({
        code: -32602,
        message: 'The wallet has no entropy source with that id.',
      });
      expect(await errorOf(() => failing({ index: 0 }))).toHaveProperty('cause', cause);
    },
  );

  it.each<unknown>([
    new Error('The wallet is locked.'),
    new Error('Method not found'),
    { code: 4001, message: 'User rejected the request.' },
    { code: -32603 },
    { message: 7 },
    'Entropy source with ID "gone" not found.',
    null,
    undefined,
  ])('says that MetaMask failed where it says anything else: %j', async (cause) => {
    const failing = failWith(cause);
    const error = await errorOf(() => failing({ index: 0, entropySource: 'gone' }));
    expect(error).toMatchObject({
      code: -32002,
      message: 'MetaMask failed snap_getEntropy; try again.',
    });
    expect(error.cause).toBe(cause);
  });
});

type Derive = (key: { index: number; entropySource?: string }) => Promise<Uint8Array>;

function failWith(cause: unknown): Derive {
  const getEntropy: GetEntropy = async () => {
    await Promise.resolve();
    throw cause as Error;
  };
  return async (key) => derivePrivateKey(getEntropy, key);
}
