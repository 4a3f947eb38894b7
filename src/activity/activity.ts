// Sending and following, put together over what the platform gives. A worker has one.
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
import type { BlockTimes, Broadcast, BroadcastOperation } from './broadcast';
import { createCallBatches } from './call-batches';
import type { CallBatches } from './call-batches';
import { createLedger } from './ledger';
import type { Ledger } from './ledger';
import { createNonces, createOperationNonces } from './nonces';
import type { Nonces, OperationNonces } from './nonces';
import { createAwaitSettled, createTracker } from './tracker';
import type { AwaitSettled, Tracker, Tracking } from './tracker';

// User operations that the snap knows by their hashes, in the encrypted document. A message
// that is such a hash would sign the operation, and another operation for the same nonce
// replaces the one that was signed before: the user should know both.

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

// Tells the user what became of what was sent: one notification a chain and poll, since
// the wallet shows five a minute.

/** What telling needs. */
type TellParts = {
  notify: (message: string) => Promise<void>;
  loadTranslate: () => Promise<Translate>;
  /** Whether the user wants to be told. */
  isWanted: () => Promise<boolean>;
};

/** Creates the one who tells; it never fails, since the home page tells as well. */
export function createTellSettled({
  notify,
  loadTranslate,
  isWanted,
}: TellParts): (settled: readonly SentTransaction[]) => Promise<void> {
  return async (settled) => {
    try {
      if (await isWanted()) await notify(write(settled, await loadTranslate()));
    } catch {
      // The wallet shows no more for now.
    }
  };
}

function write(settled: readonly SentTransaction[], translate: Translate): string {
  const [only, ...others] = settled;
  if (only && others.length === 0) return writeOne(only, translate);
  const failed = settled.filter((each) => toKey(each) !== 'notify.included').length;
  return translate('notify.several', {
    count: String(settled.length),
    failed: String(failed),
  });
}

function writeOne(sent: SentTransaction, translate: Translate): string {
  const { hash, chain, inclusion } = sent;
  return translate(toKey(sent), {
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

/** Everything that works on what was sent. */
export type ActivityApp = {
  ledger: Ledger;
  nonces: Nonces;
  operationNonces: OperationNonces;
  tracker: Tracker;
  broadcast: Broadcast;
  broadcastOperation: BroadcastOperation;
  awaitSettled: AwaitSettled;
  signedOperations: SignedOperations;
  knownOperations: KnownOperations;
  callBatches: CallBatches;
};

/** Puts sending and following together. */
export function composeActivity({
  store,
  sleep,
  blockTimes,
  ...tracking
}: Omit<Tracking, 'ledger'> & {
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
