// An action of the user: its progress, and what came of it.
import { useCallback, useRef, useState } from 'preact/hooks';

/** An error as it is shown. */
export type Failure = { code?: number; message: string };

/** What came of an action. */
export type Outcome =
  | { state: 'idle' }
  | { state: 'busy'; text: string }
  | { state: 'done'; text: string }
  | { state: 'failed'; failure: Failure };

/** An action with its last outcome. */
export type Action = {
  outcome: Outcome;
  isBusy: boolean;
  /** Runs the work and shows its result, as JSON unless it is a text. Never fails. */
  run: (work: () => Promise<unknown>) => Promise<void>;
  reset: () => void;
};

/** Keeps an action. Only the outcome of the run that began last is shown. */
export function useAction(waiting = 'Waiting for MetaMask …'): Action {
  const [outcome, setOutcome] = useState<Outcome>({ state: 'idle' });
  const round = useRef(0);
  const run = useCallback(
    async (work: () => Promise<unknown>) => {
      const own = (round.current += 1);
      const show = (next: Outcome): void => {
        if (own === round.current) setOutcome(next);
      };
      show({ state: 'busy', text: waiting });
      try {
        show({ state: 'done', text: toText(await work()) });
      } catch (error) {
        show({ state: 'failed', failure: toFailure(error) });
      }
    },
    [waiting],
  );
  const reset = useCallback(() => {
    round.current += 1;
    setOutcome({ state: 'idle' });
  }, []);
  return { outcome, isBusy: outcome.state === 'busy', run, reset };
}

/** Describes whatever was thrown. */
export function toFailure(thrown: unknown): Failure {
  const { code, message } = Object(thrown) as { code?: unknown; message?: unknown };
  return {
    ...(typeof code === 'number' ? { code } : {}),
    message: typeof message === 'string' && message !== '' ? message : String(thrown),
  };
}

/** Writes a value: texts as they are, anything else as JSON with bigints in hex. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  const replace = (_name: string, each: unknown): unknown =>
    typeof each === 'bigint' ? `0x${each.toString(16)}` : each;
  return JSON.stringify(value, replace, 2) ?? '';
}
