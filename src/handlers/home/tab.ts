// What a tab of the home page is: a record of functions. Its data are loaded, then drawn by
// a pure view; what users do is an action by its name.
import type { BoxElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import type { Ledger } from '../../activity/ledger';
import type { Tracker } from '../../activity/tracker';
import type { Chain } from '../../chains/chain';
import type { ExamineServer } from '../../chains/probe';
import type { FeeLevels } from '../../fees/level';
import type { Requests } from '../../keyring/requests';
import type { RouteServices } from '../../methods';
import type { Interfaces } from '../../platform/interfaces';
import type { TextKey, Translate } from '../../ui/i18n';
import type { Consent } from '../consent';
import type { ManagementServices } from '../management-request';
import type { HomePlace } from './place';

/** What the home page works with. */
export type HomeServices = ManagementServices & {
  interfaces: Interfaces;
  /** Wakes the snap so that pages are drawn anew. */
  wakes: {
    /** Tell whether an event for a page is due. */
    has: (method: string, id: string) => Promise<boolean>;
    /** Have `onCronjob` called in some seconds. */
    add: (method: string, id: string, seconds: number) => Promise<void>;
  };
  loadTranslate: () => Promise<Translate>;
  isLocked: () => Promise<boolean>;
  now: () => number;
  tracker: Pick<Tracker, 'arm' | 'poll'>;
  ledger: Ledger;
  requests: Pick<Requests, 'list' | 'get' | 'approve' | 'reject'>;
  consent: Consent;
  examine: ExamineServer;
  methodServices: RouteServices;
  feeLevels: (chain: Chain) => Promise<FeeLevels>;
};

/** What a user did: what the control's name says after a colon, and what is filled in. */
export type HomeInput = {
  argument?: string;
  /** Of a button: all fields and forms of the page by name. Of a form that was submitted:
   * its fields. Of a field that changed: `value`. */
  values: Record<string, Json>;
  /** Draw the page while the action still runs; never fails. */
  redraw: (place: HomePlace) => Promise<void>;
};

/**
 * Does what a user asked for.
 *
 * @returns The place to go to, with notices of what was done. If it throws, the page stays
 * where it is and tells why.
 */
export type Action = (
  input: HomeInput,
  place: HomePlace,
  services: HomeServices,
) => HomePlace | Promise<HomePlace>;

/** What every tab's view gets beside its data. */
export type HomeView = {
  translate: Translate;
  place: HomePlace;
  /** In ms since 1970. */
  now: number;
  /** What was typed when an action failed, or stays where the form is, by names of fields and
   * forms: it is not lost if it is given back as `value`. Empty otherwise: leave `value` to
   * what is stored. */
  typed: Record<string, Json>;
};

type Load<Data> = (place: HomePlace, services: HomeServices) => Promise<Data>;

/** What a tab is made of. */
export type TabDefinition<Data> = {
  label: TextKey;
  /** Whether it is drawn anew again and again while it is shown; one with fields is not. */
  isLive: boolean;
  /** Load what can be had at once: from the public document alone, while the wallet is
   * locked or everything else fails. Without it the tab waits for {@link load}. */
  loadKnown?: Load<Data>;
  load: Load<Data>;
  /** Draw it; pure. */
  draw: (data: Data, view: HomeView) => BoxElement;
  /** By the name that stands behind `home.<tab>.`. */
  actions: Record<string, Action>;
};

/** Draws what was loaded. */
export type DrawTab = (view: HomeView) => BoxElement;

/** A tab, whatever its data are. */
export type Tab = Pick<TabDefinition<unknown>, 'label' | 'isLive' | 'actions'> & {
  loadKnown?: Load<DrawTab>;
  load: Load<DrawTab>;
};

/** Define a tab. */
export function defineTab<Data>({
  loadKnown,
  load,
  draw,
  ...others
}: TabDefinition<Data>): Tab {
  const drawing =
    (read: Load<Data>): Load<DrawTab> =>
    async (place, services) => {
      const data = await read(place, services);
      return (view) => draw(data, view);
    };
  return {
    ...others,
    load: drawing(load),
    ...(loadKnown ? { loadKnown: drawing(loadKnown) } : {}),
  };
}
