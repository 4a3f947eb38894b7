// How far a long piece of work has come: each account that MetaMask is told of is a question
// to its user. Only one runs at a time. Kept in memory, since it ends with the worker.
import { LimitExceededError } from '../errors';

/** What is done of how much; `announcing` asks the user of MetaMask about each account. */
export type Progress = {
  phase: 'checking' | 'searching' | 'announcing';
  done: number;
  total: number;
};

/** What the work itself says and asks. */
export type ProgressPort = {
  report: (progress: Progress) => void;
  isCancelled: () => boolean;
};

/** Follows the work that runs. */
export type ProgressTracker = {
  /** @throws {LimitExceededError} If other work runs. */
  run: <Result>(work: (port: ProgressPort) => Promise<Result>) => Promise<Result>;
  /** Find how far the work has come; undefined if none runs. */
  find: () => Progress | undefined;
  /** Have the work end before its next account; answers whether some ran. */
  cancel: () => boolean;
};

/** Create a tracker. */
export function createProgressTracker(): ProgressTracker {
  let running: { progress: Progress; isCancelled: boolean } | undefined;
  return {
    run: async (work) => {
      if (running) {
        throw new LimitExceededError(
          'Accounts are being created or restored already; see tollkeeper_getProgress.',
        );
      }
      const own = {
        progress: { phase: 'checking', done: 0, total: 0 } as Progress,
        isCancelled: false,
      };
      running = own;
      try {
        return await work({
          report: (progress) => {
            own.progress = progress;
          },
          isCancelled: () => own.isCancelled,
        });
      } finally {
        running = undefined;
      }
    },
    find: () => running?.progress,
    cancel: () => {
      if (!running) return false;
      running.isCancelled = true;
      return true;
    },
  };
}
