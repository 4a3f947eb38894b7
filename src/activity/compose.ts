// Sending and following, put together over what the platform gives. A worker has one.
import { withTimeLimit } from '../client/abort';
import type { ChainId } from '../eth/chain';
import type { Hex } from '../eth/hex';
import type { PrivateStore } from '../state/private-state';
import type { PublicStore } from '../state/public-state';
import type { SentTransaction } from '../state/sent-transaction';
import { createBroadcast, createBroadcastOperation } from './broadcast';
import type { Broadcast, BroadcastOperation } from './broadcast';
import { createCallBatches } from './call-batches';
import type { CallBatches } from './call-batches';
import { createLedger } from './ledger';
import type { Ledger } from './ledger';
import { createNonces, createOperationNonces } from './nonces';
import type { Nonces, OperationNonces } from './nonces';
import { createKnownOperations, createSignedOperations } from './operations';
import type { KnownOperations, SignedOperations } from './operations';
import { createTracker } from './tracker';
import type { Tracker, TrackerServices } from './tracker';

// Waiting for what was sent, for those who answer only when it is in a block.

/** MetaMask ends a request that has run for 60 s; time in which servers are asked does not
 * count. */
const PAUSES = 22;

const PAUSE_MS = 2_000;

/** How long servers are waited for between two pauses. */
const POLL_MS = 5_000;

/** Waits until what was sent is settled; answers what is known of it in the end. */
export type AwaitSettled = (
  hash: Hex,
  chainId: ChainId,
) => Promise<SentTransaction | undefined>;

/** Create what waits. */
export function createAwaitSettled({
  ledger,
  tracker,
  sleep,
}: {
  ledger: Pick<Ledger, 'find'>;
  tracker: Pick<Tracker, 'poll'>;
  sleep: (ms: number) => Promise<void>;
}): AwaitSettled {
  return async (hash, chainId) => {
    for (let pauses = 0; ; pauses += 1) {
      const sent = await ledger.find(hash);
      if (sent?.status !== 'pending' || pauses === PAUSES) return sent;
      await sleep(PAUSE_MS);
      // Whatever goes wrong, it is asked for again.
      await withTimeLimit(async () => tracker.poll(chainId), POLL_MS).catch(
        () => undefined,
      );
    }
  };
}

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
