// One transaction or user operation that was sent, in full, with what can still be done.
import {
  Address,
  Box,
  Button,
  Copyable,
  Heading,
  Row,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { BoxElement } from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../../eth/hex';
import { Field } from '../components/Field';
import {
  toShownChain,
  toShownCoins,
  toShownCount,
  toShownFee,
  toShownLine,
  toShownTime,
} from '../format';
import type { TextKey, Translate } from '../i18n';
import { stateKeys } from '../sent-states';
import { drawCost } from './sent-summary';
import type { ShownSent } from './sent-summary';

type DetailsView = { translate: Translate; sent: ShownSent };

/** Draw it. */
export function SentDetails({ translate, sent }: DetailsView): BoxElement {
  const { isOperation, hash, replaces, replacedBy, canBeReplaced } = sent;
  return (
    <Box>
      <Heading>
        {translate(isOperation ? 'activity.operation' : 'activity.transaction')}
      </Heading>
      <Section>
        {toRows({ translate, sent }).map(([key, value]) =>
          value === undefined ? null : <Field label={translate(key)} value={value} />,
        )}
        <Row label={translate('field.account')}>
          <Address address={sent.from} />
        </Row>
        {sent.to ? (
          <Row label={translate('field.to')}>
            <Address address={sent.to} />
          </Row>
        ) : null}
        {drawCost(sent, translate)}
      </Section>
      {drawHash('activity.hash', hash, translate)}
      {replaces ? drawHash('activity.replaces', replaces, translate) : null}
      {replacedBy ? drawHash('activity.replacedBy', replacedBy, translate) : null}
      {canBeReplaced ? drawActions(hash, translate) : null}
      <Button name="home.frame.back">{translate('home.back')}</Button>
    </Box>
  );
}

function toRows({ translate, sent }: DetailsView): [TextKey, string | undefined][] {
  const { state, chain, value, nonce, origin, sentAt, settledAt, price } = sent;
  const { block, gasUsed } = sent;
  const known = <Value,>(
    amount: Value | undefined,
    write: (amount: Value) => string,
  ): string | undefined => (amount === undefined ? undefined : write(amount));
  const count = (amount: bigint): string => toShownCount(amount, translate);
  const time = (at: number): string => toShownTime(at, translate);
  return [
    ['field.status', translate(stateKeys[state])],
    ['field.chain', toShownChain(chain, translate)],
    ['field.value', toShownCoins(value, translate, chain)],
    ['field.nonce', count(nonce)],
    ['field.origin', toShownLine(origin)],
    ['activity.sentAt', time(sentAt)],
    ['activity.settledAt', known(settledAt, time)],
    ['activity.price', known(price, (wei) => toShownFee(wei, translate))],
    ['activity.block', known(block, count)],
    ['activity.gasUsed', known(gasUsed, count)],
  ];
}

function drawHash(key: TextKey, hash: Hex, translate: Translate): BoxElement {
  return (
    <Box>
      <Text>{translate(key)}</Text>
      <Copyable value={hash} />
    </Box>
  );
}

function drawActions(hash: Hex, translate: Translate): BoxElement {
  return (
    <Box direction="horizontal" alignment="space-between">
      <Button name={`home.activity.speedUp:${hash}`}>
        {translate('activity.speedUp')}
      </Button>
      <Button name={`home.activity.cancel:${hash}`} variant="destructive">
        {translate('activity.cancel')}
      </Button>
    </Box>
  );
}
