// Time for a snap that runs in this process: while everything that it asked is answered, and
// its caller still waits, nothing but a timer can go on, so the clock moves to the next one.
import type { World } from '../wallet/in-process';

/** How something ended; `waits` if nothing that the snap does can end it any more. */
export type Ending = { result: unknown } | { error: unknown } | { waits: true };

/** Longest that is waited for, in ms of the snap's clock. */
const PATIENCE_MS = 10 * 60_000;

/** How often a wallet is waited for in which nothing happens, ten milliseconds each. */
const IDLE_ROUNDS = 150;

/** Turns of the event loop in which nothing happens until nothing will. */
const QUIET_TURNS = 8;

/** Let time pass until something ends. */
export async function drive(
  running: Promise<unknown>,
  { time, asking }: World,
  countHung: () => number,
): Promise<Ending> {
  let ending: Ending | undefined;
  running.then(
    (result) => (ending = { result }),
    (error: unknown) => (ending = { error }),
  );
  const limit = time.now() + PATIENCE_MS;
  let quiet = 0;
  let idle = 0;
  const read = (): Ending | undefined => ending;
  while (!read() && time.now() < limit) {
    await new Promise(setImmediate);
    quiet = asking.count > countHung() ? 0 : quiet + 1;
    if (quiet < QUIET_TURNS) continue;
    quiet = 0;
    const next = time.next();
    if (next !== undefined) time.moveTo(Math.min(next, limit));
    // The wallet's own timers go on by themselves.
    else if (idle < IDLE_ROUNDS) idle += await rest();
    else break;
  }
  return read() ?? { waits: true };
}

/** Wait until nothing is asked any more, and something is so. */
export async function untilQuiet(
  { asking }: World,
  isSo: () => boolean,
): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS;) {
    await new Promise(setImmediate);
    quiet = asking.count === 0 && isSo() ? quiet + 1 : 0;
  }
}

async function rest(): Promise<1> {
  return new Promise((resolve) => setTimeout(() => resolve(1), 10));
}
