// What users do with our dialogs: two buttons answer every one of them, also after the snap
// was stopped and started again; what else has a name is for the dialog that is open, or for
// the home page.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { UserInputEvent } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';

import type { Interfaces } from '../snap/interfaces';
import { APPROVE, REFUSE } from '../ui/components/Confirmation';
import { HOME_PREFIX } from './home-page';
import type { HomePage } from './home-page';
import type { LiveDialogs } from './live-dialogs';

/** What handling a button needs. */
export type UserInputServices = {
  answerDialog: (id: string, value: Json) => Promise<void>;
  interfaces: Pick<Interfaces, 'fetchValues'>;
  dialogs: Pick<LiveDialogs, 'input' | 'approve'>;
  home: Pick<HomePage, 'input'>;
};

type Handler = (id: string, services: UserInputServices) => Promise<void>;

const buttons: Record<string, Handler> = {
  [APPROVE]: async (id, { answerDialog, interfaces, dialogs }) => {
    const values = await dialogs.approve(id, async () => interfaces.fetchValues(id));
    if (values) await answerDialog(id, { approved: true, values });
  },
  [REFUSE]: async (id, { answerDialog }) =>
    answerDialog(id, { approved: false, values: {} }),
};

/** Handle a user's input; what is no button of ours is let be. */
export async function handleUserInput(
  { id, event }: { id: string; event: UserInputEvent },
  services: UserInputServices,
): Promise<void> {
  const { name = '' } = event;
  if (name.startsWith(HOME_PREFIX)) return services.home.input(id, event);
  const isClick = event.type === UserInputEventType.ButtonClickEvent;
  if (isClick && Object.hasOwn(buttons, name)) await buttons[name]?.(id, services);
  else if (isClick) await services.dialogs.input(id, { name });
  else if (event.type === UserInputEventType.InputChangeEvent) {
    await services.dialogs.input(id, { name, value: event.value });
  }
}
