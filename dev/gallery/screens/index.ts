// All screens, in the order of the gallery.
import type { Screen } from '../screen';
import { accessScreens, firstRunScreens } from './access';
import { describedScreens } from './described';
import {
  homeAccountScreens,
  homeActivityScreens,
  homeGasScreens,
  homeSettingsScreens,
} from './home';
import { insightScreens, messageScreens } from './messages';
import { callsScreens, operationScreens, transactionScreens } from './transactions';

export const allScreens: readonly Screen[] = [
  ...firstRunScreens,
  ...messageScreens,
  ...transactionScreens,
  ...callsScreens,
  ...operationScreens,
  ...describedScreens,
  ...accessScreens,
  ...insightScreens,
  ...homeGasScreens,
  ...homeAccountScreens,
  ...homeActivityScreens,
  ...homeSettingsScreens,
];
