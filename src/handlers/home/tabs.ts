// The tabs of the home page: one row each.
import { accountsTab } from './accounts';
import { gasTab } from './gas';
import type { TabName } from './place';
import { settingsTab } from './settings';
import { sitesTab } from './sites';
import type { Tab } from './tab';

/** Every tab by its name. */
export const tabs: Readonly<Record<TabName, Tab>> = {
  gas: gasTab,
  accounts: accountsTab,
  sites: sitesTab,
  settings: settingsTab,
};
