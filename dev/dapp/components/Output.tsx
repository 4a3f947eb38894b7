/** @jsxImportSource preact */
// What came of an action, where a reader hears of it.
import type { JSX } from 'preact';

import { CopyButton } from './Button';
import type { Outcome } from './action';

/**
 * Draw an outcome. Its place is kept while there is none, so that nothing moves.
 *
 * @param label - What it is the answer of: names the region and what is copied.
 */
export function Output({
  outcome,
  label,
}: {
  outcome: Outcome;
  label: string;
}): JSX.Element {
  const text = describe(outcome);
  return (
    <div class={`output ${outcome.state}`}>
      <output
        aria-live="polite"
        aria-label={label}
        // What is longer than its place is scrolled by keys.
        tabIndex={outcome.state === 'done' && isData(text) ? 0 : undefined}
      >
        {outcome.state === 'failed' && (
          <strong class="output-code">{outcome.failure.code ?? 'Error'}: </strong>
        )}
        {text !== '' && (
          <span class={isData(text) ? 'output-data' : undefined}>{text}</span>
        )}
      </output>
      {outcome.state === 'done' && isData(text) && (
        <CopyButton text={text} label={label} />
      )}
    </div>
  );
}

function describe(outcome: Outcome): string {
  if (outcome.state === 'idle') return '';
  return outcome.state === 'failed' ? outcome.failure.message : outcome.text;
}

// What programs read, and people copy: JSON, hex.
function isData(text: string): boolean {
  return /^(?:[[{"]|0x[\da-f]+$)/u.test(text);
}
