// Composes sending and following, and stores the hashes of known user operations. One a worker.
import { isSameAddress } from '../eth/hex';
import type { Hex } from '../eth/hex';
import { hashUserOperation } from '../eth/sign-user-operation';
import type { UserOperationDomain } from '../eth/sign-user-operation';
import type { UserOperation } from '../eth/user-operation';
import { MAX_PREPARED, MAX_SIGNED } from '../state/private-state';
import type { PrivateStore, SignedOperation } from '../state/private-state';
import type { SentTransaction } from '../state/sent-transaction';
import type { TextKey, Translate } from '../ui/i18n';
import { createBroadcasts } from './broadcast';
import type { BlockTimes, Broadcasts } from './broadcast';
import { createCallBatches } from './call-batches';
import type { CallBatches } from './call-batches';
import { createLedger } from './ledger';
import type { Ledger } from './ledger';
import { createNonces, createOperationNonces } from './nonces';
import type { Nonces, OperationNonces } from './nonces';
import { createAwaitSettled, createTracker } from './tracker';
import type { AwaitSettled, Tracker, TrackingParts } from './tracker';

// Hashes of user operations, in the encrypted document. A message that is such a hash would sign the
// operation, and another operation for the same nonce replaces the signed one: the user is warned of
// both.

/** Operations that were prepared, estimated, shown, signed or sent. Never fails, since only a warning
 * depends on it. */
export type KnownOperations = {
  list: () => Promise<{ hash: Hex; sender: Hex }[]>;
  /** Stores an operation that was prepared, estimated or shown. */
  note: (operation: UserOperation, domain: UserOperationDomain) => Promise<void>;
};

type NonceUse = { chain: string; sender: Hex; nonce: string };

export type SignedOperations = {
  /** Finds the operation that was signed last for a nonce of a sender on a chain. */
  find: (use: NonceUse) => Promise<Hex | undefined>;
  note: (signed: SignedOperation) => Promise<void>;
};

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
        // The operation will not be recognized.
      }
    },
  };
}

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

function isFor(signed: SignedOperation, { chain, sender, nonce }: NonceUse): boolean {
  return (
    signed.chain === chain &&
    isSameAddress(signed.sender, sender) &&
    BigInt(signed.nonce) === BigInt(nonce)
  );
}

/** Creates the notifications of settled transactions: one a chain and poll, since the wallet shows
 * five a minute. Never fails, since the home page shows them as well. */
export function createNotifySettled({
  notify,
  loadTranslate,
  isWanted,
}: {
  notify: (message: string) => Promise<void>;
  loadTranslate: () => Promise<Translate>;
  isWanted: () => Promise<boolean>;
}): TrackingParts['notifySettled'] {
  return async (settled) => {
    try {
      if (await isWanted()) await notify(write(settled, await loadTranslate()));
    } catch {
      // The wallet shows no more notifications for now.
    }
  };
}

function write(settled: readonly SentTransaction[], translate: Translate): string {
  const [only, ...others] = settled;
  if (!only || others.length > 0) {
    const failed = settled.filter((each) => toKey(each) !== 'notify.included').length;
    const counts = { count: String(settled.length), failed: String(failed) };
    return translate('notify.several', counts);
  }
  const { hash, chain, inclusion } = only;
  return translate(toKey(only), {
    hash: `${hash.slice(0, 10)}…${hash.slice(-6)}`,
    chain,
    block: inclusion ? String(BigInt(inclusion.blockNumber)) : '',
  });
}

const keys: Record<SentTransaction['status'], TextKey> = {
  pending: 'notify.unknown',
  included: 'notify.included',
  replaced: 'notify.replaced',
  dropped: 'notify.dropped',
  unknown: 'notify.unknown',
};

function toKey({ status, inclusion }: SentTransaction): TextKey {
  return inclusion?.success === false ? 'notify.failed' : keys[status];
}

export type ActivityApp = Broadcasts & {
  ledger: Ledger;
  nonces: Nonces;
  operationNonces: OperationNonces;
  tracker: Tracker;
  awaitSettled: AwaitSettled;
  signedOperations: SignedOperations;
  knownOperations: KnownOperations;
  callBatches: CallBatches;
};

export function composeActivity({
  store,
  sleep,
  blockTimes,
  ...tracking
}: TrackingParts & {
  store: PrivateStore;
  sleep: (ms: number) => Promise<void>;
  blockTimes: BlockTimes;
}): ActivityApp {
  const { now } = tracking;
  const ledger = createLedger(store);
  const tracker = createTracker({ ...tracking, ledger });
  return {
    ledger,
    tracker,
    nonces: createNonces(ledger, now),
    operationNonces: createOperationNonces(ledger),
    ...createBroadcasts({ ledger, follower: tracker, now, blockTimes }),
    awaitSettled: createAwaitSettled(ledger, tracker, sleep),
    signedOperations: createSignedOperations(store),
    knownOperations: createKnownOperations(store),
    callBatches: createCallBatches(store),
  };
}
