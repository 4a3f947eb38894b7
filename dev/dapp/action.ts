// An action of the user: its progress and its outcome.
import { useCallback, useState } from 'preact/hooks';

export type Outcome = {
  state: 'idle' | 'busy' | 'done' | 'failed';
  text: string;
  code?: number;
};

export type Action = {
  outcome: Outcome;
  isBusy: boolean;
  /** Runs the work and shows its result, as JSON unless it is a text. Never fails. */
  run: (work: () => Promise<unknown>) => Promise<void>;
};

export function useAction(): Action {
  const [outcome, show] = useState<Outcome>({ state: 'idle', text: '' });
  const run = useCallback(async (work: () => Promise<unknown>) => {
    show({ state: 'busy', text: 'Waiting for MetaMask …' });
    try {
      const result = await work();
      const text =
        typeof result === 'string' ? result : JSON.stringify(result, null, 2);
      show({ state: 'done', text });
    } catch (error) {
      show(toFailure(error));
    }
  }, []);
  return { outcome, isBusy: outcome.state === 'busy', run };
}

export function toFailure(thrown: unknown): Outcome {
  const { code, message } = Object(thrown) as { code?: unknown; message?: unknown };
  return {
    state: 'failed',
    text: typeof message === 'string' && message !== '' ? message : String(thrown),
    ...(typeof code === 'number' ? { code } : {}),
  };
}
