// What the home page's tabs share: the type of a tab, the user's place, pages of lists, and failure
// notices.
import { Box, Heading, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement, BoxProps, SectionElement } from '@metamask/snaps-sdk/jsx';
import { exactOptional, object } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import type { AppContext } from '../context';
import type { UserDecision } from '../core/core';
import { InternalError, TollkeeperError, UserRejectedError } from '../core/errors';
import { matches, validate } from '../schema/parse';
import { integerBetween, list, oneOf, text } from '../schema/structs';
import { ScopeStruct } from '../state/account-record';
import {
  bindButton,
  danger,
  info,
  Pager as AnyPager,
  severities,
} from '../ui/components';
import type { Notice } from '../ui/components';
import { toShownText } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';

export type Tab = {
  label: TextKey;
  /** Whether the tab is redrawn while it is shown. Must be false for a tab with text fields. */
  isLive: boolean;
  /** Loads data from the public document alone: to draw something before `load` ends, while the
   * wallet is locked, and if `load` fails. */
  loadKnown?: LoadTab;
  load: LoadTab;
  /** The actions, by the last part of their name `home.<tab>.<action>`. */
  actions: Record<string, Action>;
};

type LoadTab = (place: HomePlace, context: AppContext) => Promise<DrawTab>;

export type DrawTab = (view: TabView) => BoxElement;

export type TabView = {
  translate: Translate;
  place: HomePlace;
  /** Values entered by the user, by names of fields and forms, to be drawn again as each field's
   * `value`. Empty unless an action failed or left the form in place. */
  typed: Record<string, Json>;
};

/** Performs a user's action. Returns the new place, with notices about the result. If it throws,
 * the page stays in place and shows the error. */
export type Action = (
  input: HomeInput,
  place: HomePlace,
  context: AppContext,
) => HomePlace | Promise<HomePlace>;

export type HomeInput = {
  /** The part of the control's name that follows the colon. */
  argument?: string;
  /** For a button: all fields and forms of the page, by name. For a submitted form: its fields. For
   * a changed field: `value`. */
  values: Record<string, Json>;
  /** The user's decision in pressing the button, for actions without a dialog. */
  decided: UserDecision;
  translate: Translate;
  /** Draws the page while the action is still running. Never fails. */
  redraw: (place: HomePlace) => Promise<void>;
};

/** Name of the background event that redraws a page. */
export const HOME = 'tollkeeper_home';

export const HOME_PREFIX = 'home.';

export const tabNames = [
  'gas',
  'accounts',
  'activity',
  'requests',
  'permissions',
  'settings',
] as const;

export type TabName = (typeof tabNames)[number];

/** Maximum number of notices in a place, and of characters in each. The rest is cut off. */
const MAX = { notices: 10, length: 4_000 };

/** Maximum length of a failure message, since it can contain a server's text. */
const MAX_FAILURE = 1_000;

const ROWS_PER_PAGE = 10;

const HomePlaceStruct = object({
  tab: oneOf(tabNames),
  /** Page of a list, from 0. */
  page: integerBetween(0, 1_000_000),
  chain: exactOptional(ScopeStruct),
  /** The open item: an account's id, a hash, or a chain (CAIP-2). */
  item: exactOptional(text(2_048)),
  step: exactOptional(text(64)),
  /** The exported key as a keystore file, encrypted with the user's password. */
  keystore: exactOptional(text(2_048)),
  /** Results of the last action, shown until the next one. */
  notices: list(object({ severity: oneOf(severities), text: text(MAX.length) }), {
    max: MAX.notices,
  }),
  /** Time of the user's last action, in ms since 1970. */
  touchedAt: integerBetween(0, Number.MAX_SAFE_INTEGER),
});

/** The user's place on the page. It is stored in the interface's context, so that every button
 * still works after the snap has stopped. */
export type HomePlace = Infer<typeof HomePlaceStruct>;

export function startOf(tab: TabName, touchedAt: number): HomePlace {
  return { tab, page: 0, notices: [], touchedAt };
}

export function returnToList({ tab, page, chain, touchedAt }: HomePlace): HomePlace {
  return { ...startOf(tab, touchedAt), page, ...(chain && { chain }) };
}

export function inform(place: HomePlace, words: string): HomePlace {
  return { ...place, notices: [info(words)] };
}

export const chooseChain: Action = ({ values: { value } }, place) =>
  matches(value, ScopeStruct) ? { ...place, page: 0, chain: value } : place;

/** Reads a place. Returns the first tab if it is invalid, for example from a different version. */
export function readPlace(context: unknown, now: number): HomePlace {
  const read = validate(context, HomePlaceStruct);
  return 'value' in read ? read.value : startOf(tabNames[0], now);
}

export function truncateNotices({ notices, ...place }: HomePlace): HomePlace {
  const kept = notices.slice(0, MAX.notices).map(({ severity, text: words }) => {
    return { severity, text: words.slice(0, MAX.length) };
  });
  return { ...place, notices: kept };
}

/** Creates a notice of a failure. A refusal by the user is not shown as a failure, and the details
 * of internal errors are hidden. */
export function toFailure(error: unknown, translate: Translate): Notice {
  if (error instanceof UserRejectedError) return info(translate('home.refused'));
  const isShown = error instanceof TollkeeperError && !(error instanceof InternalError);
  const message = isShown ? error.message : translate('home.failed');
  return danger(toShownText(message, MAX_FAILURE).text);
}

/** Returns page `asked` of a list, counted from 0, or the last page if there are fewer. */
export function toPage<Row>(
  all: readonly Row[],
  asked: number,
): { rows: Row[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(all.length / ROWS_PER_PAGE));
  const page = Math.min(asked, pages - 1);
  const start = page * ROWS_PER_PAGE;
  return { rows: all.slice(start, start + ROWS_PER_PAGE), page, pages };
}

export type ListView = { translate: Translate; page: number; pages: number };

export function Pager({ translate, page, pages }: ListView): BoxElement {
  const nameOf = (each: number): string => `home.frame.page:${each}`;
  return <AnyPager translate={translate} page={page} pages={pages} nameOf={nameOf} />;
}

type ListPageProps = ListView & {
  name: 'activity' | 'requests';
  items: readonly SectionElement[];
  children?: BoxProps['children'];
};

export function ListPage(props: ListPageProps): BoxElement {
  const { translate, page, pages, name, items, children = null } = props;
  return (
    <Box>
      <Heading>{translate(`${name}.title`)}</Heading>
      {items.length === 0 ? <Text>{translate(`${name}.none`)}</Text> : null}
      {[...items]}
      <Pager translate={translate} page={page} pages={pages} />
      {children}
    </Box>
  );
}

type SubpageProps = {
  translate: Translate;
  title: string;
  list: string;
  children: BoxProps['children'];
};

export function Subpage(props: SubpageProps): BoxElement {
  const { translate, title, list: name, children } = props;
  return (
    <Box>
      <Heading>{title}</Heading>
      {children}
      {bindButton(translate)(name, 'home.back')}
    </Box>
  );
}
