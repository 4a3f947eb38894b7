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
  /**
   * Take the user's consent to what stands on the screen: from now on nothing changes there.
   *
   * @param fetchValues - Gives what is filled in.
   * @returns What is filled in; undefined if that is not what was drawn, which is mended.
   */
  approve: (
    id: string,
    fetchValues: () => Promise<Record<string, Json>>,
  ) => Promise<Record<string, Json> | undefined>;
};

/** A dialog that is open, and changes. */
type OpenDialog = {
  confirmation: LiveConfirmation;
  redraw: () => Promise<void>;
  /** Keep what stands on the screen, or go on. */
  hold: (isHeld: boolean) => void;
};

/** Create the one who shows dialogs; one a worker. */
export function createLiveDialogs(services: LiveDialogServices): LiveDialogs {
  const { interfaces, showDialog } = services;
  const open = new Map<string, OpenDialog>();
  return {
    show: async (confirmation, translate) => {
      if (typeof confirmation === 'function') {
        return showDialog(await interfaces.create(confirmation(translate)));
      }
      const draw = (): JSXElement => confirmation.render(translate);
      const id = await interfaces.create(draw());
      const dialog = createOpenDialog(confirmation, async () =>
        interfaces.update(id, draw()),
      );
      open.set(id, dialog);
      const isOpen = (): boolean => open.has(id);
      void keepFresh(confirmation, { isOpen, redraw: dialog.redraw }, services);
      try {
        return await showDialog(id);
      } finally {
        open.delete(id);
      }
    },
    input: async (id, input) => {
      const dialog = open.get(id);
      if (await dialog?.confirmation.onInput(input)) await dialog?.redraw();
    },
    approve: async (id, fetchValues) => {
      const dialog = open.get(id);
      dialog?.hold(true);
      const values = await fetchValues();
      if (dialog?.confirmation.accept?.(values) ?? true) return values;
      dialog?.hold(false);
      await dialog?.redraw();
      return undefined;
    },
  };
}

// One after another, so that what was drawn last is what is shown last. What was under way
// when the user approved counts as not shown: it was not when the button was pressed.
function createOpenDialog(
  confirmation: LiveConfirmation,
  update: () => Promise<void>,
): OpenDialog {
  let isHeld = false;
  let last = Promise.resolve();
  const drawNext = async (): Promise<void> => {
    if (isHeld) return;
    await update();
    if (!isHeld) confirmation.onShown?.();
  };
  return {
    confirmation,
    redraw: async () => {
      const drawing = last.then(drawNext);
      last = drawing.catch(() => undefined);
      return drawing;
    },
    hold: (held) => (isHeld = held),
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
