// What users do with our dialogs and on the home page. Buttons are names, never closures: they
// work after the snap was stopped, too.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { UserInputEvent } from '@metamask/snaps-sdk';

import { HOME_PREFIX } from '../home/page';
import type { HomePage } from '../home/page';
import { findPress, REFUSE } from '../ui/confirmation';
import type { LiveDialogs } from './live-dialogs';

/** What handling input needs. */
export type UserInputServices = {
  dialogs: Pick<LiveDialogs, 'input' | 'press' | 'refuse'>;
  home: Pick<HomePage, 'input'>;
};

/**
 * Handles a user's input; what is no control of ours is let be.
 *
 * @throws {NotFoundError} If it answers a dialog that does not wait for an answer.
 */
export async function handleUserInput(
  { id, event }: { id: string; event: UserInputEvent },
  { dialogs, home }: UserInputServices,
): Promise<void> {
  const { name = '' } = event;
  if (name.startsWith(HOME_PREFIX)) return home.input(id, event);
  if (event.type === UserInputEventType.InputChangeEvent) {
    return dialogs.input(id, { name, value: event.value });
  }
  if (event.type !== UserInputEventType.ButtonClickEvent) return undefined;
  if (name === REFUSE) return dialogs.refuse(id);
  const press = findPress(name);
  return press && dialogs.press(id, press);
}
