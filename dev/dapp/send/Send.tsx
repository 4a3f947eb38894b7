/** @jsxImportSource preact */
// The section “Send”: one call or several, and what became of them.
import type { JSX } from 'preact';

import { Section } from '../components';
import { SendBatch } from './SendBatch';
import { SendOne } from './SendOne';
import { SentList } from './SentList';
import { useEntries } from './use-entries';

/** Draw the section. */
export function Send(): JSX.Element {
  const { list, begin, change } = useEntries();
  return (
    <Section
      id="send"
      title="Send"
      lead="Fees are filled in and can be changed in MetaMask. Nothing is sent before you approve it there."
    >
      <div class="cards">
        <SendOne begin={begin} />
        <SendBatch begin={begin} />
      </div>
      <SentList list={list} change={change} />
    </Section>
  );
}
