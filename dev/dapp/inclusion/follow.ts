// Following what was sent until it is settled. Nothing is asked while nobody looks.
import { findInclusion } from './find-inclusion';
import type { Inclusion, Sent } from './find-inclusion';

/** Time between two questions, in ms. */
const INTERVAL_MS = 1_000;

/** What following needs. */
export type FollowTools = {
  request: (args: { method: string; params?: unknown }) => Promise<unknown>;
  /** Ends it. */
  signal: AbortSignal;
};

/**
 * Follow something.
 *
 * @returns What became of it; `pending` if the signal ended it before.
 * @throws What the provider says, if it cannot tell; a single failure is passed over.
 */
export async function follow(
  sent: Sent,
  { request, signal }: FollowTools,
): Promise<Inclusion> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const inclusion = await findInclusion(sent, request);
      if (inclusion.state !== 'pending') return inclusion;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures > 3) throw error;
    }
    await pause(signal);
    await untilVisible(signal);
  }
  return { state: 'pending' };
}

/**
 * Follow transactions of which only one can be included.
 *
 * @returns What became of the one that was, and which; of the last, if none was.
 */
export async function followAny(
  candidates: readonly Sent[],
  tools: FollowTools,
): Promise<{ inclusion: Inclusion; index: number }> {
  const fates: Inclusion[] = [];
  const one = async (sent: Sent, index: number): Promise<number> => {
    const fate = await follow(sent, tools);
    fates[index] = fate;
    if (fate.state === 'replaced' || fate.state === 'dropped') throw new Error('Out.');
    return index;
  };
  const last = candidates.length - 1;
  const index = await Promise.any(candidates.map(one)).catch(() => last);
  return { inclusion: fates[index] ?? { state: 'unknown' }, index };
}

/** Say what became of something. */
export function describeInclusion({ state, block }: Inclusion): string {
  if (state === 'pending') return 'Sent. Waiting for a block …';
  if (state === 'replaced') return 'Replaced by another transaction.';
  if (state === 'unknown') return 'Nobody could say what became of it.';
  if (state === 'dropped') return 'Dropped: the network does not know it any more.';
  const place = block === undefined ? '' : ` in block ${block}`;
  return state === 'included' ? `Included${place}.` : `Failed${place}.`;
}

async function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, INTERVAL_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function untilVisible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', done);
      resolve();
    };
    document.addEventListener('visibilitychange', done);
    signal.addEventListener('abort', done);
  });
}
