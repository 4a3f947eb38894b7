// User operations that the snap knows by their hashes: those that were prepared, estimated or
// shown, signed, or sent. A message that is such a hash would sign the operation.
import type { Hex } from '../eth/hex';
import { hashUserOperation } from '../eth/sign-user-operation';
import type { UserOperationDomain } from '../eth/sign-user-operation';
import type { UserOperation } from '../eth/user-operation';
import { MAX_PREPARED } from '../state/noted-operations';
import type { PrivateState, PrivateStore } from '../state/private-state';

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
