// What a transaction takes the place of, and that only one of both is included.
import { Row, Section, Text } from '@metamask/snaps-sdk/jsx';
import type { SectionElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../../eth/hex';
import { maxPriceOf } from '../../eth/transaction';
import type { Transaction } from '../../eth/transaction';
import type { SentTransaction } from '../../state/sent-transaction';
import { Field } from '../components/Field';
import { toShownFee, toShownLine } from '../format';
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

/** A transaction of the account that has the same nonce and can still be included. */
export type Rival = Pick<SentTransaction, 'hash' | 'origin' | 'status'>;

/** Say that a transaction takes the place of another, whoever asked for that one. */
export function noticeRival(
  { hash, origin, status }: Rival,
  translate: Translate,
): Notice {
  const values = { hash, origin: toShownLine(origin) };
  return status === 'pending'
    ? warning(translate('replacement.pending', values))
    : info(translate('replacement.lost', values));
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
