/** @jsxImportSource preact */
// MetaMask's requests that wait for their user here, and how such requests are treated.
import type { JSX } from 'preact';

import { Section } from '../components';
import { Settings } from './Settings';
import { Waiting } from './Waiting';

/** Draw the section. */
export function Requests(): JSX.Element {
  return (
    <Section
      id="requests"
      title="Requests"
      lead="In asynchronous mode MetaMask sends you here: what it asks to be signed waits until you decide."
    >
      <div class="cards">
        <Waiting />
        <Settings />
      </div>
    </Section>
  );
}
