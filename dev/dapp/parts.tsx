/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';

type Outcome = { state: 'idle' | 'busy' | 'done' | 'failed'; text: string };

export type Action<Args extends unknown[]> = {
  outcome: Outcome;
  /** Runs the work and shows its result: strings unchanged, other values as JSON. Never rejects. */
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
  return { outcome, run };
}

export function toFailure(thrown: unknown): Outcome {
  const { code = 'Error', message } = Object(thrown) as Record<string, unknown>;
  return { state: 'failed', text: `${String(code)}: ${String(message ?? thrown)}` };
}

export function Step(props: {
  title: string;
  lead: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  const id = useId();
  return (
    <li>
      <section aria-labelledby={id}>
        <h2 id={id}>{props.title}</h2>
        <p>{props.lead}</p>
        {props.children}
      </section>
    </li>
  );
}

export function Button(props: {
  children: ComponentChildren;
  isDisabled?: boolean;
  onClick: () => unknown;
  /** Accessible name, if the text alone is not enough. */
  label?: string;
}): JSX.Element {
  return (
    <button
      type="button"
      aria-label={props.label}
      disabled={props.isDisabled}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  );
}

/** Screen readers announce the outcome, and the keyboard can scroll it. */
export function Output(props: { outcome: Outcome; label: string }): JSX.Element {
  const { state, text } = props.outcome;
  return (
    <output
      class={state}
      aria-live="polite"
      aria-label={props.label}
      tabIndex={text === '' ? undefined : 0}
    >
      {text}
    </output>
  );
}
