// onHomePage, and what goes on with the page afterwards. It is drawn at once from the public
// document; a background event then loads fresh figures, again and again while it is shown.
import type { UserInputEvent } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { createDrawings } from './home/drawings';
import type { Drawings, Put } from './home/drawings';
import { toFailure } from './home/failure';
import { drawPage } from './home/frame';
import type { Drawing } from './home/frame';
import { findAction, readValues } from './home/input';
import { readPlace, startOf, tabNames, toKept } from './home/place';
import type { HomePlace } from './home/place';
import type { Action, HomeInput, HomeServices } from './home/tab';
import { tabs } from './home/tabs';

/** Name of the background event. */
export const HOME = 'tollkeeper_home';

/** What the names of the page's controls begin with. */
export const HOME_PREFIX = 'home.';

/** Seconds until figures are fresh: as soon as the wallet allows, then again and again. */
const REFRESH = { first: 1, next: 10 };

/** A page that nobody touches for so long is left as it is: each look costs quota. */
const IDLE_MS = 15 * 60_000;

/** The home page. */
export type HomePage = {
  /** Draw a new one. */
  open: () => Promise<{ id: string }>;
  /** Take what a user did on one. */
  input: (id: string, event: UserInputEvent) => Promise<void>;
  /** Draw one anew, for a background event with its params; one that is gone is let be. */
  refresh: (params: unknown) => Promise<void>;
};

type PageServices = HomeServices & { drawings: Drawings };

/** Create access to the home page. */
export function createHomePage(homeServices: HomeServices): HomePage {
  const services = { ...homeServices, drawings: createDrawings() };
  return {
    open: async () => {
      const place = startOf(tabNames[0], services.now());
      const page = await drawPage({ place, isQuick: true }, services);
      const id = await services.interfaces.create(page, place);
      // Without it the page has a button for it.
      await services.wakes.add(HOME, id, REFRESH.first).catch(() => undefined);
      return { id };
    },
    input: async (id, event) => takeInput(id, event, services),
    refresh: async (params) => {
      const id: unknown = Array.isArray(params) ? params[0] : undefined;
      if (typeof id === 'string') await refresh(id, services);
    },
  };
}

/** Answer `onHomePage`. */
export async function handleHomePage(
  _args: unknown,
  { home }: { home: Pick<HomePage, 'open'> },
): Promise<{ id: string }> {
  return home.open();
}

async function refresh(id: string, services: PageServices): Promise<void> {
  const { drawings, now, tracker } = services;
  const put = drawings.beginUnasked();
  const context = await findContext(id, services);
  if (context === undefined) return;
  await tracker.arm().catch(() => undefined);
  const place = readPlace(context, now());
  if (tabs[place.tab].isLive) {
    await settle(services);
    const page = await drawPage({ place }, services);
    await put(async () => update(id, page, { place, services }));
  }
  if (now() - place.touchedAt < IDLE_MS) await wakeAgain(id, services);
}

async function takeInput(
  id: string,
  event: UserInputEvent,
  services: PageServices,
): Promise<void> {
  const found = findAction(event.name ?? '');
  if (!found) return;
  const { interfaces, now, drawings } = services;
  const put = drawings.begin();
  const context = await interfaces.fetchContext(id);
  const place = { ...readPlace(context, now()), notices: [], touchedAt: now() };
  const values = await readValues(id, event, services);
  const redraw: HomeInput['redraw'] = async (next) =>
    show({ id, put }, { place: toKept(next) }, services).catch(() => undefined);
  const input = { ...found.argument, values, redraw };
  const drawing = await act(found.action, { input, place, id }, services);
  // Who went elsewhere meanwhile is fetched back only to be told something.
  const isTold = drawing.place.notices.length > 0;
  const last = isTold ? drawings.begin() : put;
  await show({ id, put: last }, drawing, services);
  await wakeAgain(id, services).catch(() => undefined);
}

async function act(
  action: Action,
  { input, place, id }: { input: HomeInput; place: HomePlace; id: string },
  services: HomeServices,
): Promise<Drawing> {
  try {
    await settle(services);
    const next = toKept(await action(input, place, services));
    if (!isSameForm(place, next)) return { place: next };
    return { place: next, typed: await fetchTyped(id, services) };
  } catch (error) {
    const notice = toFailure(error, await services.loadTranslate());
    const typed = await fetchTyped(id, services);
    return { place: toKept({ ...place, notices: [notice] }), typed };
  }
}

// A step has its form: whoever only looks something up loses nothing of what was typed.
function isSameForm(before: HomePlace, after: HomePlace): boolean {
  const { tab, item, step } = before;
  return (
    step !== undefined &&
    tab === after.tab &&
    item === after.item &&
    step === after.step
  );
}

async function fetchTyped(
  id: string,
  { interfaces }: HomeServices,
): Promise<Record<string, Json>> {
  return interfaces.fetchValues(id).catch(() => ({}));
}

// What takes time is preceded by what is known, so that a click is seen to do something.
async function show(
  { id, put }: { id: string; put: Put },
  drawing: Drawing,
  services: PageServices,
): Promise<void> {
  const { place } = drawing;
  const steps = tabs[place.tab].loadKnown ? [true, false] : [false];
  for (const isQuick of steps) {
    const page = await drawPage({ ...drawing, isQuick }, services);
    const isPut = await put(async () => update(id, page, { place, services }));
    if (!isPut) return;
  }
}

// A dialog can have taken the page's place; anything else is a fault.
async function update(
  id: string,
  page: JSXElement,
  { place, services }: { place: HomePlace; services: HomeServices },
): Promise<void> {
  try {
    await services.interfaces.update(id, page, place);
  } catch (error) {
    if ((await findContext(id, services)) !== undefined) throw error;
  }
}

async function settle({ isLocked, keyring }: HomeServices): Promise<void> {
  if (!(await isLocked())) await keyring.settle();
}

async function findContext(
  id: string,
  { interfaces }: HomeServices,
): Promise<Record<string, Json> | undefined> {
  try {
    const context = await interfaces.fetchContext(id);
    return isObject(context) ? context : {};
  } catch {
    return undefined;
  }
}

async function wakeAgain(id: string, { wakes }: HomeServices): Promise<void> {
  if (!(await wakes.has(HOME, id))) await wakes.add(HOME, id, REFRESH.next);
}
