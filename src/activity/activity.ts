// The hashes of known user operations, and notifications about settled transactions.
import { hashUserOperation } from '../core/operation';
import type { UserOperationDomain, UserOperation } from '../core/payload';
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { MAX_PREPARED, MAX_SIGNED } from '../state/private-state';
import type { PrivateStore, SignedOperation } from '../state/private-state';
import type { SentTransaction } from '../state/sent-transaction';
import type { TextKey, Translate } from '../ui/i18n';
import type { Tracking } from './tracker';

/** Hashes of user operations, stored in the encrypted state. Reviews warn about a message that is
 * the hash of a known operation, since signing it signs the operation, and about an operation that
 * would replace a signed one, because both have the same nonce. */
export type Operations = {
  /** Operations that were prepared, estimated, shown, signed or sent. Neither function ever fails,
   * since only a warning depends on them. */
  knownOperations: {
    list: () => Promise<{ hash: Hex; sender: Hex }[]>;
    note: (operation: UserOperation, domain: UserOperationDomain) => Promise<void>;
  };
  signedOperations: {
    /** Finds the last signed operation for a sender's nonce on a chain. */
    find: (use: NonceUse) => Promise<Hex | undefined>;
    note: (signed: SignedOperation) => Promise<void>;
  };
};

type NonceUse = { chain: string; sender: Hex; nonce: string };

export function createOperations(store: PrivateStore): Operations {
  return {
    knownOperations: {
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
          // Reviews will not warn of this operation.
        }
      },
    },
    signedOperations: {
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
    },
  };
}

function isFor(signed: SignedOperation, { chain, sender, nonce }: NonceUse): boolean {
  return (
    signed.chain === chain &&
    isSameAddress(signed.sender, sender) &&
    BigInt(signed.nonce) === BigInt(nonce)
  );
}

/** Maximum number of notifications of a kind. Above it, a single one names the first transaction and
 * counts the others. */
const MAX_EACH = 2;

/** Creates a function that notifies the user of settled transactions, unless the user turned
 * notifications off. Each poll of a chain sends one notification for all completed transactions, and
 * up to {@link MAX_EACH} for those that are lost and for those that are pending again, because the
 * wallet shows only five a minute. Never fails. */
export function createNotifySettled(
  store: PrivateStore,
  loadTranslate: () => Promise<Translate>,
  notify: (message: string) => Promise<void>,
): Tracking['notifySettled'] {
  return async (settled) => {
    try {
      const { notifications } = (await store.read()).settings;
      if (!notifications) return;
      const translate = await loadTranslate();
      for (const message of toMessages(settled, translate)) await notify(message);
    } catch {
      // For example, the wallet's notification limit has been reached.
    }
  };
}

function toMessages(
  settled: readonly SentTransaction[],
  translate: Translate,
): string[] {
  const toMessage = (sent: SentTransaction, more = 0): string => {
    const { hash, chain, inclusion } = sent;
    return translate(toKey(sent), {
      hash: `${hash.slice(0, 10)}…${hash.slice(-6)}${more > 0 ? ` (+${more})` : ''}`,
      chain,
      block: inclusion ? String(BigInt(inclusion.blockNumber)) : '',
    });
  };
  const others = (['dropped', 'pending'] as const).flatMap((status) => {
    const [first, ...more] = settled.filter((each) => each.status === status);
    if (!first) return [];
    return more.length < MAX_EACH
      ? [first, ...more].map((each) => toMessage(each))
      : [toMessage(first, more.length)];
  });
  const completed = settled.filter(
    ({ status }) => status === 'included' || status === 'replaced',
  );
  if (completed.length < 2) {
    return [...completed.map((each) => toMessage(each)), ...others];
  }
  const failed = completed.filter((each) => toKey(each) !== 'notify.included').length;
  const counts = { count: String(completed.length), failed: String(failed) };
  return [translate('notify.several', counts), ...others];
}

function toKey({ status, inclusion }: SentTransaction): TextKey {
  if (inclusion?.success === false) return 'notify.failed';
  // No transaction becomes `unknown`: only earlier versions stored it. This satisfies the type.
  return status === 'unknown' ? 'notify.pending' : `notify.${status}`;
}
