// What users do with our dialogs: two buttons answer every one of them, also after the snap
// was stopped and started again; what else has a name is for the dialog that is open, or for
// the home page.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { UserInputEvent } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';

import { NotFoundError } from '../errors';
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
    const values = await dialogs.approve(id, async () =>
      whileOpen(interfaces.fetchValues(id)),
    );
    if (values) await whileOpen(answerDialog(id, { approved: true, values }));
  },
  [REFUSE]: async (id, { answerDialog }) =>
    whileOpen(answerDialog(id, { approved: false, values: {} })),
};

// A second click finds a dialog that is answered already, and one that is late finds none.
async function whileOpen<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (cause) {
    throw new NotFoundError('This dialog is open no more.', { cause });
  }
}

/**
 * Handle a user's input; what is no button of ours is let be.
 *
 * @throws {NotFoundError} If it answers a dialog that does not wait for an answer.
 */
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
