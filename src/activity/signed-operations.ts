// Remembering which user operation was signed for a nonce, in the encrypted document.
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { MAX_SIGNED } from '../state/noted-operations';
import type { SignedOperation } from '../state/noted-operations';
import type { PrivateStore } from '../state/private-state';

/** A nonce of a sender on a chain. */
export type NonceUse = Omit<SignedOperation, 'hash'>;

/** Which operations were signed. */
export type SignedOperations = {
  /** Find the operation that was signed last for a nonce. */
  find: (use: NonceUse) => Promise<Hex | undefined>;
  /** Remember that one was signed. */
  note: (signed: SignedOperation) => Promise<void>;
};

/** Create access to which operations were signed. */
export function createSignedOperations(store: PrivateStore): SignedOperations {
  return {
    find: async (use) =>
      (await store.read()).signedOperations.find((each) => isOf(each, use))?.hash,
    note: async (signed) => {
      await store.update((state) => {
        const { signedOperations: before } = state;
        if (before.some((each) => isOf(each, signed) && each.hash === signed.hash)) {
          return state;
        }
        const others = before.filter((each) => !isOf(each, signed));
        const kept = [...others, signed].slice(-MAX_SIGNED);
        return { ...state, signedOperations: kept };
      });
    },
  };
}

function isOf(signed: SignedOperation, { chain, sender, nonce }: NonceUse): boolean {
  return (
    signed.chain === chain &&
    isSameAddress(signed.sender, sender) &&
    BigInt(signed.nonce) === BigInt(nonce)
  );
}
