/** Wraps a function so that concurrent callers share one call. */
export function coalesce<Value>(run: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined;
  return async () =>
    (running ??= run().finally(() => {
      running = undefined;
    }));
}
