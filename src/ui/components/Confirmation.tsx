// The frame of every confirmation: title, notices first, who asks for which account on
// which network, then what it is about, page by page, then the two buttons.
import {
  Address,
  Box,
  Button,
  Container,
  Footer,
  Heading,
  Row,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type {
  GenericSnapElement,
  JSXElement,
  SnapsChildren,
  SectionElement,
} from '@metamask/snaps-sdk/jsx';

import type { Hex } from '../../eth/hex';
import { splitText } from '../foreign-text';
import { toShownChain, toShownLine } from '../format';
import type { TextKey, Translate } from '../i18n';
import { findOriginWarnings, toUnicodeOrigin } from '../origin';
import { FIRST_FRAME, isSeenWhole, nameApproval, nameTurn } from '../pages';
import type { Frame, PagedView } from '../pages';
import { printWarnings } from '../warnings';
import type { Warning } from '../warnings';
import { Field } from './Field';
import { drawNotices } from './Notices';
import { Pager } from './Pager';
import { Raw } from './Raw';

/** Most characters of raw data on a page. */
const RAW_PART = 150_000;

/** Name of the button that refuses. */
export const REFUSE = 'refuse';

/** What every confirmation has. */
export type ConfirmationProps = {
  translate: Translate;
  title: TextKey;
  approve?: TextKey;
  origin: string;
  account?: Hex;
  /** CAIP-2 chain, or the words for what is no single chain. */
  chain?: string | undefined;
  warnings?: readonly Warning[];
  /** Whether it cannot be approved as it is now. */
  isHeld?: boolean | undefined;
  frame?: Frame;
  /** How many pages it has; it can be approved once all of them were seen. */
  pages?: number;
  children: SnapsChildren<GenericSnapElement>;
};

/** Draws a confirmation. */
export function Confirmation(props: ConfirmationProps): JSXElement {
  const {
    translate,
    title,
    origin,
    approve = 'action.approve',
    warnings = [],
    chain,
    isHeld = false,
    frame = FIRST_FRAME,
    pages = 1,
    children,
  } = props;
  const isDisabled = isHeld || !isSeenWhole(pages, frame);
  return (
    <Container>
      <Box>
        <Heading>{translate(title)}</Heading>
        {drawNotices(frame.changes, translate)}
        {drawNotices(
          printWarnings([...warnings, ...findOriginWarnings(origin)], translate, chain),
          translate,
        )}
        {drawRequest(props)}
        {children}
      </Box>
      <Footer>
        <Button name={REFUSE}>{translate('action.refuse')}</Button>
        <Button
          name={nameApproval(frame.number)}
          {...(isDisabled ? { disabled: true } : {})}
        >
          {translate(approve)}
        </Button>
      </Footer>
    </Container>
  );
}

/** A confirmation of several pages. */
export type PagedConfirmation = Omit<
  ConfirmationProps,
  'frame' | 'pages' | 'children'
> & {
  /** Stands above the items, on every page. */
  head?: readonly JSXElement[];
  /** Draw the items of each page. */
  pages?: readonly (() => JSXElement[])[];
  /** Stands below the items, on every page. */
  foot?: readonly JSXElement[];
  /** All that is signed, as it is signed; what is long is spread over the pages. */
  raw: string;
};

/** Lays a confirmation out on pages. */
export function toPagedView({
  head = [],
  pages: items = [],
  foot = [],
  raw,
  ...props
}: PagedConfirmation): PagedView {
  const { translate } = props;
  const parts = splitText(raw, RAW_PART);
  const pages = Math.max(1, items.length, parts.length);
  return {
    pages,
    draw: (frame) => {
      const { number, page } = frame;
      const part = parts[page];
      return (
        <Confirmation {...props} frame={frame} pages={pages}>
          {head}
          {items[page]?.() ?? []}
          {pages === 1 ? null : (
            <Pager
              translate={translate}
              page={page}
              pages={pages}
              nameOf={(each) => nameTurn(each, number)}
            />
          )}
          {isSeenWhole(pages, frame) ? null : (
            <Text color="warning">{translate('pager.unseen')}</Text>
          )}
          {foot}
          {part === undefined ? null : (
            <Raw
              translate={translate}
              value={part}
              part={page + 1}
              parts={parts.length}
            />
          )}
        </Confirmation>
      );
    },
  };
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
