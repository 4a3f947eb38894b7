/** @jsxImportSource preact */
// A text to copy: a request, a program.
import type { JSX } from 'preact';

import { CopyButton } from './Button';

/** Draw a block of code; one can move through it by keys where it is longer than its place. */
export function Code({ text, label }: { text: string; label: string }): JSX.Element {
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}
