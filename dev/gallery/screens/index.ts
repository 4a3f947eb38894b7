// Every screen there is. A new view needs a line here or in one of these files; the test of
// the gallery names those that have none.
import type { Screen } from '../screen';
import { accessScreens } from './access';
import { callsScreens } from './calls';
import { firstRunScreens } from './first-run';
import { homeAccountScreens } from './home-accounts';
import { homeActivityScreens } from './home-activity';
import { homeGasScreens } from './home-gas';
import { homeSettingsScreens } from './home-settings';
import { insightScreens } from './insights';
import { messageScreens } from './messages';
import { operationScreens } from './operations';
import { transactionScreens } from './transactions';

/** Every screen, in the order of the gallery. */
export const allScreens: readonly Screen[] = [
  ...firstRunScreens,
  ...messageScreens,
  ...transactionScreens,
  ...callsScreens,
  ...operationScreens,
  ...accessScreens,
  ...insightScreens,
  ...homeGasScreens,
  ...homeAccountScreens,
  ...homeActivityScreens,
  ...homeSettingsScreens,
];
