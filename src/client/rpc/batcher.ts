// Collects what comes within one tick and passes it on in lots.

/**
 * Create a function that takes one item at a time.
 *
 * @param send - Takes a lot, in the order of the items; must not throw.
 * @param limit - Most items in a lot; what is beyond goes in further lots.
 */
export function createBatcher<Item>(
  send: (items: readonly Item[]) => void,
  limit: number,
): (item: Item) => void {
  let waiting: Item[] = [];
  const flush = (): void => {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += limit) {
      send(all.slice(start, start + limit));
    }
  };
  return (item) => {
    // A microtask: calls made together go together, and nobody waits for a timer. By a
    // promise, since a snap's worker has no queueMicrotask.
    if (waiting.length === 0) void Promise.resolve().then(flush);
    waiting.push(item);
  };
}
