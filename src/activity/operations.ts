// User operations that the snap knows by their hashes, in the encrypted document. A message
// that is such a hash would sign the operation, and another operation for the same nonce
// replaces the one that was signed before: the user should know both.
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { hashUserOperation } from '../eth/sign-user-operation';
import type { UserOperationDomain } from '../eth/sign-user-operation';
import type { UserOperation } from '../eth/user-operation';
import { MAX_PREPARED, MAX_SIGNED } from '../state/private-state';
import type { PrivateStore, SignedOperation } from '../state/private-state';

/** Operations that were prepared, estimated or shown, signed, or sent. Neither function fails:
 * nothing depends on them but a warning. */
export type KnownOperations = {
  list: () => Promise<{ hash: Hex; sender: Hex }[]>;
  /** Remembers an operation that was prepared, estimated or shown. */
  note: (operation: UserOperation, domain: UserOperationDomain) => Promise<void>;
};

/** Which operations were signed. */
export type SignedOperations = {
  /** Finds the operation that was signed last for a nonce of a sender on a chain. */
  find: (use: Omit<SignedOperation, 'hash'>) => Promise<Hex | undefined>;
  note: (signed: SignedOperation) => Promise<void>;
};

/** Creates access to the known operations. */
export function createKnownOperations(store: PrivateStore): KnownOperations {
  return {
    list: async () => {
      const state = await store.read().catch(() => undefined);
      if (!state) return [];
      const sent = Object.values(state.activity)
        .filter(({ entryPoint }) => entryPoint !== undefined)
        .map(({ hash, from }) => ({ hash, sender: from }));
      return [...state.preparedOperations, ...state.signedOperations, ...sent];
    },
    note: async (operation, domain) => {
      try {
        const { sender } = operation;
        const hash = hashUserOperation(operation, domain);
        await store.update((state) => {
          const { preparedOperations: before } = state;
          if (before.some((each) => each.hash === hash)) return state;
          const kept = [...before, { sender, hash }].slice(-MAX_PREPARED);
          return { ...state, preparedOperations: kept };
        });
      } catch {
        // It is not recognized later.
      }
    },
  };
}

/** Creates access to which operations were signed. */
export function createSignedOperations(store: PrivateStore): SignedOperations {
  return {
    find: async (use) =>
      (await store.read()).signedOperations.find((each) => isFor(each, use))?.hash,
    note: async (signed) => {
      await store.update((state) => {
        const { signedOperations: before } = state;
        if (before.some((each) => isFor(each, signed) && each.hash === signed.hash)) {
          return state;
        }
        const others = before.filter((each) => !isFor(each, signed));
        const kept = [...others, signed].slice(-MAX_SIGNED);
        return { ...state, signedOperations: kept };
      });
    },
  };
}

function isFor(
  signed: SignedOperation,
  { chain, sender, nonce }: Omit<SignedOperation, 'hash'>,
): boolean {
  return (
    signed.chain === chain &&
    isSameAddress(signed.sender, sender) &&
    BigInt(signed.nonce) === BigInt(nonce)
  );
}
