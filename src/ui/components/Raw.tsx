// What is signed, byte for byte, behind a fold.
import { CollapsibleSection, Copyable } from '@metamask/snaps-sdk/jsx';
import type { CollapsibleSectionElement } from '@metamask/snaps-sdk/jsx';

import { toShownText } from '../format';
import type { Translate } from '../i18n';

/** Draw raw data that can be copied. */
export function Raw({
  translate,
  value,
}: {
  translate: Translate;
  value: string;
}): CollapsibleSectionElement {
  return (
    <CollapsibleSection label={translate('raw.title')}>
      <Copyable value={toShownText(value).text} />
    </CollapsibleSection>
  );
}
