// Stops waiting at a time limit or when a signal aborts.
import { UnavailableError } from '../../../src/core/errors';

/** Waits for work; rejects with the signal's reason on abort. The work may continue. */
export async function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.finally(() => signal.removeEventListener('abort', stop)).then(resolve, reject);
  });
}

/** Runs a function with a time limit in ms. On expiry it aborts the function's signal and throws
 * the error from `toError`. */
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

/** Like {@link withTimeLimit}, but returns undefined if the function fails or takes too long. */
export async function tryInTime<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  ms: number,
): Promise<Result | undefined> {
  return withTimeLimit(run, ms).catch(() => undefined);
}

/** Returns a signal that aborts after `ms` or with the given signal. Always call `clear`, which
 * aborts it, too. */
export function startDeadline(
  ms: number,
  signal: AbortSignal | undefined,
): { signal: AbortSignal; clear: () => void } {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  const timer = setTimeout(stop, ms);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  return {
    signal: abort.signal,
    clear: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      stop();
    },
  };
}
