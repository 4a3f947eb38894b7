// What is signed, byte for byte, behind a fold.
import { CollapsibleSection, Copyable } from '@metamask/snaps-sdk/jsx';
import type { CollapsibleSectionElement } from '@metamask/snaps-sdk/jsx';

import { toShownText } from '../format';
import type { Translate } from '../i18n';

/** Data as they are signed, or one of several parts of them. */
export type RawProps = {
  translate: Translate;
  value: string;
  /** From 1 on. */
  part: number;
  parts: number;
};

/** Draws raw data that can be copied. */
export function Raw({
  translate,
  value,
  part,
  parts,
}: RawProps): CollapsibleSectionElement {
  const title = translate('raw.title');
  return (
    <CollapsibleSection label={parts === 1 ? title : `${title} (${part}/${parts})`}>
      <Copyable value={toShownText(value).text} />
    </CollapsibleSection>
  );
}
