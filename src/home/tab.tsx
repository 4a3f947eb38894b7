// What the tabs of the home page share: what a tab is, where the user is, the
// pages of lists, and what is said when something fails.
import { Box, Button, Heading } from '@metamask/snaps-sdk/jsx';
import type { BoxElement, BoxProps } from '@metamask/snaps-sdk/jsx';
import { exactOptional, object } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import type { AppContext } from '../context';
import { InternalError, TollkeeperError, UserRejectedError } from '../errors';
import { validate } from '../schema/parse';
import { integerBetween, list, oneOf, text } from '../schema/structs';
import { ScopeStruct } from '../state/account-record';
import { danger, info, Pager as AnyPager, severities } from '../ui/components';
import type { Notice } from '../ui/components';
import { toShownText } from '../ui/format';
import type { TextKey, Translate } from '../ui/i18n';

/** A tab: its data are loaded, then drawn by a pure function; what users do is an action. */
export type Tab = {
  label: TextKey;
  /** Whether it is drawn anew again and again while it is shown; one with fields is not. */
  isLive: boolean;
  /** Loads what can be had at once: from the public document alone, while the wallet is
   * locked or everything else fails. Without it the tab waits for `load`. */
  loadKnown?: LoadTab;
  load: LoadTab;
  /** By the name that stands behind `home.<tab>.`. */
  actions: Record<string, Action>;
};

type LoadTab = (place: HomePlace, context: AppContext) => Promise<DrawTab>;

/** Draws what was loaded. */
export type DrawTab = (view: {
  translate: Translate;
  place: HomePlace;
  /** What was typed when an action failed, or stays where the form is, by names of fields and
   * forms: it is not lost if it is given back as `value`. Empty otherwise: leave `value` to
   * what is stored. */
  typed: Record<string, Json>;
}) => BoxElement;

/**
 * Does what a user asked for.
 *
 * @returns The place to go to, with notices of what was done. If it throws, the page stays
 * where it is and tells why.
 */
export type Action = (
  input: HomeInput,
  place: HomePlace,
  context: AppContext,
) => HomePlace | Promise<HomePlace>;

/** What a user did. */
export type HomeInput = {
  /** What the control's name says after a colon. */
  argument?: string;
  /** Of a button: all fields and forms of the page by name. Of a form that was submitted:
   * its fields. Of a field that changed: `value`. */
  values: Record<string, Json>;
  translate: Translate;
  /** Draws the page while the action still runs; never fails. */
  redraw: (place: HomePlace) => Promise<void>;
};

/** The tabs, in the order in which they stand. */
export const tabNames = [
  'gas',
  'accounts',
  'activity',
  'requests',
  'sites',
  'settings',
] as const;

/** Name of a tab. */
export type TabName = (typeof tabNames)[number];

/** Most notices on a page, and the longest. */
const MAX = { notices: 10, length: 4_000 };

/** Longest message of a failure: servers' words can stand in it. */
export const MAX_FAILURE = 1_000;

/** Rows of a page of a list. */
const ROWS = 10;

const HomePlaceStruct = object({
  tab: oneOf(tabNames),
  /** Which page of a list, from 0 on. */
  page: integerBetween(0, 1_000_000),
  /** The chain that was chosen. */
  chain: exactOptional(ScopeStruct),
  /** What is looked at or about to be changed: an id, a hash, an origin. */
  item: exactOptional(text(2_048)),
  /** What is being done with it, where that takes several steps. */
  step: exactOptional(text(64)),
  /** A key that was written as a keystore file, under its user's password. */
  keystore: exactOptional(text(2_048)),
  /** What was said of the last thing that was done; goes with the next one. */
  notices: list(object({ severity: oneOf(severities), text: text(MAX.length) }), {
    max: MAX.notices,
  }),
  /** When the user last did something, in ms since 1970. */
  touchedAt: integerBetween(0, Number.MAX_SAFE_INTEGER),
});

/** Where a user is on the page. It is kept in the interface's context, so that every button
 * works after the snap was stopped. */
export type HomePlace = Infer<typeof HomePlaceStruct>;

/** Makes the beginning of a tab. */
export function startOf(tab: TabName, touchedAt: number): HomePlace {
  return { tab, page: 0, notices: [], touchedAt };
}

/** Goes back to the list, from one of its items or from a form; the chain stays chosen. */
export function listOf({ tab, page, chain, touchedAt }: HomePlace): HomePlace {
  const chosen = chain === undefined ? {} : { chain };
  return { tab, page, notices: [], touchedAt, ...chosen };
}

/** Stays at a place and says what was done. */
export function inform(place: HomePlace, words: string): HomePlace {
  return { ...place, notices: [info(words)] };
}

/** Reads a place; the beginning where it is none, such as that of another version. */
export function readPlace(context: unknown, now: number): HomePlace {
  const read = validate(context, HomePlaceStruct);
  return 'value' in read ? read.value : startOf(tabNames[0], now);
}

/** Shortens what could not be kept. */
export function toKept({ notices, ...place }: HomePlace): HomePlace {
  const kept = notices.slice(0, MAX.notices).map(({ severity, text: words }) => ({
    severity,
    text: words.slice(0, MAX.length),
  }));
  return { ...place, notices: kept };
}

/** Says what went wrong, as far as it is for the user; that the user said no is no fault. */
export function toFailure(error: unknown, translate: Translate): Notice {
  if (error instanceof UserRejectedError) return info(translate('home.refused'));
  const isTold = error instanceof TollkeeperError && !(error instanceof InternalError);
  const message = isTold ? error.message : translate('home.failed');
  return danger(toShownText(message, MAX_FAILURE).text);
}

/**
 * Takes a page of a list.
 *
 * @param asked - Which page, from 0 on; of fewer pages the last one is taken.
 */
export function toPage<Row>(
  all: readonly Row[],
  asked: number,
): { rows: Row[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(all.length / ROWS));
  const page = Math.min(asked, pages - 1);
  return { rows: all.slice(page * ROWS, (page + 1) * ROWS), page, pages };
}

/** Draws the way to the other pages of a list; nothing if there is only one. */
export function Pager(props: {
  translate: Translate;
  page: number;
  pages: number;
}): BoxElement {
  return <AnyPager {...props} nameOf={(page) => `home.frame.page:${page}`} />;
}

/** Draws a page that a list leads to, with the way back. */
export function Subpage({
  translate,
  title,
  list: name,
  children,
}: {
  translate: Translate;
  title: string;
  /** The action that shows the list. */
  list: string;
  children: BoxProps['children'];
}): BoxElement {
  return (
    <Box>
      <Heading>{title}</Heading>
      {children}
      <Button name={name}>{translate('home.back')}</Button>
    </Box>
  );
}
