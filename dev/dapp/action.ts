// An action of the user: its progress and its outcome.
import { useState } from 'preact/hooks';

export type Outcome = {
  state: 'idle' | 'busy' | 'done' | 'failed';
  text: string;
  code?: number;
};

export type Action<Args extends unknown[]> = {
  outcome: Outcome;
  isBusy: boolean;
  /** Runs the work and shows its result, as JSON unless it is a text. Never fails. */
  run: (...args: Args) => Promise<void>;
};

export function useAction<Args extends unknown[]>(
  work: (...args: Args) => Promise<unknown>,
): Action<Args> {
  const [outcome, show] = useState<Outcome>({ state: 'idle', text: '' });
  const run = async (...args: Args): Promise<void> => {
    show({ state: 'busy', text: 'Waiting for MetaMask …' });
    try {
      const result = await work(...args);
      const text =
        typeof result === 'string' ? result : JSON.stringify(result, null, 2);
      show({ state: 'done', text });
    } catch (error) {
      show(toFailure(error));
    }
  };
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
