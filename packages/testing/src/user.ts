// The user of a test wallet: sees each dialog as data, decides, fills in and presses.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { EntryPoints } from '../../../src/entry-points';
import { ProviderRpcError } from '../../provider/src/eip1193';
import { createDialogs } from './dialogs';
import type { Screens } from './dialogs';
import { toFilled, toReview } from './review';
import type { Decide, Decision, Review, Shown } from './review';

/** Decides on a review. */
export type DecideOn = (review: Review) => Promise<Decision>;

/** Creates the way to a decision, which notes each review. `getDecide` gets who decides now. */
export function createDecideOn(getDecide: () => Decide, reviews: Review[]): DecideOn {
  return async (review) => {
    reviews.push(review);
    const decide = getDecide();
    if (typeof decide === 'function') return decide(review);
    if (!Array.isArray(decide)) return decide;
    const next = decide.shift();
    if (next !== undefined) return next;
    const { method, title } = review;
    throw new ProviderRpcError(-32603, `No decision is left for ${method}: ${title}`);
  };
}

/** Creates the dialogs that a user answers. */
export function createUser({
  screens,
  shown,
  decideOn,
  accounts,
  onUserInput,
  sleep,
}: {
  screens: Screens;
  /** What each screen was drawn from. */
  shown: WeakMap<JSXElement, Shown>;
  decideOn: (shown: Shown, read: () => Review) => Promise<Decision>;
  accounts: readonly { id: string; address: string }[];
  onUserInput: EntryPoints['onUserInput'];
  sleep: (ms: number) => Promise<void>;
}): ReturnType<typeof createDialogs> {
  const decided = new Map<string, Decision>();
  const getContent = (id: string): JSXElement => screens.get(id) as JSXElement;
  const getShown = (id: string): Shown => shown.get(getContent(id)) as Shown;
  const send = async (id: string, event: object): Promise<void> => {
    await onUserInput({ id, event, context: null } as never);
  };
  const decide = async (id: string): Promise<Decision> => {
    // With its result the dialog is drawn anew.
    await getShown(id).pending;
    await sleep(0);
    const decision = await decideOn(getShown(id), () =>
      toReview(getContent(id), getShown(id)),
    );
    decided.set(id, decision);
    if (decision === 'reject') return decision;
    for (const [name, value] of toFilled(getContent(id), decision, accounts)) {
      screens.entered.set(id, { ...screens.entered.get(id), [name]: value });
      await send(id, { type: UserInputEventType.InputChangeEvent, name, value });
    }
    return decision;
  };
  return createDialogs(screens, {
    // A dialog that asks again, since fees have risen, is decided on already.
    decide: async (id) => {
      const decision = decided.get(id) ?? (await decide(id));
      return { press: decision === 'reject' ? 'refuse' : 'approve' };
    },
    press: async (id, name) =>
      send(id, { type: UserInputEventType.ButtonClickEvent, name }),
  });
}
