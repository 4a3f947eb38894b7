/** @jsxImportSource preact */
// The section “Requests”.
import type { JSX } from 'preact';

import { Section } from '../components';

/** Draw the section. */
export function Requests(): JSX.Element {
  return (
    <Section id="requests" title="Requests" lead="">
      {null}
    </Section>
  );
}
