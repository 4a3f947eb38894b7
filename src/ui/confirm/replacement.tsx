// What a replacement takes the place of, and that only one of both is included.
import { Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { SectionElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../../eth/hex';
import type { Transaction } from '../../eth/transaction';
import { maxPriceOf } from '../../eth/transaction-cost';
import { Field } from '../components/Field';
import { toShownFee } from '../format';
import type { TextKey, Translate } from '../i18n';
import { info, warning } from '../notice';
import type { Notice } from '../notice';

/** A transaction that is to be replaced. */
export type Replacement = {
  action: 'speedUp' | 'cancel';
  /** The pending transaction. */
  hash: Hex;
  transaction: Transaction;
};

/** Titles of the dialogs that replace a transaction. */
export const replacementTitles = {
  speedUp: 'transaction.speedUp',
  cancel: 'transaction.cancel',
} as const satisfies Record<Replacement['action'], TextKey>;

/** Say what becomes of both. */
export function noticeReplacement(
  { action }: Replacement,
  translate: Translate,
): Notice[] {
  return action === 'cancel'
    ? [warning(translate('replacement.cancel'))]
    : [info(translate('replacement.speedUp'))];
}

/** Draw which transaction is replaced, and what it would have paid. */
export function drawReplacement(
  { hash, transaction }: Replacement,
  translate: Translate,
): SectionElement {
  return (
    <Section>
      <Row label={translate('field.replaces')}>
        <Text>{hash}</Text>
      </Row>
      <Field
        label={translate('field.replacedFee')}
        value={toShownFee(maxPriceOf(transaction), translate)}
      />
    </Section>
  );
}
