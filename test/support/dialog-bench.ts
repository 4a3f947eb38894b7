// Dialogs that change, over interfaces in memory and a clock that a test moves.
import { Text } from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { createLiveDialogs } from '../../src/handlers/live-dialogs';
import type { LiveDialogs } from '../../src/handlers/live-dialogs';
import { createFakeInterfaces, createScreens } from './fake-interfaces';
import { createGate, settle } from './gate';

/** Draw a text. */
export const draw = (text: string): JSXElement => Text({ children: text });

/** What a test does with a dialog. */
export type DialogBench = {
  dialogs: LiveDialogs;
  screens: Map<string, JSXElement>;
  /** Answer the dialog. */
  answer: (value: Json) => void;
  /** Let the time of a refresh pass. */
  pass: () => Promise<void>;
  slept: number[];
};

/** Set up the one who shows dialogs. */
export function createDialogBench(): DialogBench {
  const screens = createScreens();
  const slept: number[] = [];
  let wake = (): void => undefined;
  const gate = createGate();
  let answered: Json = null;
  const dialogs = createLiveDialogs({
    interfaces: createFakeInterfaces(screens),
    showDialog: async () => {
      await gate.opened;
      return answered;
    },
    sleep: (ms) => {
      slept.push(ms);
      return new Promise((resolve) => (wake = resolve));
    },
  });
  return {
    dialogs,
    screens,
    slept,
    answer: (value) => {
      answered = value;
      gate.open();
    },
    pass: async () => {
      wake();
      await settle();
    },
  };
}

/** The interface of the first dialog. */
export const ID = 'interface-1';
