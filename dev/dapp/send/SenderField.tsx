/** @jsxImportSource preact */
// Which account sends.
import type { JSX } from 'preact';

import { SelectField } from '../components';
import type { Senders } from './use-senders';

/** Draw the choice; without an account it says what to do. */
export function SenderField({ senders }: { senders: Senders }): JSX.Element {
  const { options, value, choose, sender } = senders;
  const none = [{ value: '', label: 'No account' }];
  return (
    <SelectField
      label="From"
      value={value}
      options={options.length === 0 ? none : options}
      isDisabled={options.length === 0}
      hint={findHint(sender)}
      onInput={choose}
    />
  );
}

function findHint(sender: Senders['sender']): string {
  if (!sender) return 'Create an account and connect this site to it first.';
  return sender.isSmart ? 'Sends user operations.' : 'Sends transactions.';
}
