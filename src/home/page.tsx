// The home page. It is drawn at once from the public document; a background event then loads
// fresh figures, again and again while the page is shown and its user touches it.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { UserInputEvent } from '@metamask/snaps-sdk';
import { Box, Button, Divider, Text } from '@metamask/snaps-sdk/jsx';
import type { BoxElement, JSXElement } from '@metamask/snaps-sdk/jsx';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import type { AppContext } from '../context';
import { matches } from '../schema/parse';
import { oneOf } from '../schema/structs';
import type { SetAside } from '../state/store';
import { drawNotices, Field, warning } from '../ui/components';
import type { Notice } from '../ui/components';
import { toShownCount, toShownText } from '../ui/format';
import type { Translate } from '../ui/i18n';
import { accountsTab } from './accounts';
import { activityTab } from './activity';
import { gasTab } from './gas';
import { requestsTab } from './requests';
import { settingsTab } from './settings';
import { sitesTab } from './sites';
import { MAX_FAILURE, readPlace, startOf, tabNames, toFailure, toKept } from './tab';
import type { Action, DrawTab, HomeInput, HomePlace, Tab, TabName } from './tab';

/** The home page. */
export type HomePage = {
  /** Draws a new one. */
  open: () => Promise<{ id: string }>;
  /** Takes what a user did on one. */
  input: (id: string, event: UserInputEvent) => Promise<void>;
  /** Draws one anew, for a background event with its params; one that is gone is let be. */
  refresh: (params: unknown) => Promise<void>;
};

/** Name of the background event. */
export const HOME = 'tollkeeper_home';

/** What the names of the page's controls begin with. */
export const HOME_PREFIX = 'home.';

/** Seconds until figures are fresh: as soon as the wallet allows, then again and again. */
const REFRESH = { first: 1, next: 10 };

/** A page that nobody touches for so long is left as it is: each look costs quota. */
const IDLE_MS = 15 * 60_000;

/** Most damaged records that every tab names. */
const MAX_DAMAGED = 5;

/** How many tabs stand beside each other in a popup. */
const TABS_A_ROW = 3;

const tabs: Readonly<Record<TabName, Tab>> = {
  gas: gasTab,
  accounts: accountsTab,
  activity: activityTab,
  requests: requestsTab,
  sites: sitesTab,
  settings: settingsTab,
};

const tabRows = tabNames.flatMap((_name, index) =>
  index % TABS_A_ROW === 0 ? [tabNames.slice(index, index + TABS_A_ROW)] : [],
);

