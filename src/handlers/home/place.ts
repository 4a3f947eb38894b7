// Where a user is on the home page. It is kept in the interface's context, so that every
// button works after the snap was stopped.
import { exactOptional, object } from '@metamask/superstruct';
import type { Infer } from '@metamask/superstruct';

import { validate } from '../../schema/parse';
import { integerBetween, list, oneOf, text } from '../../schema/structs';
import { ScopeStruct } from '../../state/account-record';
import { severities } from '../../ui/notice';

/** The tabs, in the order in which they stand. */
export const tabNames = [
  'gas',
  'accounts',
  'activity',
  'requests',
  'sites',
  'settings',
] as const;

/** Most notices on a page, and the longest. */
const MAX = { notices: 10, length: 4_000 };

const NoticeStruct = object({ severity: oneOf(severities), text: text(MAX.length) });

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
  notices: list(NoticeStruct, { max: MAX.notices }),
  /** When the user last did something, in ms since 1970. */
  touchedAt: integerBetween(0, Number.MAX_SAFE_INTEGER),
});

/** Name of a tab. */
export type TabName = (typeof tabNames)[number];

/** Where a user is. */
export type HomePlace = Infer<typeof HomePlaceStruct>;

/** Make the beginning of a tab. */
export function startOf(tab: TabName, touchedAt: number): HomePlace {
  return { tab, page: 0, notices: [], touchedAt };
}

/** Go back to the list, from one of its items or from a form; the chain stays chosen. */
export function listOf({ tab, page, chain, touchedAt }: HomePlace): HomePlace {
  const chosen = chain === undefined ? {} : { chain };
  return { tab, page, notices: [], touchedAt, ...chosen };
}

/** Read a place; the beginning where it is none, such as that of another version. */
export function readPlace(context: unknown, now: number): HomePlace {
  const read = validate(context, HomePlaceStruct);
  return 'value' in read ? read.value : startOf(tabNames[0], now);
}

/** Shorten what could not be kept. */
export function toKept({ notices, ...place }: HomePlace): HomePlace {
  const kept = notices.slice(0, MAX.notices).map(({ severity, text: words }) => ({
    severity,
    text: words.slice(0, MAX.length),
  }));
  return { ...place, notices: kept };
}
