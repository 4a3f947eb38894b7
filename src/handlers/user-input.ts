// Buttons of our dialogs: a table from event name to what is answered. No closures, so
// that a button works after the snap was stopped and started again.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { UserInputEvent } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';

import { APPROVE, REFUSE } from '../ui/components/Confirmation';

/** What handling a button needs. */
export type UserInputServices = {
  answerDialog: (id: string, value: Json) => Promise<void>;
  /** Fetch what is filled into a dialog, by field name. */
  fetchDialogValues: (id: string) => Promise<Json>;
};

type Handler = (id: string, services: UserInputServices) => Promise<void>;

const buttons: Record<string, Handler> = {
  [APPROVE]: async (id, { answerDialog, fetchDialogValues }) =>
    answerDialog(id, { approved: true, values: await fetchDialogValues(id) }),
  [REFUSE]: async (id, { answerDialog }) =>
    answerDialog(id, { approved: false, values: {} }),
};

/** Handle a user's input; what is no button of ours is let be. */
export async function handleUserInput(
  { id, event }: { id: string; event: UserInputEvent },
  services: UserInputServices,
): Promise<void> {
  if (event.type !== UserInputEventType.ButtonClickEvent) return;
  const { name = '' } = event;
  if (Object.hasOwn(buttons, name)) await buttons[name]?.(id, services);
}
