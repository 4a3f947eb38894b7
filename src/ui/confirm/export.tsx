// Asking whether a page may have an account's private key. The key itself is never shown.
import { Address, Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../../eth/hex';
import { Confirmation } from '../components/Confirmation';
import { Field } from '../components/Field';
import type { Translate } from '../i18n';
import { danger } from '../warnings';

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
      warnings={[danger('export.warning')]}
    >
      <Section>
        <Field label={translate('field.name')} value={name} />
        {owner ? (
          <Row label={translate('field.owner')}>
            <Address address={owner} />
          </Row>
        ) : null}
      </Section>
      <Text>{translate('export.meaning')}</Text>
    </Confirmation>
  );
}
