// Asking whether a page may change what Tollkeeper is set to: each value as it is, and as it
// would be.
import { Bold, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { JSXElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { Confirmation } from '../components/Confirmation';
import { Field } from '../components/Field';
import { toShownLine } from '../format';
import type { TextKey, Translate } from '../i18n';
import { warning } from '../warnings';

/** A value that would change; neither side holds a secret. */
export type ShownChange = { label: TextKey; before: string; after: string };

/** A page that wants to change something. */
export type ChangesView = {
  translate: Translate;
  title: TextKey;
  origin: string;
  /** CAIP-2, of a change that concerns one network. */
  chain?: string;
  /** Whether the factory of smart accounts is one that is not known. */
  isFactoryUnknown?: boolean;
  changes: readonly ShownChange[];
};

/** Draw the question. */
export function ChangesConfirmation(view: ChangesView): JSXElement {
  const { translate, title, origin, chain, isFactoryUnknown = false, changes } = view;
  return (
    <Confirmation
      translate={translate}
      title={title}
      approve="settings.save"
      origin={origin}
      chain={chain}
      warnings={isFactoryUnknown ? [warning('factory.unknown')] : []}
    >
      <Text>{translate('change.meaning')}</Text>
      {changes.map((change) => drawChange(change, translate))}
    </Confirmation>
  );
}

function drawChange(
  { label, before, after }: ShownChange,
  translate: Translate,
): SectionElement {
  return (
    <Section>
      <Text>
        <Bold>{translate(label)}</Bold>
      </Text>
      <Field label={translate('change.before')} value={toShownLine(before)} />
      <Field label={translate('change.after')} value={toShownLine(after)} />
    </Section>
  );
}
