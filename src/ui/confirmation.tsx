// The frame of every confirmation: the title, warnings, the requesting site, account and network,
// the pages of content, and the two buttons. MetaMask takes 0.4 s and 10 MB to check an interface
// of 1,000 text elements, so pages are small. Everything that is signed appears on some page.
import {
  Banner,
  Box,
  Button,
  Checkbox,
  CollapsibleSection,
  Container,
  Copyable,
  Footer,
  Heading,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';
import type {
  BoxElement,
  CollapsibleSectionElement,
  GenericSnapElement,
  JSXElement,
  RowElement,
  SectionElement,
} from '@metamask/snaps-sdk/jsx';

import { isAcknowledged, isReady, isSeenWhole } from '../core/frame';
import type { Frame as CoreFrame, Press, View } from '../core/frame';
import { findKnownChain } from '../eth/chain';
import type { Hex } from '../eth/hex';
import { AddressField, drawNotices, Field, Pager, toHalves } from './components';
import type { Notice } from './components';
import {
  capitalize,
  splitText,
  toShortHex,
  toShownChain,
  toShownLine,
  toShownText,
} from './format';
import type { TextKey, Translate } from './i18n';
import { findOriginWarnings, toUnicodeOrigin } from './origin';
import { printWarnings, warning } from './warnings';
import type { Warning } from './warnings';

/** Maximum text elements and characters of a page's items. A larger item gets its own page. */
const MAX = { texts: 500, characters: 150_000 };

export type Frame = Omit<CoreFrame, 'changes'> & {
  /** The changes since the snapshot whose approve button was pressed last. */
  changes: readonly Notice[];
  /** Set if MetaMask forwarded the request and named its origin. */
  verified?: VerifiedOrigin | undefined;
};

/** What MetaMask reports about a request besides its origin: how the site describes itself, if
 * MetaMask cannot verify the origin. */
export type VerifiedOrigin = {
  metadata?: { transport: string; selfReportedOrigin: string } | null | undefined;
};

export type PagedView = Omit<View, 'draw'> & {
  /** The snapshot's warnings, without the changes in the frame. */
  notices: readonly Notice[];
  draw: (frame: Frame) => JSXElement;
};

export type Weight = { texts: number; characters: number };

export function toInfoView(content: JSXElement): PagedView {
  return { pages: 1, dangers: [], notices: [], draw: () => content };
}

/** Splits items into pages. @returns At least one page, which is empty if there are no items. */
export function toPages<Item>(
  items: readonly Item[],
  weigh: (item: Item) => Weight,
): Item[][] {
  const pages: Item[][] = [[]];
  const left = { ...MAX };
  for (const item of items) {
    const { texts, characters } = weigh(item);
    const last = pages.at(-1) ?? [];
    if (last.length > 0 && (texts > left.texts || characters > left.characters)) {
      pages.push([item]);
      Object.assign(left, MAX);
    } else last.push(item);
    left.texts -= texts;
    left.characters -= characters;
  }
  return pages;
}

/** Returns the name of the button that opens a page of a snapshot. */
export function nameTurn(page: number, number: number): string {
  return `page:${page}:${number}`;
}

/** Parses the name of a button that approves a snapshot or opens a page. */
export function findPress(name: string): Press | undefined {
  const form =
    /^(?<action>approve|page(?=:\d+:))(?::(?<page>\d{1,9}))?:(?<number>\d{1,9})$/u;
  const { action, page = 0, number } = form.exec(name)?.groups ?? {};
  if (action === undefined) return undefined;
  return {
    action: action as Press['action'],
    number: Number(number),
    page: Number(page),
  };
}

/** Parses the name and value of the checkbox that acknowledges a snapshot's dangers. */
export function findTick(name: string, value: unknown): Press | undefined {
  const [, number] = /^acknowledge:(\d{1,9})$/u.exec(name) ?? [];
  if (number === undefined) return undefined;
  const action = value === true ? 'acknowledge' : 'clear';
  return { action, number: Number(number), page: 0 };
}

/** Maximum characters of raw data on a page. */
const RAW_PART = 150_000;

/** Maximum length of a sentence that fits as a title. */
const MAX_TITLE = 100;

/** Maximum shown length of a transport's name, such as WalletConnect. */
const MAX_TRANSPORT = 40;

export const REFUSE = 'refuse';

const ADDRESS = /0x[\da-f]{40}/giu;

/** Verbs that "Cancel" could be confused with. */
const undoing: readonly unknown[] = [
  'act.verb.revoke',
  'activity.cancel',
  'authorization.title',
  'rescue.move',
];

export type ConfirmationProps = {
  translate: Translate;
  title: string;
  /** Details of the request that the title leaves out. */
  subtitle?: string | undefined;
  /** Label of the approving button: the title's verb, or a descriptor's word. */
  approve?: TextKey | { word: string };
  origin: string;
  account?: Hex;
  /** CAIP-2 chain, or text about several chains. */
  chain?: string | undefined;
  warnings?: readonly Warning[];
  /** A descriptor's sentence about the request. */
  sentence?: string | undefined;
  /** Whether the title comes from the descriptor, too. A short `sentence` then replaces the title,
   * unless there are warnings. */
  isDescribed?: boolean | undefined;
  /** The request's outcome, below the warnings. */
  summary?: readonly (JSXElement | GenericSnapElement)[];
  /** The recipient, and other content of the request itself. */
  recipients?: readonly (RowElement | GenericSnapElement)[];
  costs?: readonly JSXElement[];
  /** Whether the request cannot be approved in its current state. */
  isHeld?: boolean | undefined;
  /** Drawn above the items, on every page. */
  head?: readonly JSXElement[];
  pages?: readonly (() => JSXElement[])[];
  /** Drawn below the items, on every page. */
  foot?: readonly JSXElement[];
  /** Drawn in the collapsed section, on the page with the same index. */
  folded?: readonly (() => GenericSnapElement[])[];
  /** Secondary values, in the collapsed section with the signed data. */
  details?: BoxElement;
  /** The signed data in full; long runs of blanks are shortened on screen. Long data is spread over
   * the pages. */
  raw?: string;
};

export function toPagedView(props: ConfirmationProps): PagedView {
  const { translate, origin, chain, warnings = [], pages: items = [], raw } = props;
  const parts = raw === undefined ? [] : splitText(raw, RAW_PART);
  const pages = Math.max(1, items.length, parts.length);
  const notices = printWarnings(
    [...warnings, ...findOriginWarnings(origin), ...findChainWarnings(chain)],
    translate,
    chain,
  );
  const dangers = notices
    .filter(isDanger)
    .map(({ title = '', text }) => `${title} ${text}`);
  return {
    pages,
    dangers,
    notices,
    draw: (frame) => {
      const page = { pages, dangers, notices, part: parts[frame.page], parts };
      return drawConfirmation({ ...props, ...page, items }, frame);
    },
  };
}

function findChainWarnings(chain = ''): Warning[] {
  const isUnknown = chain.startsWith('eip155:') && !findKnownChain(chain);
  return isUnknown ? [warning('alert.unknownNetwork', { chain: { chain } })] : [];
}

function isDanger({ severity }: Notice): boolean {
  return severity === 'danger';
}

type DrawnProps = Omit<ConfirmationProps, 'pages'> &
  Omit<PagedView, 'draw'> & {
    items: readonly (() => JSXElement[])[];
    part: string | undefined;
    parts: readonly string[];
  };

function drawConfirmation(props: DrawnProps, frame: Frame): JSXElement {
  const { translate, subtitle, sentence, approve = 'action.approve' } = props;
  const { warnings = [], isHeld = false, notices, pages } = props;
  const { number, page } = frame;
  // If there are warnings, a descriptor's sentence comes below the rows that the warnings refer to.
  const isWarned = warnings.some(({ severity }) => severity !== 'info');
  const isTitle =
    props.isDescribed === true && !isWarned && (sentence?.length ?? 0) <= MAX_TITLE;
  const title = (isTitle && sentence && capitalize(sentence)) || props.title;
  const said = sentence && !isTitle ? [<Text>{sentence}</Text>] : [];
  const isDisabled = isHeld || !isReady(props, frame);
  const refuse = translate('action.refuse');
  const verb = typeof approve === 'string' ? translate(approve) : approve.word;
  // A descriptor's verb can equal the label of the other button.
  const isUndoing = undoing.includes(approve) || verb === refuse;
  return (
    <Container>
      <Box>
        <Heading>{title}</Heading>
        {subtitle === undefined ? null : <Text color="alternative">{subtitle}</Text>}
        {drawNotices(frame.changes, translate)}
        {drawDangers(props, frame)}
        {drawNotices(
          notices.filter((each) => !isDanger(each)),
          translate,
        )}
        {isWarned ? [] : said}
        {(props.summary ?? []) as GenericSnapElement[]}
        {drawRequest(props, frame)}
        {isWarned ? said : []}
        {props.head ?? []}
        {props.items[page]?.() ?? []}
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
        {props.foot ?? []}
        {drawFold(props, page)}
      </Box>
      <Footer>
        <Button name={REFUSE}>{isUndoing ? translate('action.back') : refuse}</Button>
        <Button name={`approve:${number}`} {...(isDisabled ? { disabled: true } : {})}>
          {verb}
        </Button>
      </Footer>
    </Container>
  );
}

// Shows a single danger in full, and several as lines that expand. One checkbox acknowledges all of
// them, and a new danger clears it.
function drawDangers(
  { notices, dangers, translate }: DrawnProps,
  frame: Frame,
): GenericSnapElement[] {
  const found = notices.filter(isDanger);
  if (found.length === 0) return [];
  const count = found.length;
  const unseen = found.filter(
    (_each, index) => !isAcknowledged(dangers.slice(index, index + 1), frame),
  );
  const [only, ...others] = unseen.length === 0 ? found : unseen;
  const label =
    others.length === 0
      ? `${translate('danger.acknowledge')}: ${only?.title?.replace(ADDRESS, toShortHex)}`
      : translate('danger.acknowledgeAll', { count: others.length + 1 });
  return [
    ...(count === 1 ? drawNotices(found, translate) : listDangers(found, translate)),
    <Checkbox
      name={`acknowledge:${frame.number}`}
      checked={unseen.length === 0}
      label={label}
    />,
  ];
}

function listDangers(
  found: readonly Notice[],
  translate: Translate,
): GenericSnapElement[] {
  const title = translate('danger.several', { count: found.length });
  const lines = found.map((each): GenericSnapElement => (
    <CollapsibleSection label={(each.title ?? '').replace(ADDRESS, toHalves)}>
      <Text>{each.text}</Text>
    </CollapsibleSection>
  ));
  return [
    <Banner title={title} severity="danger">
      {null}
    </Banner>,
    ...lines,
  ];
}

function drawRequest(
  { translate, origin, account, chain, recipients = [], costs = [] }: DrawnProps,
  { verified }: Frame,
): SectionElement {
  const unicode = toUnicodeOrigin(origin);
  const label = translate(verified ? 'field.originTold' : 'field.origin');
  return (
    <Section>
      {recipients as GenericSnapElement[]}
      <Field label={label} value={toShownLine(origin)} />
      {unicode === origin ? null : (
        <Field label={translate('field.originLetters')} value={toShownLine(unicode)} />
      )}
      {verified?.metadata ? (
        <Field
          label={translate('field.selfReported')}
          value={`${toShownLine(verified.metadata.transport, MAX_TRANSPORT)}: ${toShownLine(verified.metadata.selfReportedOrigin)}`}
        />
      ) : null}
      {costs}
      {drawAccount(account, chain, translate)}
    </Section>
  );
}

// Draws one row for the account and its network. Text about several networks gets its own row.
function drawAccount(
  account: Hex | undefined,
  chain: string | undefined,
  translate: Translate,
): RowElement[] {
  const label = translate('field.account');
  const name = chain === undefined ? '' : toShownChain(chain);
  const shown = /^eip155:/u.test(name)
    ? translate('chain.unknown', { chain: name })
    : name;
  if (account && chain?.startsWith('eip155:')) {
    return [<AddressField label={`${label} (${shown})`} address={account} />];
  }
  return [
    ...(chain ? [Field({ label: translate('field.chain'), value: shown })] : []),
    ...(account ? [AddressField({ label, address: account })] : []),
  ];
}

function drawFold(
  { translate, folded = [], details, part, parts }: DrawnProps,
  page: number,
): CollapsibleSectionElement | null {
  const fields = folded[page]?.() ?? [];
  const hasMore = fields.length > 0 || details !== undefined;
  if (!hasMore && part === undefined) return null;
  const title = translate('raw.title');
  const numbered = parts.length > 1 ? `${title} (${page + 1}/${parts.length})` : title;
  const raw = part === undefined ? null : Copyable({ value: toShownText(part).text });
  return (
    <CollapsibleSection label={hasMore ? translate('details.title') : numbered}>
      {fields}
      {details ?? null}
      {hasMore && raw ? <Text>{numbered}</Text> : null}
      {raw}
    </CollapsibleSection>
  );
}
