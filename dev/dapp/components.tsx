/** @jsxImportSource preact */
// What the page is made of: steps, buttons, choices, and the outcomes of actions.
import { createContext, type ComponentChildren, type JSX } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';

import type { Outcome } from './action';

/** The number of the step that is drawn. */
export const StepNumber = createContext(0);

/** A step of the page, with its number or a mark that it is done. */
export function Step(props: {
  title: string;
  lead: ComponentChildren;
  isDone?: boolean;
  children: ComponentChildren;
}): JSX.Element {
  const { title, lead, isDone = false, children } = props;
  const number = useContext(StepNumber);
  const id = useId();
  return (
    <li class={isDone ? 'step done' : 'step'}>
      <section aria-labelledby={id}>
        <h2 id={id}>
          <span class="mark" aria-hidden="true">
            {isDone ? '✓' : number}
          </span>
          {title}
          {isDone && <span class="hidden"> (done)</span>}
        </h2>
        <p class="lead">{lead}</p>
        {children}
      </section>
    </li>
  );
}

export function Button(props: {
  children: ComponentChildren;
  isMain?: boolean;
  isBusy?: boolean;
  isDisabled?: boolean;
  onClick: () => unknown;
  /** Its accessible name, where its text alone does not say enough. */
  label?: string;
}): JSX.Element {
  const { isMain = false, isBusy = false, isDisabled = false } = props;
  return (
    <button
      type="button"
      class={isMain ? 'button main' : 'button'}
      aria-label={props.label}
      aria-busy={isBusy}
      disabled={isDisabled}
      onClick={() => isBusy || props.onClick()}
    >
      {props.children}
    </button>
  );
}

export function Choice(props: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}): JSX.Element {
  return (
    <label class="field">
      {props.label}
      <select
        value={props.value}
        onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
      >
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The outcome of an action, which screen readers announce. Data can be copied. */
export function Output(props: { outcome: Outcome; label: string }): JSX.Element {
  const { label } = props;
  const { state, text, code } = props.outcome;
  const isData = state === 'done' && /^(?:[[{"]|0x|null|true|false)/u.test(text);
  return (
    <div class={`output ${state}`}>
      {/* Long data is scrolled with the keyboard. */}
      <output
        aria-live="polite"
        aria-label={label}
        tabIndex={isData ? 0 : undefined}
        class={isData ? 'mono' : undefined}
      >
        {state === 'failed' && <strong>{code ?? 'Error'}: </strong>}
        <span>{text}</span>
      </output>
      {isData && <Copy text={text} label={label} />}
    </div>
  );
}

function Copy({ text, label }: { text: string; label: string }): JSX.Element {
  const [word, setWord] = useState('Copy');
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (): Promise<void> => {
    setWord(
      await navigator.clipboard.writeText(text).then(
        () => 'Copied',
        () => 'Failed',
      ),
    );
    timer.current = setTimeout(() => setWord('Copy'), 2_000);
  };
  return (
    <Button label={`${word}: ${label}`} onClick={() => void copy()}>
      {word}
    </Button>
  );
}
