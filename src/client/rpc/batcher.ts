// Collects the calls of one tick and sends them as one batch. Answers are matched by id:
// servers may answer in any order, and position says nothing.

/** Sends the collected calls; resolves to one outcome a call, in the order of calls. */
type Send<Call, Outcome> = (calls: readonly Call[]) => Promise<readonly Outcome[]>;

type Waiting<Call, Outcome> = {
  call: Call;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
};

/**
 * Create a function that takes one call and answers when its batch did.
 *
 * @param send - Sends one batch. If it rejects, every call of that batch rejects.
 * @param limit - Most calls in a batch; what is beyond goes in further batches.
 */
export function createBatcher<Call, Outcome>(
  send: Send<Call, Outcome>,
  limit: number,
): (call: Call) => Promise<Outcome> {
  let waiting: Waiting<Call, Outcome>[] = [];

  const flush = (): void => {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += limit) {
      void sendBatch(all.slice(start, start + limit), send);
    }
  };

  return (call) =>
    new Promise((resolve, reject) => {
      // A microtask: calls made together go together, and nobody waits for a timer. By a
      // promise, since a snap's worker has no queueMicrotask.
      if (waiting.length === 0) void Promise.resolve().then(flush);
      waiting.push({ call, resolve, reject });
    });
}

async function sendBatch<Call, Outcome>(
  batch: readonly Waiting<Call, Outcome>[],
  send: Send<Call, Outcome>,
): Promise<void> {
  try {
    const outcomes = await send(batch.map(({ call }) => call));
    batch.forEach(({ resolve }, index) => resolve(outcomes[index] as Outcome));
  } catch (error) {
    batch.forEach(({ reject }) => reject(error));
  }
}
