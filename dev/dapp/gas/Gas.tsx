/** @jsxImportSource preact */
// The section “Gas”.
import type { JSX } from 'preact';

import { Section } from '../components';

/** Draw the section. */
export function Gas(): JSX.Element {
  return (
    <Section id="gas" title="Gas" lead="">
      {null}
    </Section>
  );
}
