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
export type OpenDialog = {
  /** What the snap has drawn last. */
  content: () => JSXElement;
  /** Name of the button that approves what the snap has drawn last. */
  approval: () => string;
  /** Whether that button can be pressed. */
  canApprove: () => boolean;
  /** Press a button, whether or not it is the newest. */
  press: (name: string) => Promise<void>;
  /** Choose or type something; the snap is told of it only if `isTold`. */
  fill: (name: string, value: string, isTold?: boolean) => Promise<void>;
  /** Let so much time pass that fees are refreshed. */
  refresh: () => Promise<void>;
};

/** Has a site ask for something, and does something with the dialog that opens. Whatever is
 * left open then is approved as it stands. */
export async function withDialog<Result>(
  { entry, edges }: TestApp,
  ask: () => Promise<Result>,
  use: (dialog: OpenDialog) => Promise<void>,
): Promise<Result> {
  const { screens, dialogs } = edges;
  const before = dialogs.answer;
  let failure: unknown;
  dialogs.answer = async (_content, id) => {
    const content = (): JSXElement => screens.get(id) as JSXElement;
    const approval = (): string => buttonOf(content(), 'approve');
    try {
      await use({
        content,
        approval,
        canApprove: () =>
          elementsOf(content()).some(
            ({ props }) => props.name === approval() && props.disabled !== true,
          ),
        press: async (name) => click(entry, id, name),
        fill: async (name, value, isTold = true) => {
          screens.filled = { ...screens.filled, [name]: value };
          const event = { type: UserInputEventType.InputChangeEvent, name, value };
          if (isTold) await entry.onUserInput({ id, event, context: null } as never);
        },
        refresh: async () => {
          pass(edges, 10_000);
          await settle();
        },
      });
    } catch (error) {
      failure = error;
    } finally {
      dialogs.answer = before;
    }
    const answer = (await approve(content())) as { values: Record<string, Json> };
    return { ...answer, values: { ...answer.values, ...screens.filled } };
  };
  const result = await ask();
  if (failure !== undefined) throw failure as Error;
  return result;
}
