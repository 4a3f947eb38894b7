// What was sent, newest first, and one of it in full.
import {
  Address,
  Bold,
  Box,
  Button,
  Copyable,
  Heading,
  Row,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type { BoxElement, SectionElement } from '@metamask/snaps-sdk/jsx';

import { Field } from '../components/Field';
import { toShownChain, toShownCoins, toShownTime } from '../format';
import type { Translate } from '../i18n';
import { stateKeys } from '../sent-states';
import { Pager } from './pager';
import { SentDetails } from './sent-details';
import { drawCost } from './sent-summary';
import type { ShownSent } from './sent-summary';

/** A page of what was sent, or one of it. */
export type ActivityView = {
  translate: Translate;
  sent: readonly ShownSent[];
  page: number;
  pages: number;
  /** The one that is looked at. */
  open: ShownSent | undefined;
};

/** Draw the tab. */
export function ActivityTab(view: ActivityView): BoxElement {
  const { translate, sent, page, pages, open } = view;
  if (open) return SentDetails({ translate, sent: open });
  return (
    <Box>
      <Heading>{translate('activity.title')}</Heading>
      {sent.length === 0 ? <Text>{translate('activity.none')}</Text> : null}
      {sent.map((each) => drawSent(each, translate))}
      <Pager translate={translate} page={page} pages={pages} />
    </Box>
  );
}

function drawSent(sent: ShownSent, translate: Translate): SectionElement {
  const { hash, chain, state, value, sentAt, to, isOperation } = sent;
  return (
    <Section>
      <Text>
        <Bold>{translate(stateKeys[state])}</Bold>
      </Text>
      <Field
        label={translate('activity.sentAt')}
        value={toShownTime(sentAt, translate)}
      />
      <Field label={translate('field.chain')} value={toShownChain(chain, translate)} />
      {to ? (
        <Row label={translate('field.to')}>
          <Address address={to} />
        </Row>
      ) : (
        <Field
          label={translate('field.to')}
          value={translate(isOperation ? 'activity.calls' : 'field.creation')}
        />
      )}
      <Field
        label={translate('field.value')}
        value={toShownCoins(value, translate, chain)}
      />
      {drawCost(sent, translate)}
      <Copyable value={hash} />
      <Button name={`home.activity.details:${hash}`}>
        {translate('activity.details')}
      </Button>
    </Section>
  );
}
