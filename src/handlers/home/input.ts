// What a user did on the home page: which action is meant, and what is filled in.
import { UserInputEventType } from '@metamask/snaps-sdk';
import type { UserInputEvent } from '@metamask/snaps-sdk';
import type { Json } from '@metamask/utils';

import { frameActions } from './frame';
import { tabNames } from './place';
import type { Action, HomeInput, HomeServices } from './tab';
import { tabs } from './tabs';

type Found = { action: Action; argument: Pick<HomeInput, 'argument'> };

/** Find the action of a control by its name, and what the name says beside. */
export function findAction(name: string): Found | undefined {
  const [, tab = '', action = '', argument] =
    /^home\.(\w+)\.(\w+)(?::(.*))?$/su.exec(name) ?? [];
  const all: Record<string, Record<string, Action>> = {
    frame: frameActions,
    ...Object.fromEntries(tabNames.map((each) => [each, tabs[each].actions])),
  };
  const actions = Object.hasOwn(all, tab) ? all[tab] : undefined;
  const found = actions && Object.hasOwn(actions, action) ? actions[action] : undefined;
  return (
    found && { action: found, argument: argument === undefined ? {} : { argument } }
  );
}

/** Read what is filled in, as far as an event is about it. */
export async function readValues(
  id: string,
  event: UserInputEvent,
  { interfaces }: HomeServices,
): Promise<Record<string, Json>> {
  if (event.type === UserInputEventType.FormSubmitEvent) return { ...event.value };
  if (event.type === UserInputEventType.InputChangeEvent) return { value: event.value };
  return interfaces.fetchValues(id);
}
