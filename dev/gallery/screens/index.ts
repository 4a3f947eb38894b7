// All screens, in the order of the gallery.
import type { Screen } from '../screen';
import { accessScreens } from './access';
import { describedScreens } from './described';
import { homeScreens } from './home';
import { messageScreens } from './messages';
import { transactionScreens } from './transactions';

export const allScreens: readonly Screen[] = [
  ...accessScreens,
  ...messageScreens,
  ...transactionScreens,
  ...describedScreens,
  ...homeScreens,
];
