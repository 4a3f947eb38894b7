// The tabs of the home page: one row each.
import type { TabName } from './place';
import { sitesTab } from './sites';
import type { Tab } from './tab';

/** Every tab by its name. */
export const tabs: Readonly<Record<TabName, Tab>> = { sites: sitesTab };
