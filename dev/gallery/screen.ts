// A screen of the gallery: a view with the data of one state that it can be in.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { Translate } from '../../src/ui/i18n';

/** A view in one state. */
export type Screen = {
  /** The view's own name, as it is exported. */
  view: string;
  /** The state, in words. */
  state: string;
  draw: (translate: Translate) => JSXElement;
};

/** Make the screens of a view: its data by the state that they show. */
export function screensOf<View extends { translate: Translate }>(
  view: (data: View) => JSXElement,
  states: Record<string, Omit<View, 'translate'>>,
): Screen[] {
  return Object.entries(states).map(([state, data]) => ({
    view: view.name,
    state,
    draw: (translate) => view({ ...data, translate } as View),
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
