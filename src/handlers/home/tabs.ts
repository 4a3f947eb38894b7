// The tabs of the home page: one row each.
import { gasTab } from './gas';
import type { TabName } from './place';
import { sitesTab } from './sites';
import type { Tab } from './tab';

/** Every tab by its name. */
export const tabs: Readonly<Record<TabName, Tab>> = {
  gas: gasTab,
  sites: sitesTab,
};
