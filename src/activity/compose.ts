// Sending and following, put together over what the platform gives. A worker has one.
import type { PrivateStore } from '../state/private-state';
import type { PublicStore } from '../state/public-state';
import { createAwaitSettled } from './await-settled';
import type { AwaitSettled } from './await-settled';
import { createBroadcast } from './broadcast';
import type { Broadcast } from './broadcast';
import { createBroadcastOperation } from './broadcast-operation';
import type { BroadcastOperation } from './broadcast-operation';
import { createCallBatches } from './call-batches';
import type { CallBatches } from './call-batches';
import { createKnownOperations } from './known-operations';
import type { KnownOperations } from './known-operations';
import { createLedger } from './ledger';
import type { Ledger } from './ledger';
import { createNonces } from './nonces';
import type { Nonces } from './nonces';
import { createOperationNonces } from './operation-nonces';
import type { OperationNonces } from './operation-nonces';
import { createSignedOperations } from './signed-operations';
import type { SignedOperations } from './signed-operations';
import { createTracker } from './tracker';
import type { Tracker, TrackerServices } from './tracker';

/** What sending and following are made of. */
export type ActivityParts = Omit<TrackerServices, 'ledger' | 'flag'> & {
  store: PrivateStore;
  publicStore: PublicStore;
  sleep: (ms: number) => Promise<void>;
};

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

/** Put sending and following together. */
export function composeActivity(parts: ActivityParts): ActivityApp {
  const { store, publicStore, now } = parts;
  const ledger = createLedger(store);
  const flag = createFlag(publicStore);
  const tracker = createTracker({ ...parts, ledger, flag });
  const sending = { ledger, tracker, now };
  return {
    ledger,
    tracker,
    nonces: createNonces(ledger),
    operationNonces: createOperationNonces(ledger),
    broadcast: createBroadcast(sending),
    broadcastOperation: createBroadcastOperation(sending),
    awaitSettled: createAwaitSettled({ ledger, tracker, sleep: parts.sleep }),
    signedOperations: createSignedOperations(store),
    knownOperations: createKnownOperations(store),
    callBatches: createCallBatches(store),
  };
}

function createFlag(store: PublicStore): TrackerServices['flag'] {
  return {
    read: async () => (await store.read()).pendingSince,
    write: async (pendingSince) => {
      await store.update((state) => ({ ...state, pendingSince }));
    },
    clear: async (pendingSince) => {
      await store.update((state) =>
        state.pendingSince === pendingSince ? { ...state, pendingSince: null } : state,
      );
    },
  };
}
