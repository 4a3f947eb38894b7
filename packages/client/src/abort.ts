// Waiting that can be given up.
import { UnavailableError } from '../../../src/errors';

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

/**
 * Run something, but wait no longer than so many milliseconds.
 *
 * @param run - Gets a signal that comes when the time is over; it heeds it where it can.
 * @param toError - Makes the error for that, an {@link UnavailableError} by default.
 * @throws That error if it takes longer; else whatever `run` throws.
 */
export async function withTimeLimit<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  ms: number,
  toError = (): Error => new UnavailableError(`It took longer than ${ms} ms.`),
): Promise<Result> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(toError()), ms);
  try {
    return await unlessAborted(run(abort.signal), abort.signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Starts a time limit that also ends with a signal.
 *
 * @returns The signal of both, which has to be cleared in the end.
 */
export function startDeadline(
  ms: number,
  signal: AbortSignal | undefined,
): { signal: AbortSignal; clear: () => void } {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  const timer = setTimeout(stop, ms);
  signal?.addEventListener('abort', stop);
  return {
    signal: abort.signal,
    clear: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}
