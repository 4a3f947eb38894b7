// Remembering which user operation was signed for a nonce, in the encrypted document.
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { hashUserOperation } from '../eth/sign-user-operation';
import type { UserOperationDomain } from '../eth/sign-user-operation';
import type { UserOperation } from '../eth/user-operation';
import { MAX_PREPARED, MAX_SIGNED } from '../state/private-state';
import type {
  PrivateState,
  PrivateStore,
  SignedOperation,
} from '../state/private-state';

// User operations that the snap knows by their hashes: those that were prepared, estimated or
// shown, signed, or sent. A message that is such a hash would sign the operation.

/** A user operation, and the account that it is of. */
export type KnownOperation = { hash: Hex; sender: Hex };

/** Access to the known operations. Neither fails: nothing depends on it but a warning. */
export type KnownOperations = {
  list: () => Promise<KnownOperation[]>;
  /** Remember an operation that was prepared, estimated or shown. */
  note: (operation: UserOperation, domain: UserOperationDomain) => Promise<void>;
};

/** Create access to the operations in the encrypted document. */
export function createKnownOperations(store: PrivateStore): KnownOperations {
  return {
    list: async () => store.read().then(listKnown, () => []),
    note: async (operation, domain) => {
      try {
        const { sender } = operation;
        const hash = hashUserOperation(operation, domain);
        await store.update((state) => withPrepared(state, { sender, hash }));
      } catch {
        // It is not recognized later.
      }
    },
  };
}

function listKnown(state: PrivateState): KnownOperation[] {
  const sent = Object.values(state.activity).flatMap(({ entryPoint, hash, from }) =>
    entryPoint === undefined ? [] : [{ hash, sender: from }],
  );
  return [...state.preparedOperations, ...state.signedOperations, ...sent];
}

function withPrepared(state: PrivateState, prepared: KnownOperation): PrivateState {
  const { preparedOperations: before } = state;
  if (before.some(({ hash }) => hash === prepared.hash)) return state;
  return { ...state, preparedOperations: [...before, prepared].slice(-MAX_PREPARED) };
}

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
