// The first run: the welcome's steps, and what is new.
import { News, Welcome } from '../../../src/home/greeting';
import { screensOf } from '../screen';
import type { Screen } from '../screen';

/** Screens of the first run. */
export const firstRunScreens: Screen[] = [
  ...screensOf(Welcome, {
    'step 1': {},
    'step 2': { frame: { page: 1 } },
    'step 3': { frame: { page: 2 } },
  }),
  ...screensOf(News, { 'of a version': { version: '0.2.0' } }),
];
