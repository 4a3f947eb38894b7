/** @jsxImportSource preact */
// Buttons. One that works keeps its width, its name and the focus.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** What a button is given. */
export type ButtonProps = {
  children: ComponentChildren;
  /** The one thing to do here, one of several, a dangerous one, or one beside a text. */
  kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  type?: 'button' | 'submit';
  isBusy?: boolean;
  isDisabled?: boolean;
  onClick?: () => unknown;
  /** Its name where its text alone does not say enough. */
  label?: string;
};

/** Draw a button; while it is busy a click does nothing. */
export function Button(props: ButtonProps): JSX.Element {
  const { children, kind = 'plain', type = 'button', label } = props;
  const { isBusy = false, isDisabled = false, onClick } = props;
  const click = (event: Event): void => {
    if (isBusy) event.preventDefault();
    else onClick?.();
  };
  return (
    <button
      class={`button ${kind}`}
      type={type}
      aria-label={label}
      aria-busy={isBusy}
      disabled={isDisabled}
      onClick={click}
    >
      <span class="button-text">{children}</span>
    </button>
  );
}

const COPIED_MS = 2_000;

/** Draw a button that copies a text. */
export function CopyButton({
  text,
  label,
}: {
  text: string;
  label: string;
}): JSX.Element {
  const [said, say] = useState<'Copy' | 'Copied' | 'Failed'>('Copy');
  useEffect(() => {
    if (said === 'Copy') return undefined;
    const timer = setTimeout(() => say('Copy'), COPIED_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text).then(
      () => say('Copied'),
      () => say('Failed'),
    );
  };
  return (
    <button
      class="button quiet copy"
      type="button"
      aria-label={`${said} ${label}`}
      onClick={() => void copy()}
    >
      <span class="button-text">{said}</span>
    </button>
  );
}
