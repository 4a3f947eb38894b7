// Asking whether a page may have an account's private key. The key itself is never shown.
import { Text } from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../../eth/hex';
import { Confirmation } from '../components/Confirmation';
import { Field } from '../components/Field';
import type { Translate } from '../i18n';
import { danger } from '../notice';

/** An account whose key is asked for. */
export type ExportView = {
  translate: Translate;
  origin: string;
  account: Hex;
  name: string;
  /** Owner of a smart account: its key is the one that is given away. */
  owner?: Hex | undefined;
};

/** Draw the question. */
export function ExportConfirmation(view: ExportView): JSXElement {
  const { translate, origin, account, name, owner } = view;
  return (
    <Confirmation
      translate={translate}
      title="export.title"
      approve="action.export"
      origin={origin}
      account={account}
      notices={[danger(translate('export.warning'))]}
    >
      <Field label={translate('field.name')} value={name} />
      {owner ? <Field label={translate('field.owner')} value={owner} /> : null}
      <Text>{translate('export.meaning')}</Text>
    </Confirmation>
  );
}
