// The tabs of the home page: one row each.
import { accountsTab } from './accounts';
import { activityTab } from './activity';
import { gasTab } from './gas';
import type { TabName } from './place';
import { requestsTab } from './requests';
import { settingsTab } from './settings';
import { sitesTab } from './sites';
import type { Tab } from './tab';

/** Every tab by its name. */
export const tabs: Readonly<Record<TabName, Tab>> = {
  gas: gasTab,
  accounts: accountsTab,
  activity: activityTab,
  requests: requestsTab,
  sites: sitesTab,
  settings: settingsTab,
};
