// The home page. It is first drawn from the public document. Background events then load fresh data
// repeatedly while the page is shown and in use.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { UserInputEvent } from '@metamask/snaps-sdk';
import { Box, Button, Divider, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement, JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import type { AppContext } from '../context';
import type { UserDecision } from '../core/core';
import { matches } from '../schema/parse';
import { oneOf } from '../schema/structs';
import { bindButton, drawNotices, drawRows, warning } from '../ui/components';
import type { Notice } from '../ui/components';
import { toShownCount } from '../ui/format';
import type { Translate } from '../ui/i18n';
import { accountsTab } from './accounts';
import { activityTab } from './activity';
import { gasTab } from './gas';
import { permissionsTab } from './permissions';
import { requestsTab } from './requests';
import { settingsTab } from './settings';
import { HOME, readPlace, startOf, tabNames, toFailure, truncateNotices } from './tab';
import type { Action, DrawTab, HomeInput, HomePlace, Tab, TabName } from './tab';

export type HomePage = {
  open: () => Promise<{ id: string }>;
  input: (id: string, event: UserInputEvent, decided: UserDecision) => Promise<void>;
  /** Redraws a page on a background event if its tab is live, unless the page is closed. */
  refresh: (params: unknown) => Promise<void>;
};

/** Delays of background events in s. The first one is the shortest that the wallet allows. */
const REFRESH = { first: 1, next: 10 };

/** Time without input after which a page is not refreshed, because each refresh uses up quota. */
const IDLE_MS = 15 * 60_000;

/** Number of tabs that fit side by side in a popup. */
const TABS_PER_ROW = 3;

export const tabs: Readonly<Record<TabName, Tab>> = {
  gas: gasTab,
  accounts: accountsTab,
  activity: activityTab,
  requests: requestsTab,
  permissions: permissionsTab,
  settings: settingsTab,
};

const tabRows = tabNames.flatMap((_name, index) =>
  index % TABS_PER_ROW === 0 ? [tabNames.slice(index, index + TABS_PER_ROW)] : [],
);

const frameActions: Record<string, Action> = {
  tab: ({ argument }, place) =>
    matches(argument, oneOf(tabNames)) ? startOf(argument, place.touchedAt) : place,
  page: ({ argument = '' }, place) =>
    /^\d{1,6}$/u.test(argument) ? { ...place, page: Number(argument) } : place,
  back: (_input, { tab, page, touchedAt }) => ({ ...startOf(tab, touchedAt), page }),
  refresh: async (_input, place, { tracker }) => {
    // A failed poll is repeated later, and must not keep the page from being redrawn.
    await tracker.poll().catch(() => undefined);
    return place;
  },
};

/** Every action, by the two parts of its name `home.<tab>.<action>`. */
const actions: Record<string, Record<string, Action>> = {
  frame: frameActions,
  ...Object.fromEntries(tabNames.map((name) => [name, tabs[name].actions])),
};

type PageContext = AppContext & { drawings: ReturnType<typeof createDrawings> };

type Drawing = {
  place: HomePlace;
  typed?: Record<string, Json>;
  isQuick?: boolean;
};

export function createHomePage(homeContext: AppContext): HomePage {
  const context = { ...homeContext, drawings: createDrawings() };
  return {
    open: async () => {
      const place = startOf(tabNames[0], context.now());
      const page = await drawPage({ place, isQuick: true }, context);
      const id = await context.interfaces.create(page, place);
      // Without the event, the user still has the refresh button.
      await context.wakes.add(HOME, id, REFRESH.first).catch(() => undefined);
      return { id };
    },
    input: async (id, event, decided) => takeInput(id, event, { ...context, decided }),
    refresh: async (params) => {
      const id: unknown = Array.isArray(params) ? params[0] : undefined;
      if (typeof id === 'string') await refresh(id, context);
    },
  };
}

async function refresh(id: string, context: PageContext): Promise<void> {
  const { drawings, now, tracker } = context;
  const put = drawings.beginRefresh(id);
  const known = await findKnown(id, context);
  if (known === undefined) return;
  await tracker.arm().catch(() => undefined);
  const place = readPlace(known, now());
  if (tabs[place.tab].isLive) {
    await settle(context);
    const page = await drawPage({ place }, context);
    await put(async () => update(id, { page, place }, context));
  }
  if (now() - place.touchedAt < IDLE_MS) await wakeAgain(id, context);
}

async function takeInput(
  id: string,
  event: UserInputEvent,
  context: PageContext & { decided: UserDecision },
): Promise<void> {
  const [, tab = '', name = '', argument] =
    /^home\.(\w+)\.(\w+)(?::(.*))?$/su.exec(event.name ?? '') ?? [];
  const ofTab = Object.hasOwn(actions, tab) ? actions[tab] : undefined;
  const action = ofTab && Object.hasOwn(ofTab, name) ? ofTab[name] : undefined;
  if (!action) return;
  const { interfaces, now, drawings, loadTranslate } = context;
  const put = drawings.begin(id);
  const known = await interfaces.fetchContext(id);
  const place = { ...readPlace(known, now()), notices: [], touchedAt: now() };
  const input: HomeInput = {
    ...(argument === undefined ? {} : { argument }),
    values: await readValues(id, event, context),
    decided: context.decided,
    translate: await loadTranslate(),
    redraw: async (next) =>
      show({ id, put }, { place: truncateNotices(next) }, context).catch(
        () => undefined,
      ),
  };
  const run = async (): Promise<HomePlace> => {
    await settle(context);
    return action(input, place, context);
  };
  const drawing = await toDrawing(id, { run, place, input }, context);
  // If the user has gone elsewhere in the meantime, the page returns only to show a notice.
  const last = drawing.place.notices.length > 0 ? drawings.begin(id) : put;
  await show({ id, put: last }, drawing, context);
  await wakeAgain(id, context).catch(() => undefined);
}

async function readValues(
  id: string,
  event: UserInputEvent,
  { interfaces }: AppContext,
): Promise<Record<string, Json>> {
  if (event.type === UserInputEventType.FormSubmitEvent) return { ...event.value };
  if (event.type === UserInputEventType.InputChangeEvent) return { value: event.value };
  return interfaces.fetchValues(id);
}

// Keeps the entered values if the action fails or leaves the form in place.
async function toDrawing(
  id: string,
  done: { run: () => Promise<HomePlace>; place: HomePlace; input: HomeInput },
  { interfaces }: AppContext,
): Promise<Drawing> {
  const { run, place, input } = done;
  const fetchTyped = async (): Promise<Record<string, Json>> =>
    interfaces.fetchValues(id).catch(() => ({}));
  try {
    const next = truncateNotices(await run());
    const isSameForm =
      place.step !== undefined &&
      place.tab === next.tab &&
      place.item === next.item &&
      place.step === next.step;
    return isSameForm ? { place: next, typed: await fetchTyped() } : { place: next };
  } catch (error) {
    const notices = [toFailure(error, input.translate)];
    return { place: truncateNotices({ ...place, notices }), typed: await fetchTyped() };
  }
}

// Draws the stored data first, so that a click has an immediate effect.
async function show(
  { id, put }: { id: string; put: Put },
  drawing: Drawing,
  context: AppContext,
): Promise<void> {
  const { place } = drawing;
  const steps = tabs[place.tab].loadKnown ? [true, false] : [false];
  for (const isQuick of steps) {
    const page = await drawPage({ ...drawing, isQuick }, context);
    const isPut = await put(async () => update(id, { page, place }, context));
    if (!isPut) return;
  }
}

// Ignores a failure only if the page is gone, for example because a dialog replaced it.
async function update(
  id: string,
  { page, place }: { page: JSXElement; place: HomePlace },
  context: AppContext,
): Promise<void> {
  try {
    await context.interfaces.update(id, page, place);
  } catch (error) {
    if ((await findKnown(id, context)) !== undefined) throw error;
  }
}

async function settle({ isLocked, keyring }: AppContext): Promise<void> {
  if (!(await isLocked())) await keyring.settle();
}

async function findKnown(id: string, { interfaces }: AppContext): Promise<unknown> {
  return interfaces.fetchContext(id).then(
    (known) => known ?? {},
    () => undefined,
  );
}

async function wakeAgain(id: string, { wakes }: AppContext): Promise<void> {
  if (!(await wakes.has(HOME, id))) await wakes.add(HOME, id, REFRESH.next);
}

type Content = {
  draw?: DrawTab | undefined;
  failures: Notice[];
  totals?: HomeTotals | undefined;
};

async function drawPage(
  { place, typed = {}, isQuick = false }: Drawing,
  context: AppContext,
): Promise<JSXElement> {
  const translate = await context.loadTranslate();
  const isLocked = !isQuick && (await context.isLocked());
  const load = isQuick || isLocked ? loadKnown : loadAll;
  const [{ draw, failures, totals }, publicFailures] = await Promise.all([
    load(place, translate, context),
    // Other readers treat a damaged public document as empty, so only this one reports it.
    context.publicStore.read().then(
      () => [],
      (error: unknown) => [toFailure(error, translate)],
    ),
  ]);
  // Several readers of a damaged document fail with the same message.
  const unique = new Map(
    [...failures, ...publicFailures].map((each) => [each.text, each]),
  );
  return HomeFrame({
    translate,
    tab: place.tab,
    notices: [...place.notices, ...unique.values()],
    isLocked,
    totals,
    content: draw?.({ translate, place, typed }),
  });
}

async function loadKnown(
  place: HomePlace,
  translate: Translate,
  context: AppContext,
): Promise<Content> {
  try {
    return { draw: await tabs[place.tab].loadKnown?.(place, context), failures: [] };
  } catch (error) {
    return { failures: [toFailure(error, translate)] };
  }
}

async function loadAll(
  place: HomePlace,
  translate: Translate,
  context: AppContext,
): Promise<Content> {
  const [loaded, totals, damaged] = await Promise.allSettled([
    tabs[place.tab].load(place, context),
    loadTotals(context),
    context.store.listSetAside(),
  ]);
  const failures = [loaded, totals, damaged].flatMap((each) =>
    each.status === 'fulfilled' ? [] : [toFailure(each.reason, translate)],
  );
  const setAside = damaged.status === 'fulfilled' ? damaged.value : [];
  const isDamaged = setAside.some(({ problem }) => problem !== undefined);
  const warnings = isDamaged ? [warning(translate('damaged.notice'))] : [];
  const draw =
    loaded.status === 'fulfilled'
      ? loaded.value
      : (await loadKnown(place, translate, context)).draw;
  return {
    draw,
    failures: [...failures, ...warnings],
    totals: totals.status === 'fulfilled' ? totals.value : undefined,
  };
}

async function loadTotals({ requests, ledger }: AppContext): Promise<HomeTotals> {
  const [waiting, pending] = await Promise.all([requests.list(), ledger.listPending()]);
  return { requests: waiting.length, pending: pending.length };
}

type HomeTotals = Record<'requests' | 'pending', number>;

export type HomeFrameView = {
  translate: Translate;
  tab: TabName;
  notices: readonly Notice[];
  isLocked: boolean;
  totals: HomeTotals | undefined;
  content: BoxElement | undefined;
};

export function HomeFrame(view: HomeFrameView): BoxElement {
  const { translate, tab, notices, isLocked, totals, content } = view;
  return (
    <Box>
      {tabRows.map((row) => (
        <Box direction="horizontal" alignment="space-between">
          {row.map((name) =>
            name === tab ? (
              <Text fontWeight="bold">{translate(tabs[name].label)}</Text>
            ) : (
              <Button name={`home.frame.tab:${name}`}>
                {translate(tabs[name].label)}
              </Button>
            ),
          )}
        </Box>
      ))}
      <Divider />
      {drawNotices(notices, translate)}
      {totals && totals.requests + totals.pending > 0 ? (
        <Box>
          {drawRows(translate, [
            ['home.totalRequests', toShownCount(totals.requests, translate)],
            ['home.totalPending', toShownCount(totals.pending, translate)],
          ])}
        </Box>
      ) : null}
      {isLocked ? <Text>{translate('home.locked')}</Text> : null}
      {content ?? null}
      {bindButton(translate)('home.frame.refresh', 'home.refresh')}
    </Box>
  );
}

/** Draws on a page unless a later drawing is there; returns whether it did. */
type Put = (update: () => Promise<unknown>) => Promise<boolean>;

// Decides which of several concurrent drawings of a page remains, since the user may click while an
// earlier click or a background event is still loading. The drawing that the user requested last
// wins. The state may be lost with the worker, because a stopped worker draws nothing.
function createDrawings() {
  const pages = new Map<string, { asked: number; steps: number }>();
  const find = (id: string): { asked: number; steps: number } => {
    const page = pages.get(id) ?? { asked: 0, steps: 0 };
    pages.set(id, page);
    return page;
  };
  return {
    /** Begins a drawing for the user. Only a later drawing for the user replaces it. */
    begin: (id: string): Put => {
      const page = find(id);
      page.asked += 1;
      const mine = page.asked;
      return async (change) => {
        if (mine !== page.asked) return false;
        page.steps += 1;
        await change();
        // A refresh that read the page during this change is outdated.
        page.steps += 1;
        return true;
      };
    },
    /** Begins a refresh. Any later drawing for the user takes precedence. */
    beginRefresh: (id: string): Put => {
      const page = find(id);
      const { asked, steps } = page;
      return async (change) => {
        if (page.asked !== asked || page.steps !== steps) return false;
        await change();
        return true;
      };
    },
  };
}
