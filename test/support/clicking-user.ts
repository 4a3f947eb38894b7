// A user who answers every dialog by a click, as the wallet tells the snap of it.
import { UserInputEventType } from '@metamask/snaps-sdk';

import type { FakePlatform } from './platform';

/** What the user clicks on. */
export type ClickingUser = { clicks: string };

/** Have a platform's dialogs answered: by approving, until something else is said. */
export function answerByClicks(
  platform: FakePlatform,
  onUserInput: (input: unknown) => Promise<unknown>,
): ClickingUser {
  const user: ClickingUser = { clicks: 'approve:1' };
  let drawn = 0;
  platform.answers.snap_createInterface = () => {
    drawn += 1;
    return Promise.resolve(`dialog-${drawn}`);
  };
  platform.answers.snap_dialog = ({ id }) =>
    new Promise((resolve) => {
      platform.answers.snap_resolveInterface = ({ value = null }) => {
        resolve(value);
        return Promise.resolve(null);
      };
      const event = { type: UserInputEventType.ButtonClickEvent, name: user.clicks };
      void onUserInput({ id, event, context: null });
    });
  return user;
}
