/** @jsxImportSource preact */
// The section “Accounts”.
import type { JSX } from 'preact';

import { Section } from '../components';

/** Draw the section. */
export function Accounts(): JSX.Element {
  return (
    <Section id="accounts" title="Accounts" lead="">
      {null}
    </Section>
  );
}
