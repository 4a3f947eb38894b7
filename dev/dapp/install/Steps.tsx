/** @jsxImportSource preact */
// The way from nothing to a signature, and how far the user is on it.
import type { JSX } from 'preact';

import { useSession } from '../session';

/** Draw the steps. */
export function Steps(): JSX.Element {
  const { status, accounts, granted } = useSession();
  const state = status?.state ?? 'no-metamask';
  const hasFlask = !['no-metamask', 'no-flask'].includes(state);
  const steps = [
    ['MetaMask Flask', hasFlask],
    ['The snap', state === 'ready'],
    ['An account', accounts.length > 0],
    ['Connected', granted.length > 0],
  ] as const;
  const next = steps.findIndex(([, isDone]) => !isDone);
  return (
    <ol class="steps">
      {steps.map(([name, isDone], index) => (
        <li
          key={name}
          class={isDone ? 'done' : 'open'}
          aria-current={status && index === next ? 'step' : undefined}
        >
          <span class="step-mark" aria-hidden="true">
            {isDone ? '✓' : index + 1}
          </span>
          {name}
          <span class="hidden">{isDone ? ': done' : ': to do'}</span>
        </li>
      ))}
    </ol>
  );
}
