// Sending and following, put together over what the platform gives. A worker has one.
import type { PrivateStore } from '../state/private-state';
import { createBroadcasts } from './broadcast';
import type { Broadcast, BroadcastOperation } from './broadcast';
import { createCallBatches } from './call-batches';
import type { CallBatches } from './call-batches';
import { createLedger } from './ledger';
import type { Ledger } from './ledger';
import { createNonces, createOperationNonces } from './nonces';
import type { Nonces, OperationNonces } from './nonces';
import { createKnownOperations, createSignedOperations } from './operations';
import type { KnownOperations, SignedOperations } from './operations';
import { createAwaitSettled, createTracker } from './tracker';
import type { AwaitSettled, Tracker, Tracking } from './tracker';

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
  ...tracking
}: Omit<Tracking, 'ledger'> & {
  store: PrivateStore;
  sleep: (ms: number) => Promise<void>;
}): ActivityApp {
  const ledger = createLedger(store);
  const tracker = createTracker({ ...tracking, ledger });
  return {
    ledger,
    tracker,
    nonces: createNonces(ledger),
    operationNonces: createOperationNonces(ledger),
    ...createBroadcasts(ledger, tracker, tracking.now),
    awaitSettled: createAwaitSettled(ledger, tracker, sleep),
    signedOperations: createSignedOperations(store),
    knownOperations: createKnownOperations(store),
    callBatches: createCallBatches(store),
  };
}
