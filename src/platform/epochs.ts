// Counts worker epochs: while an entry point runs, an epoch lasts. When the last one that runs ends,
// the platform drops pending work: a promise of an earlier epoch never settles, nor does
// what waits for it. Code that holds a lock, or shares its work, asks here whether it is still alive.
import type { Json } from '@metamask/utils';

/** Counts epochs. */
export type Epochs = {
  /** Runs an entry point. */
  during: <Result>(run: () => Promise<Result>) => Promise<Result>;
  /** The number of this epoch; promises of earlier epochs never settle. */
  current: () => number;
};

/** Creates the count; one a worker. */
export function createEpochs(): Epochs {
  let running = 0;
  let epoch = 0;
  return {
    during: async (run) => {
      running += 1;
      try {
        return await run();
      } finally {
        running -= 1;
        if (running === 0) epoch += 1;
      }
    },
    current: () => epoch,
  };
}

/** Drops what JSON has no place for, such as undefined fields; a bigint throws. */
export function toJson(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
}
