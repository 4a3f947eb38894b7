// Batches of calls (EIP-5792), kept in the encrypted document before anything of them goes
// out, so that a worker that is stopped in the middle leaves a trace.
import { CallsError } from '../errors';
import type { Hex } from '../eth/hex';
import { MAX_BATCHES, MAX_FAILURE_LENGTH } from '../state/call-batch';
import type { CallBatch } from '../state/call-batch';
import type { PrivateStore } from '../state/private-state';

/** A batch that is about to be sent. */
export type NewBatch = Omit<CallBatch, 'hashes' | 'failure'>;

/** A batch that was sent, or is being sent. */
export type KnownBatch = CallBatch & {
  /** Whether more of it may still go out: this worker is at it. */
  isSending: boolean;
};

/** A batch that is being sent. */
export type SendingBatch = {
  /** Note what is about to go out. */
  note: (hash: Hex) => Promise<void>;
  /** Strike out what did not go out after all. */
  strike: (hash: Hex) => Promise<void>;
  /**
   * Say that nothing more goes out; one of which nothing did is forgotten. Never fails.
   *
   * @param failure - Why sending broke off, if it did.
   * @returns Whether something may have gone out.
   */
  end: (failure?: string) => Promise<boolean>;
};

/** Access to batches. */
export type CallBatches = {
  find: (origin: string, id: string) => Promise<KnownBatch | undefined>;
  /** Refuse an id that the origin has used already (5720). */
  assertNew: (origin: string, id: string) => Promise<void>;
  /**
   * Keep a batch; beyond a hundred, the oldest are forgotten.
   *
   * @throws {CallsError} If the origin has used its id already (5720).
   */
  add: (batch: NewBatch) => Promise<SendingBatch>;
};

type BatchKey = Pick<CallBatch, 'origin' | 'id'>;

/** Create access to batches; there must be one in a worker. */
export function createCallBatches(store: PrivateStore): CallBatches {
  // Whoever sends is in this worker: a batch that none is at was left by one that stopped.
  const open = new Set<NewBatch>();
  const find = async (key: BatchKey): Promise<CallBatch | undefined> =>
    (await store.read()).batches.find((each) => isSame(each, key));
  return {
    find: async (origin, id) => {
      const batch = await find({ origin, id });
      if (!batch) return undefined;
      return { ...batch, isSending: [...open].some((each) => isSame(each, batch)) };
    },
    assertNew: async (origin, id) => {
      if (await find({ origin, id })) throw duplicate(id);
    },
    add: async (batch) => {
      await change(store, (batches) => {
        if (batches.some((each) => isSame(each, batch))) throw duplicate(batch.id);
        return [...batches, { ...batch, hashes: [] }].slice(-MAX_BATCHES);
      });
      open.add(batch);
      return createSending(batch, { store, onEnd: () => open.delete(batch) });
    },
  };
}

function createSending(
  batch: NewBatch,
  { store, onEnd }: { store: PrivateStore; onEnd: () => void },
): SendingBatch {
  let hashes: readonly Hex[] = [];
  const write = async (next: readonly Hex[], failure?: string): Promise<void> => {
    const reason =
      failure === undefined ? {} : { failure: failure.slice(0, MAX_FAILURE_LENGTH) };
    const isKept = next.length > 0 || failure === undefined;
    const changed = isKept ? [{ ...batch, hashes: [...next], ...reason }] : [];
    await change(store, (batches) =>
      batches.flatMap((each) => (isSame(each, batch) ? changed : [each])),
    );
  };
  return {
    note: async (hash) => {
      const next = [...hashes, hash];
      await write(next);
      hashes = next;
    },
    strike: async (hash) => {
      hashes = hashes.filter((each) => each !== hash);
      await write(hashes);
    },
    end: async (failure) => {
      onEnd();
      // What is stored tells less then, but what was sent is sent.
      if (failure !== undefined) await write(hashes, failure).catch(() => undefined);
      return hashes.length > 0;
    },
  };
}

async function change(
  store: PrivateStore,
  next: (batches: readonly CallBatch[]) => CallBatch[],
): Promise<void> {
  await store.update((state) => ({ ...state, batches: next(state.batches) }));
}

function isSame(one: BatchKey, other: BatchKey): boolean {
  return one.origin === other.origin && one.id === other.id;
}

function duplicate(id: string): CallsError {
  return new CallsError(
    'duplicate',
    `Calls with the id ${JSON.stringify(id.slice(0, 80))} were sent already. Choose another id.`,
  );
}
