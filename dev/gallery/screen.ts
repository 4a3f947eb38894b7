// Defines a screen of the gallery: one of the snap's views, drawn in one state.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { Frame, PagedView } from '../../src/ui/confirmation';
import type { Translate } from '../../src/ui/i18n';

export const FIRST_FRAME: Frame = {
  number: 1,
  page: 0,
  seen: new Set(),
  acknowledged: new Set(),
  changes: [],
};

export type Screen = {
  view: string;
  state: string;
  draw: (translate: Translate) => JSXElement | Promise<JSXElement>;
};

/** Creates a screen for each state. A state may change the frame. */
export function screensOf<View extends { translate: Translate }>(
  view: (data: View) => JSXElement | PagedView,
  states: Record<string, Omit<View, 'translate'> & { frame?: Partial<Frame> }>,
): Screen[] {
  return Object.entries(states).map(([state, { frame, ...data }]) => ({
    view: view.name,
    state,
    draw: (translate) => {
      const drawn = view({ ...data, translate } as unknown as View);
      return 'draw' in drawn ? drawn.draw({ ...FIRST_FRAME, ...frame }) : drawn;
    },
  }));
}

/** Returns a name that is also a valid file name. */
export function nameOf({ view, state }: Screen): string {
  const words = `${view.replace(/Confirmation$|View$/u, '')} ${state}`;
  return words
    .replace(/(?<=[a-z])(?=[A-Z])/gu, '-')
    .replace(/\W+/gu, '-')
    .toLowerCase();
}
