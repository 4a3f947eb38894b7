/** @jsxImportSource preact */
// The section “Methods”.
import type { JSX } from 'preact';

import { Section } from '../components';

/** Draw the section. */
export function Methods(): JSX.Element {
  return (
    <Section id="methods" title="Methods" lead="">
      {null}
    </Section>
  );
}
