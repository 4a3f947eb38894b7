/** @jsxImportSource preact */
// The section “Install”.
import type { JSX } from 'preact';

import { Section } from '../components';

/** Draw the section. */
export function Install(): JSX.Element {
  return (
    <Section id="install" title="Install" lead="">
      {null}
    </Section>
  );
}
