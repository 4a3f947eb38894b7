// Dialogs that change while they are shown. Each lives as long as the request that shows it,
// so what is known of it may stay in memory: when the worker is stopped, the request is gone
// as well.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import type { Confirmation, DialogInput, LiveConfirmation } from '../methods';
import type { Interfaces } from '../snap/interfaces';
import type { Translate } from '../ui/i18n';

/** What showing needs. */
export type LiveDialogServices = {
  interfaces: Pick<Interfaces, 'create' | 'update'>;
  /** Show an interface as a dialog; resolves to its answer, null if it was closed. */
  showDialog: (id: string) => Promise<Json>;
  sleep: (ms: number) => Promise<void>;
};

/** Shows dialogs, and takes what is done with those that are open. */
export type LiveDialogs = {
  /** Show a dialog, and wait for its answer; null if it was closed. */
  show: (confirmation: Confirmation, translate: Translate) => Promise<Json>;
  /** Take a user's input; none of ours is let be. */
  input: (id: string, input: DialogInput) => Promise<void>;
};

/** Create the one who shows dialogs; one a worker. */
export function createLiveDialogs(services: LiveDialogServices): LiveDialogs {
  const { interfaces, showDialog } = services;
  const open = new Map<string, (input: DialogInput) => Promise<void>>();
  return {
    show: async (confirmation, translate) => {
      if (typeof confirmation === 'function') {
        return showDialog(await interfaces.create(confirmation(translate)));
      }
      const draw = (): JSXElement => confirmation.render(translate);
      const id = await interfaces.create(draw());
      const redraw = async (): Promise<void> => interfaces.update(id, draw());
      open.set(id, async (input) => {
        if (await confirmation.onInput(input)) await redraw();
      });
      void keepFresh(confirmation, { isOpen: () => open.has(id), redraw }, services);
      try {
        return await showDialog(id);
      } finally {
        open.delete(id);
      }
    },
    input: async (id, input) => open.get(id)?.(input),
  };
}

// Nobody waits for it: when the dialog is answered, it ends at its next turn, or never runs
// again.
async function keepFresh(
  { refresh }: LiveConfirmation,
  { isOpen, redraw }: { isOpen: () => boolean; redraw: () => Promise<void> },
  { sleep }: Pick<LiveDialogServices, 'sleep'>,
): Promise<void> {
  if (!refresh) return;
  for (;;) {
    await sleep(refresh.everyMs);
    if (!isOpen()) return;
    try {
      if ((await refresh.run()) && isOpen()) await redraw();
    } catch {
      // What is shown stays as it is; the next turn tries again.
    }
  }
}
