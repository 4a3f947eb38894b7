/** @jsxImportSource preact */
// Whether an answer is right, in words and with a mark.
import type { JSX } from 'preact';

import { Pill } from '../components';
import type { Look } from './use-asking';

/** Draw what a look at an answer found; its place is kept while there is nothing. */
export function Verified({ look, label }: { look: Look; label: string }): JSX.Element {
  return (
    <p class="verified" role="status" aria-label={label}>
      {draw(look)}
    </p>
  );
}

function draw(look: Look): JSX.Element | string {
  if (look === 'none') return 'The answer will be verified here.';
  if (look === 'looking') return 'Verifying …';
  const { isRight, text } = look;
  if (isRight === undefined) return text;
  return (
    <>
      <Pill tone={isRight ? 'good' : 'bad'}>{isRight ? 'Right' : 'Wrong'}</Pill> {text}
    </>
  );
}