/** Actions of the frame around the tabs, whose names begin with `home.frame.`. */
const frameActions: Record<string, Action> = {
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

/** Every action, by what stands between the dots of `home.<tab>.<action>`. */
const actions: Record<string, Record<string, Action>> = {
  frame: frameActions,
  ...Object.fromEntries(tabNames.map((name) => [name, tabs[name].actions])),
};

type PageContext = AppContext & { drawings: Drawings };

/** What is to be drawn. */
type Drawing = {
  place: HomePlace;
  typed?: Record<string, Json>;
  /** Whether only what can be had at once is wanted. */
  isQuick?: boolean;
};

/** Creates access to the home page. */
export function createHomePage(homeContext: AppContext): HomePage {
  const context = { ...homeContext, drawings: createDrawings() };
  return {
    open: async () => {
      const place = startOf(tabNames[0], context.now());
      const page = await drawPage({ place, isQuick: true }, context);
      const id = await context.interfaces.create(page, place);
      // Without it the page has a button for it.
      await context.wakes.add(HOME, id, REFRESH.first).catch(() => undefined);
      return { id };
    },
    input: async (id, event) => takeInput(id, event, context),
    refresh: async (params) => {
      const id: unknown = Array.isArray(params) ? params[0] : undefined;
      if (typeof id === 'string') await refresh(id, context);
    },
  };
}

async function refresh(id: string, context: PageContext): Promise<void> {
  const { drawings, now, tracker } = context;
  const put = drawings.beginUnasked();
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
  context: PageContext,
): Promise<void> {
  const [, tab = '', name = '', argument] =
    /^home\.(\w+)\.(\w+)(?::(.*))?$/su.exec(event.name ?? '') ?? [];
  const ofTab = Object.hasOwn(actions, tab) ? actions[tab] : undefined;
  const action = ofTab && Object.hasOwn(ofTab, name) ? ofTab[name] : undefined;
  if (!action) return;
  const { interfaces, now, drawings, loadTranslate } = context;
  const put = drawings.begin();
  const known = await interfaces.fetchContext(id);
  const place = { ...readPlace(known, now()), notices: [], touchedAt: now() };
  const input: HomeInput = {
    ...(argument === undefined ? {} : { argument }),
    values: await readValues(id, event, context),
    translate: await loadTranslate(),
    redraw: async (next) =>
      show({ id, put }, { place: toKept(next) }, context).catch(() => undefined),
  };
  const run = async (): Promise<HomePlace> => {
    await settle(context);
    return action(input, place, context);
  };
  const drawing = await toDrawing(id, { run, place, input }, context);
  // Who went elsewhere meanwhile is fetched back only to be told something.
  const isTold = drawing.place.notices.length > 0;
  const last = isTold ? drawings.begin() : put;
  await show({ id, put: last }, drawing, context);
  await wakeAgain(id, context).catch(() => undefined);
}

// Of what is filled in, what the event is about.
async function readValues(
  id: string,
  event: UserInputEvent,
  { interfaces }: AppContext,
): Promise<Record<string, Json>> {
  if (event.type === UserInputEventType.FormSubmitEvent) return { ...event.value };
  if (event.type === UserInputEventType.InputChangeEvent) return { value: event.value };
  return interfaces.fetchValues(id);
}

// A step has its form: whoever only looks something up loses nothing of what was typed.
async function toDrawing(
  id: string,
  done: { run: () => Promise<HomePlace>; place: HomePlace; input: HomeInput },
  { interfaces }: AppContext,
): Promise<Drawing> {
  const { run, place, input } = done;
  const fetchTyped = async (): Promise<Record<string, Json>> =>
    interfaces.fetchValues(id).catch(() => ({}));
  try {
    const next = toKept(await run());
    const isSameForm =
      place.step !== undefined &&
      place.tab === next.tab &&
      place.item === next.item &&
      place.step === next.step;
    return isSameForm ? { place: next, typed: await fetchTyped() } : { place: next };
  } catch (error) {
    const notices = [toFailure(error, input.translate)];
    return { place: toKept({ ...place, notices }), typed: await fetchTyped() };
  }
}

// What takes time is preceded by what is known, so that a click is seen to do something.
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

// A dialog can have taken the page's place; anything else is a fault.
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

// What is known of a page beside what it shows; undefined if it is gone.
async function findKnown(
  id: string,
  { interfaces }: AppContext,
): Promise<Record<string, Json> | undefined> {
  try {
    const known = await interfaces.fetchContext(id);
    return isObject(known) ? known : {};
  } catch {
    return undefined;
  }
}

async function wakeAgain(id: string, { wakes }: AppContext): Promise<void> {
  if (!(await wakes.has(HOME, id))) await wakes.add(HOME, id, REFRESH.next);
}

type Content = { draw?: DrawTab; failures: Notice[]; totals?: HomeTotals };

// Whatever fails is told on the page.
async function drawPage(
  { place, typed = {}, isQuick = false }: Drawing,
  context: AppContext,
): Promise<JSXElement> {
  const translate = await context.loadTranslate();
  const isLocked = !isQuick && (await context.isLocked());
  const load = isQuick || isLocked ? loadKnown : loadAll;
  const [{ draw, failures, totals }, inClear] = await Promise.all([
    load(place, translate, context),
    // Nothing else tells that it is damaged: what is read of it is taken for not known.
    context.publicStore.read().then(
      () => [],
      (error: unknown) => [toFailure(error, translate)],
    ),
  ]);
  // A document that is not valid fails everything that reads it, with the same words.
  const told = new Map([...failures, ...inClear].map((each) => [each.text, each]));
  return HomeFrame({
    translate,
    tab: place.tab,
    notices: [...place.notices, ...told.values()],
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
  const load = tabs[place.tab].loadKnown;
  if (!load) return { failures: [] };
  try {
    return { draw: await load(place, context), failures: [] };
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
  const warnings = damaged.status === 'fulfilled' ? toWarnings(damaged.value) : [];
  const told = {
    failures: [...failures, ...warnings],
    ...(totals.status === 'fulfilled' ? { totals: totals.value } : {}),
  };
  if (loaded.status === 'fulfilled') return { ...told, draw: loaded.value };
  const { draw } = await loadKnown(place, translate, context);
  return { ...told, ...(draw ? { draw } : {}) };
}

function toWarnings(damaged: readonly SetAside[]): Notice[] {
  return damaged
    .flatMap(({ problem }) => problem ?? [])
    .slice(0, MAX_DAMAGED)
    .map((problem) => warning(toShownText(problem, MAX_FAILURE).text));
}

async function loadTotals({ requests, ledger }: AppContext): Promise<HomeTotals> {
  const [waiting, pending] = await Promise.all([requests.list(), ledger.listPending()]);
  return { requests: waiting.length, pending: pending.length };
}

/** What waits, over all accounts. */
type HomeTotals = { requests: number; pending: number };

/** The page around a tab. */
export type HomeFrameView = {
  translate: Translate;
  tab: TabName;
  notices: readonly Notice[];
  isLocked: boolean;
  /** Undefined where they are not known. */
  totals: HomeTotals | undefined;
  /** What the tab draws; undefined if there is nothing to draw. */
  content: BoxElement | undefined;
};

/** Draws the page. */
export function HomeFrame(view: HomeFrameView): BoxElement {
  const { translate, tab, notices, isLocked, totals, content } = view;
  return (
    <Box>
      {tabRows.map((row) => (
        <Box direction="horizontal" alignment="space-between">
          {row.map((name) => (
            <Button name={`home.frame.tab:${name}`} size="sm" disabled={name === tab}>
              {translate(tabs[name].label)}
            </Button>
          ))}
        </Box>
      ))}
      {drawNotices(notices, translate)}
      {totals ? drawTotals(totals, translate) : null}
      <Divider />
      {isLocked ? <Text>{translate('home.locked')}</Text> : null}
      {content ?? null}
      <Button name="home.frame.refresh">{translate('home.refresh')}</Button>
    </Box>
  );
}

function drawTotals(
  { requests, pending }: HomeTotals,
  translate: Translate,
): BoxElement | null {
  if (requests + pending === 0) return null;
  return (
    <Box>
      <Field
        label={translate('home.totalRequests')}
        value={toShownCount(requests, translate)}
      />
      <Field
        label={translate('home.totalPending')}
        value={toShownCount(pending, translate)}
      />
    </Box>
  );
}

/** Puts a drawing on its page unless a later one has gone before; tells whether it did. */
type Put = (update: () => Promise<unknown>) => Promise<boolean>;

/**
 * Which drawing of a page stands, as several run at once: a user clicks while the last click
 * still loads, or while a background event does. The one that was asked for last stands.
 */
type Drawings = {
  /** Begins what a user asked for: only what a user asks for later goes before it. */
  begin: () => Put;
  /** Begins what nobody asked for: it gives way to anything that a user asks for meanwhile. */
  beginUnasked: () => Put;
};

// A worker that was stopped draws nothing any more: what is kept here need not outlive it.
function createDrawings(): Drawings {
  let asked = 0;
  let steps = 0;
  return {
    begin: () => {
      asked += 1;
      const mine = asked;
      return async (change) => {
        if (mine !== asked) return false;
        steps += 1;
        await change();
        // Whoever read the page while it was changing has an old one in hand.
        steps += 1;
        return true;
      };
    },
    beginUnasked: () => {
      const [askedBefore, stepsBefore] = [asked, steps];
      return async (change) => {
        if (asked !== askedBefore || steps !== stepsBefore) return false;
        await change();
        return true;
      };
    },
  };
}
