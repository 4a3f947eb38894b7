// A dialog that is open, and a user who may press what MetaMask still shows: its window shows
// an update up to 200 ms after the snap has sent it.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { settle } from './gate';
import { approve, click } from './test-app';
import type { TestApp } from './test-app';
import { pass } from './test-edges';
import { buttonOf, elementsOf } from './view';

/** A dialog that is open. */
export type OpenDialog = ReturnType<typeof operate>;

/** Has a site ask for something, and does something with the dialog that opens. Whatever is
 * left open then is approved as it is. */
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
    /** What the snap has drawn last. */
    content,
    /** Name of the button that approves what the snap has drawn last. */
    approval,
    /** Whether that button can be pressed. */
    canApprove: () =>
      elementsOf(content()).some(
        ({ props }) => props.name === approval() && props.disabled !== true,
      ),
    /** Presses a button, whether or not it is the newest. */
    press: async (name: string) => click(entry, id, name),
    /** Chooses or types something; the snap gets an event only if `isSent`. */
    fill: async (name: string, value: string, isSent = true) => {
      screens.filled = { ...screens.filled, [name]: value };
      const event = { type: UserInputEventType.InputChangeEvent, name, value };
      if (isSent) await entry.onUserInput({ id, event, context: null } as never);
    },
    /** Lets so much time pass that fees are refreshed. */
    refresh: async () => {
      pass(edges, 10_000);
      await settle();
    },
  };
}
