// An open dialog, and a user who may press buttons on an outdated screen, because MetaMask's window
// shows an update up to 200 ms after the snap sends it.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { settle } from './gate';
import { approve, click } from './test-app';
import type { TestApp } from './test-app';
import { advanceTime } from './test-edges';
import { buttonOf, elementsOf } from './view';

export type OpenDialog = ReturnType<typeof operate>;

/**
 * Sends a site's request, runs a function on the dialog that opens, and approves the dialog if it
 * is still open afterwards.
 */
export async function withDialog<Result>(
  app: TestApp,
  ask: () => Promise<Result>,
  use: (dialog: OpenDialog) => Promise<void>,
): Promise<Result> {
  const { screens, dialogs } = app.edges;
  const before = dialogs.answer;
  let failure: unknown;
  dialogs.answer = async (_content, id) => {
    const dialog = operate(app, id);
    try {
      await use(dialog);
    } catch (error) {
      failure = error;
    } finally {
      dialogs.answer = before;
    }
    const answer = (await approve(dialog.content())) as {
      values: Record<string, Json>;
    };
    return { ...answer, values: { ...answer.values, ...screens.filled } };
  };
  const result = await ask();
  if (failure !== undefined) throw failure as Error;
  return result;
}

function operate({ entry, edges }: TestApp, id: string) {
  const { screens } = edges;
  const content = (): JSXElement => screens.get(id) as JSXElement;
  const approval = (): string => buttonOf(content(), 'approve');
  return {
    content,
    approval,
    canApprove: () =>
      elementsOf(content()).some(
        ({ props }) => props.name === approval() && props.disabled !== true,
      ),
    /** Presses a button, even one on an outdated screen. */
    press: async (name: string) => click(entry, id, name),
    /** Fills in a field; the snap receives an event only if `isSent`. */
    fill: async (name: string, value: string, isSent = true) => {
      screens.filled = { ...screens.filled, [name]: value };
      const event = { type: UserInputEventType.InputChangeEvent, name, value };
      if (isSent) await entry.onUserInput({ id, event, context: null } as never);
    },
    refresh: async () => {
      advanceTime(edges, 10_000);
      await settle();
    },
  };
}
