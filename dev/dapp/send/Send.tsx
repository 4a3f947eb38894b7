/** @jsxImportSource preact */
// The section “Send”.
import type { JSX } from 'preact';

import { Section } from '../components';

/** Draw the section. */
export function Send(): JSX.Element {
  return (
    <Section id="send" title="Send" lead="">
      {null}
    </Section>
  );
}
