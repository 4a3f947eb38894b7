// Asking which accounts a site may see: a box for each, chosen are those it
// has already, and the only one.
import { Checkbox, Text } from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { Confirmation } from '../components/Confirmation';
import type { Translate } from '../i18n';

/** An account to choose. */
export type AccountChoice = { id: string; label: string; isChosen: boolean };

/** A site that asks for accounts. */
export type ConnectView = {
  translate: Translate;
  origin: string;
  accounts: readonly AccountChoice[];
};

/** Draw the choice of accounts; each box is named by its account's id. */
export function ConnectConfirmation(view: ConnectView): JSXElement {
  const { translate, origin, accounts } = view;
  return (
    <Confirmation
      translate={translate}
      title="connect.title"
      approve="action.connect"
      origin={origin}
    >
      <Text>{translate('connect.choose')}</Text>
      {accounts.map(({ id, label, isChosen }) => (
        <Checkbox name={id} label={label} checked={isChosen || accounts.length === 1} />
      ))}
    </Confirmation>
  );
}
