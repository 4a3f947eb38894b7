/** @jsxImportSource preact */
// What was sent from this page, and where it stands.
import type { JSX } from 'preact';

import { Card } from '../components';
import { SentRow } from './SentRow';
import type { Entries } from './use-entries';

/** Draw the list, newest first. */
export function SentList({
  list,
  change,
}: Pick<Entries, 'list' | 'change'>): JSX.Element {
  return (
    <Card title="Sent from this page">
      {list.length === 0 && <p class="soft sent-none">Nothing yet.</p>}
      <ul class="sent" aria-live="polite" aria-label="Sent from this page">
        {list.map((entry) => (
          <SentRow key={entry.id} entry={entry} change={change} />
        ))}
      </ul>
    </Card>
  );
}
