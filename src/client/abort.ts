// Waiting that can be given up.

/**
 * Wait for work, but no longer than until a signal.
 *
 * @param work - Goes on when the signal comes: it may not be possible to stop it.
 * @throws Whatever `work` throws, or the signal's reason.
 */
export async function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    work.finally(() => signal.removeEventListener('abort', stop)).then(resolve, reject);
  });
}
