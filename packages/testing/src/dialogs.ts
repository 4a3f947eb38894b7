// The wallet's screens in memory, and a simulated user who sees each dialog as data, decides, fills
// in fields and presses buttons.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import type { EntryPoints } from '../../../src/entry-points';
import type { Edges } from '../../../src/platform/edges';
import type { Interfaces } from '../../../src/platform/shared-edges';
import { toFieldValues, toReview } from './review';
import type { Decision, Review, Shown } from './review';
import { elementsOf, valuesOf } from './view';

/** The current content of each interface by id, with its context and values. */
export class Screens extends Map<string, JSXElement> {
  readonly contexts = new Map<string, Record<string, Json>>();
  readonly entered = new Map<string, Record<string, Json>>();
}

export function createInterfaces(screens: Screens): Interfaces {
  const show: Interfaces['update'] = async (id, content, context) => {
    screens.set(id, content);
    // A field keeps its value unless the screen sets it.
    screens.entered.set(id, { ...screens.entered.get(id), ...valuesOf(content) });
    if (context) screens.contexts.set(id, structuredClone(context));
    return Promise.resolve();
  };
  const assertShown = (id: string): void => {
    if (!screens.has(id)) throw new Error('The interface is not shown.');
  };
  return {
    create: async (content, context) => {
      const id = `interface-${screens.size + 1}`;
      await show(id, content, context);
      return id;
    },
    update: async (id, content, context) => {
      assertShown(id);
      await show(id, content, context);
    },
    fetchContext: async (id) => {
      assertShown(id);
      return Promise.resolve(structuredClone(screens.contexts.get(id) ?? null));
    },
    fetchValues: async (id) => Promise.resolve(screens.entered.get(id) ?? {}),
  };
}

type Action = { press: 'approve' | 'refuse' } | { answer: Json };

type DialogUser = {
  /** Decides on a dialog; called again while the dialog stays open. */
  decide: (id: string) => Promise<Action>;
  press: (id: string, name: string) => Promise<void>;
  tick: (id: string, name: string) => Promise<void>;
};

/** Maximum attempts to answer a dialog, which asks again if fees have risen. */
const MAX_PRESSES = 5;

/** To approve a dialog, the user acknowledges dangers and visits pages while the button is
 * disabled, and presses the button until the dialog is answered. */
export function createDialogs(
  screens: Screens,
  user: DialogUser,
): Pick<Edges, 'showDialog' | 'answerDialog'> {
  const open = new Map<string, (answer: Json) => void>();
  const use = async (id: string): Promise<void> => {
    for (let count = 0; open.has(id); count += 1) {
      if (count === MAX_PRESSES) {
        throw new Error(
          `The dialog is still open after ${MAX_PRESSES} button presses.`,
        );
      }
      const action = await user.decide(id);
      if ('answer' in action) open.get(id)?.(action.answer);
      else await press(id, action.press);
    }
  };
  const press = async (id: string, prefix: string): Promise<void> => {
    const elements = elementsOf(screens.get(id));
    const find = (type: string, form: RegExp) =>
      elements.findLast(
        (each) => each.type === type && form.test(String(each.props.name)),
      )?.props;
    const found = find('Button', new RegExp(`^${prefix}`, 'u'));
    // An informational dialog has no buttons; the user closes it.
    if (!found) return open.get(id)?.(null);
    const box = find('Checkbox', /^acknowledge:/u);
    const turn = find('Button', /^page:/u);
    if (found.disabled === true && box?.checked === false) {
      await user.tick(id, String(box.name));
      return press(id, prefix);
    }
    const isWaiting = found.disabled === true && turn && turn.disabled !== true;
    await user.press(id, String((isWaiting ? turn : found).name));
    return isWaiting ? press(id, prefix) : undefined;
  };
  return {
    showDialog: async (id) =>
      new Promise((resolve, reject) => {
        open.set(id, (answer) => {
          open.delete(id);
          resolve(answer);
        });
        use(id).catch(reject);
      }),
    answerDialog: async (id, value) => {
      const answer = open.get(id);
      if (!answer) throw new Error('The dialog is not open.');
      return Promise.resolve(answer(value));
    },
  };
}

export type DecideOn = (review: Review) => Promise<Decision>;

export function createUser({
  screens,
  shown,
  decideOn,
  accounts,
  onUserInput,
  sleep,
}: {
  screens: Screens;
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
  const fill = async (id: string, name: string, value: Json): Promise<void> => {
    screens.entered.set(id, { ...screens.entered.get(id), [name]: value });
    await send(id, { type: UserInputEventType.InputChangeEvent, name, value });
  };
  const decide = async (id: string): Promise<Decision> => {
    // Waits until the dialog shows the simulation's result.
    await getShown(id).pending;
    await sleep(0);
    const decision = await decideOn(getShown(id), () =>
      toReview(getContent(id), getShown(id)),
    );
    decided.set(id, decision);
    if (decision === 'reject') return decision;
    for (const [name, value] of toFieldValues(getContent(id), decision, accounts)) {
      await fill(id, name, value);
    }
    return decision;
  };
  return createDialogs(screens, {
    // A dialog that asks again because fees have risen gets the same decision.
    decide: async (id) => {
      const decision = decided.get(id) ?? (await decide(id));
      return { press: decision === 'reject' ? 'refuse' : 'approve' };
    },
    press: async (id, name) =>
      send(id, { type: UserInputEventType.ButtonClickEvent, name }),
    tick: async (id, name) => fill(id, name, true),
  });
}
