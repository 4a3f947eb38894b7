// MetaMask's own encryptor for snap state, with a key derivation that is cheap enough
// for tests: the real one takes a quarter of a second.
import * as passworder from '@metamask/browser-passworder';
import type { SnapController } from '@metamask/snaps-controllers';
import type { Json } from '@metamask/utils';

/** The contract that the SnapController asks for. */
export type Encryptor = ConstructorParameters<typeof SnapController>[0]['encryptor'];

/** An encryptor that can tell, without the key, what stands in its last cipher text. */
export type WatchedEncryptor = Encryptor & {
  /**
   * @param cipherText - What was stored.
   * @param plainText - JSON.
   * @returns Whether that text, and nothing newer, was stored with it.
   */
  isLast(cipherText: string, plainText: string): boolean;
};

const DERIVATION = { algorithm: 'PBKDF2' as const, params: { iterations: 1_000 } };

/**
 * Create an encryptor.
 *
 * @returns MetaMask's encryptor, watched.
 */
export function createEncryptor(): WatchedEncryptor {
  const seen = new Map<string, string>();
  const encryptor = {
    ...passworder,
    isVaultUpdated: (vault: string) => passworder.isVaultUpdated(vault, DERIVATION),
    keyFromPassword: (...args: Parameters<typeof passworder.keyFromPassword>) => {
      const [password, salt, exportable, derivation = DERIVATION] = args;
      return passworder.keyFromPassword(password, salt, exportable, derivation);
    },
    async encryptWithKey(key: passworder.EncryptionKey, value: Json) {
      const result = await passworder.encryptWithKey(key, value);
      seen.clear();
      seen.set(result.data, JSON.stringify(value));
      return result;
    },
    async decryptWithKey(key: passworder.EncryptionKey, payload: Sealed) {
      const value = await passworder.decryptWithKey(key, payload);
      seen.set(payload.data, JSON.stringify(value));
      return value;
    },
    isLast: (cipherText: string, plainText: string) =>
      seen.get((JSON.parse(cipherText) as Sealed).data) === plainText,
  };
  // The contract leaves the key's type open; the package names its own.
  return encryptor as unknown as WatchedEncryptor;
}

type Sealed = passworder.EncryptionResult;
