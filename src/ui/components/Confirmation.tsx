// The frame of every confirmation: title, notices first, who asks for which account on
// which network, then what it is about, then the two buttons.
import {
  Address,
  Box,
  Button,
  Container,
  Footer,
  Heading,
  Row,
  Section,
} from '@metamask/snaps-sdk/jsx';
import type {
  GenericSnapElement,
  JSXElement,
  SnapsChildren,
  SectionElement,
} from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../../eth/hex';
import { toUnicodeOrigin } from '../../eth/origin';
import { toShownChain, toShownLine } from '../format';
import type { TextKey, Translate } from '../i18n';
import type { Notice } from '../notice';
import { originNotices } from '../origin-notices';
import { Field } from './Field';
import { drawNotices } from './Notices';

/** Names of the buttons, as events carry them. */
export const APPROVE = 'approve';

/** Name of the button that refuses. */
export const REFUSE = 'refuse';

/** What every confirmation has. */
export type ConfirmationProps = {
  translate: Translate;
  title: TextKey;
  approve?: TextKey;
  origin: string;
  account?: Hex;
  /** CAIP-2 chain. */
  chain?: string | undefined;
  notices?: readonly Notice[];
  /** Whether it cannot be approved as it is now. */
  isHeld?: boolean | undefined;
  children: SnapsChildren<GenericSnapElement>;
};

/** Draw a confirmation. */
export function Confirmation(props: ConfirmationProps): JSXElement {
  const {
    translate,
    title,
    origin,
    approve = 'action.approve',
    notices = [],
    isHeld = false,
    children,
  } = props;
  return (
    <Container>
      <Box>
        <Heading>{translate(title)}</Heading>
        {drawNotices([...notices, ...originNotices(origin, translate)], translate)}
        {drawRequest(props)}
        {children}
      </Box>
      <Footer>
        <Button name={REFUSE}>{translate('action.refuse')}</Button>
        <Button name={APPROVE} {...(isHeld ? { disabled: true } : {})}>
          {translate(approve)}
        </Button>
      </Footer>
    </Container>
  );
}

function drawRequest({
  translate,
  origin,
  account,
  chain,
}: ConfirmationProps): SectionElement {
  const unicode = toUnicodeOrigin(origin);
  return (
    <Section>
      <Field label={translate('field.origin')} value={toShownLine(origin)} />
      {unicode === origin ? null : (
        <Field label={translate('field.originLetters')} value={toShownLine(unicode)} />
      )}
      {account ? (
        <Row label={translate('field.account')}>
          <Address address={account} />
        </Row>
      ) : null}
      {chain ? (
        <Field
          label={translate('field.chain')}
          value={toShownChain(chain, translate)}
        />
      ) : null}
    </Section>
  );
}
