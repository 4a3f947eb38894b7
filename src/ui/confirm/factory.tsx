// Asking whether a smart account of an unknown factory is to be created.
import { Address, Row, Section } from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../../eth/hex';
import type { EntryPointVersion } from '../../eth/user-operation';
import { Confirmation } from '../components/Confirmation';
import { Field } from '../components/Field';
import type { Translate } from '../i18n';
import { warning } from '../warnings';

/** A smart account that is about to be created. */
export type FactoryView = {
  translate: Translate;
  origin: string;
  account: Hex;
  name: string;
  /** The first of its chains, CAIP-2: its factory was asked there. */
  chain: string | undefined;
  owner: Hex;
  entryPoint: EntryPointVersion;
  factory: Hex;
};

/** Draw the question. */
export function FactoryConfirmation(view: FactoryView): JSXElement {
  const { translate, origin, account, name, chain, owner, entryPoint, factory } = view;
  return (
    <Confirmation
      translate={translate}
      title="factory.title"
      approve="create.go"
      origin={origin}
      account={account}
      chain={chain}
      warnings={[warning('factory.unknown')]}
    >
      <Section>
        <Field label={translate('field.name')} value={name} />
        <Row label={translate('field.factory')}>
          <Address address={factory} />
        </Row>
        <Field label={translate('field.entryPoint')} value={entryPoint} />
        <Row label={translate('field.owner')}>
          <Address address={owner} />
        </Row>
      </Section>
    </Confirmation>
  );
}
