// What all tabs of the home page share: navigation, totals, notices, the locked wallet, and
// what is shown when something fails.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { matches } from '../../schema/parse';
import { oneOf } from '../../schema/structs';
import { HomeFrame } from '../../ui/home/frame';
import type { HomeTotals } from '../../ui/home/frame';
import type { Translate } from '../../ui/i18n';
import type { Notice } from '../../ui/notice';
import { toFailure } from './failure';
import { startOf, tabNames } from './place';
import type { HomePlace } from './place';
import type { Action, DrawTab, HomeServices } from './tab';
import { tabs } from './tabs';

/** Actions of the frame itself, whose names begin with `home.frame.`. */
export const frameActions: Record<string, Action> = {
  tab: ({ argument }, place) =>
    matches(argument, oneOf(tabNames)) ? startOf(argument, place.touchedAt) : place,
  page: ({ argument = '' }, place) =>
    /^\d{1,6}$/u.test(argument) ? { ...place, page: Number(argument) } : place,
  /** Back to the list, from one of its items or from a question about it. */
  back: (_input, { tab, page, touchedAt }) => ({ ...startOf(tab, touchedAt), page }),
  refresh: async (_input, place, { tracker }) => {
    // What became of what was sent is asked as well; if nobody answers, the page says so.
    await tracker.poll().catch(() => undefined);
    return place;
  },
};

/** What to draw. */
export type Drawing = {
  place: HomePlace;
  typed?: Record<string, Json>;
  /** Whether only what can be had at once is wanted. */
  isQuick?: boolean;
};

type Content = { draw?: DrawTab; failures: Notice[]; totals?: HomeTotals };

/** Draw the page; whatever fails is told on it. */
export async function drawPage(
  { place, typed = {}, isQuick = false }: Drawing,
  services: HomeServices,
): Promise<JSXElement> {
  const translate = await services.loadTranslate();
  const isLocked = !isQuick && (await services.isLocked());
  const atOnce = isQuick || isLocked;
  const { draw, failures, totals } = atOnce
    ? await loadKnown(place, { services, translate })
    : await loadAll(place, { services, translate });
  const view = { translate, place, now: services.now(), typed };
  return HomeFrame({
    translate,
    tabs: tabNames.map((name) => ({
      name,
      label: tabs[name].label,
      isOpen: name === place.tab,
    })),
    notices: [...place.notices, ...failures],
    isLocked,
    totals,
    content: draw?.(view),
  });
}

type Loading = { services: HomeServices; translate: Translate };

async function loadKnown(
  place: HomePlace,
  { services, translate }: Loading,
): Promise<Content> {
  const load = tabs[place.tab].loadKnown;
  if (!load) return { failures: [] };
  try {
    return { draw: await load(place, services), failures: [] };
  } catch (error) {
    return { failures: [toFailure(error, translate)] };
  }
}

async function loadAll(place: HomePlace, loading: Loading): Promise<Content> {
  const { services, translate } = loading;
  const [loaded, totals, inClear] = await Promise.allSettled([
    tabs[place.tab].load(place, services),
    loadTotals(services),
    // Nothing else tells that it is damaged: what is read of it is taken for not known.
    services.publicStore.read(),
  ]);
  const failures = [loaded, totals, inClear].flatMap((each) =>
    each.status === 'rejected' ? [toFailure(each.reason, translate)] : [],
  );
  const told = {
    failures: withoutDoubles(failures),
    ...(totals.status === 'fulfilled' ? { totals: totals.value } : {}),
  };
  if (loaded.status === 'fulfilled') return { ...told, draw: loaded.value };
  const known = await loadKnown(place, loading);
  return { ...told, ...(known.draw ? { draw: known.draw } : {}) };
}

async function loadTotals({ requests, ledger }: HomeServices): Promise<HomeTotals> {
  const [waiting, pending] = await Promise.all([requests.list(), ledger.listPending()]);
  return { requests: waiting.length, pending: pending.length };
}

// A document that is not valid fails everything that reads it, with the same words.
function withoutDoubles(notices: readonly Notice[]): Notice[] {
  return notices.filter(
    ({ text }, index) => notices.findIndex((other) => other.text === text) === index,
  );
}
