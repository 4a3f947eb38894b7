// An action of the user: that it runs, what came of it.
import { useCallback, useRef, useState } from 'preact/hooks';

/** What went wrong, as it is shown. */
export type Failure = { code?: number; message: string };

/** What came of an action. */
export type Outcome =
  | { state: 'idle' }
  | { state: 'busy'; text: string }
  | { state: 'done'; text: string }
  | { state: 'failed'; failure: Failure };

/** An action with what came of it last. */
export type Action = {
  outcome: Outcome;
  isBusy: boolean;
  /** Do it; what it answers is shown, JSON where it is no text. Never fails. */
  run: (work: () => Promise<unknown>) => Promise<void>;
  reset: () => void;
};

const idle: Outcome = { state: 'idle' };

const WAITING = 'Waiting for MetaMask …';

/** Keep an action. Only what was begun last is shown. */
export function useAction(waiting = WAITING): Action {
  const [outcome, setOutcome] = useState<Outcome>(idle);
  const round = useRef(0);
  const run = useCallback(
    async (work: () => Promise<unknown>) => {
      const own = (round.current += 1);
      const tell = (next: Outcome): void => {
        if (own === round.current) setOutcome(next);
      };
      tell({ state: 'busy', text: waiting });
      try {
        tell({ state: 'done', text: toText(await work()) });
      } catch (error) {
        tell({ state: 'failed', failure: toFailure(error) });
      }
    },
    [waiting],
  );
  const reset = useCallback(() => {
    round.current += 1;
    setOutcome(idle);
  }, []);
  return { outcome, isBusy: outcome.state === 'busy', run, reset };
}

/** Make what is shown of whatever was thrown. */
export function toFailure(thrown: unknown): Failure {
  const { code, message } = Object(thrown) as { code?: unknown; message?: unknown };
  return {
    ...(typeof code === 'number' ? { code } : {}),
    message: typeof message === 'string' && message !== '' ? message : String(thrown),
  };
}

/** Write a value as it is shown: texts as they are, all else as JSON. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, withBigints, 2) ?? '';
}

function withBigints(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `0x${value.toString(16)}` : value;
}
