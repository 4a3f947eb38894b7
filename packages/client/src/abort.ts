// Waiting that can be given up.
import { UnavailableError } from '../../../src/core/errors';

/** Waits for work until a signal comes, whose reason is thrown then. The work may go on. */
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

/** Runs something with a time limit in ms. When the time is over, its signal comes, and what `toError`
 * makes is thrown. */
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

/** Runs something as {@link withTimeLimit} does; undefined if it fails, or takes longer. */
export async function tryInTime<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  ms: number,
): Promise<Result | undefined> {
  return withTimeLimit(run, ms).catch(() => undefined);
}

/** Starts a time limit that also ends with a signal. `clear` has to be called: it gives up the rest. */
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
      stop();
    },
  };
}
