// A screen of the gallery: a view with the data of one state that it can be in.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { FIRST_FRAME } from '../../src/ui/confirmation';
import type { Frame, PagedView } from '../../src/ui/confirmation';
import type { Translate } from '../../src/ui/i18n';

export type Screen = {
  /** The view's own name, as it is exported. */
  view: string;
  /** The state, in words. */
  state: string;
  draw: (translate: Translate) => JSXElement | Promise<JSXElement>;
};

/** Make the screens of a view: its data by the state that they show, and what else its frame
 * is. */
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

/** Name a screen in words that can be a file's name. */
export function nameOf({ view, state }: Screen): string {
  const words = `${view.replace(/Confirmation$|View$/u, '')} ${state}`;
  return words
    .replace(/(?<=[a-z])(?=[A-Z])/gu, '-')
    .replace(/\W+/gu, '-')
    .toLowerCase();
}
