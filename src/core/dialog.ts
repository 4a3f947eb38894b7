// The open dialogs. A dialog lives in memory for as long as its request. Each drawing is a
// snapshot. MetaMask shows updates up to 200 ms late, so a click may be meant for an earlier
// snapshot. The core signs what the pressed snapshot showed.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { approve, holdTasks } from './approval';
import type { Approval, HeldTask } from './approval';
import { NotFoundError } from './errors';
import { isReady } from './frame';
import type { Changes, Frame, Press, View } from './frame';
import type { SigningTask } from './payload';

/** The user's input, by field name. */
export type DialogValues = Record<string, Json>;

export type DialogInput = { name: string; value: Json };

export type Snapshot = {
  tasks: readonly SigningTask[];
  /** Draws the tasks as the core holds them. */
  draw: (tasks: readonly HeldTask[]) => View;
  /** Returns whether the fields are valid and match the drawing. Omitted if the tasks depend on no
   * field. */
  isShown?: (values: DialogValues) => boolean;
  /** All costs, in the same order in every snapshot. */
  costs?: readonly bigint[];
  /** Names of the warnings that can change. */
  warnings?: readonly string[];
};

export type Showing = {
  takeSnapshot: () => Snapshot;
  /** Returns true if the input changes the snapshot. */
  onInput?: (input: DialogInput) => boolean;
  /** Runs repeatedly while the dialog is open. The dialog is redrawn after each successful run. */
  refresh?: { everyMs: number; run: () => Promise<void> };
  /** Settles when the next snapshot has more to show. The dialog is then redrawn. */
  pending?: (() => Promise<void> | undefined) | undefined;
};

export type DialogParts = {
  interfaces: {
    create: (content: JSXElement) => Promise<string>;
    update: (id: string, content: JSXElement) => Promise<void>;
    fetchValues: (id: string) => Promise<DialogValues>;
  };
  /** Resolves to the dialog's answer, or to null if the user closed it. */
  showDialog: (id: string) => Promise<Json>;
  answerDialog: (id: string, value: Json) => Promise<void>;
  sleep: (ms: number) => Promise<void>;
};

/** The user's approval, with the values of the fields at that time. */
export type Answer = { approval: Approval; values: DialogValues };

export type Dialogs = {
  /** Returns undefined if the user refused or closed the dialog. */
  show: (showing: Showing) => Promise<Answer | undefined>;
  input: (id: string, input: DialogInput) => Promise<void>;
  /** Handles a press of the approve button, a page button or the checkbox for dangers. Like
   * `refuse`, throws `NotFoundError` if the dialog is not open. */
  press: (id: string, press: Press) => Promise<void>;
  refuse: (id: string) => Promise<void>;
};

/** Maximum number of snapshots to keep. Clicks on older ones are ignored. */
const MAX_SNAPSHOTS = 100;

const REFUSAL = { approved: null };

type Drawn = {
  snapshot: Snapshot;
  tasks: readonly HeldTask[];
  view: View;
  frame: Frame;
};

type OpenDialog = Pick<Showing, 'onInput' | 'refresh'> & {
  redraw: () => Promise<void>;
  press: (press: Press) => Promise<void>;
};

/** Call it once per worker. */
export function createDialogs(services: DialogParts): Dialogs {
  const { showDialog, answerDialog, sleep } = services;
  const interfaces = { ...services.interfaces };
  const open = new Map<string, OpenDialog>();
  // The platform's answer only names a snapshot. The approval itself stays here.
  const close = async (id: string, answer: Json): Promise<void> =>
    whileOpen(answerDialog(id, answer));
  return {
    show: async (showing) => {
      const snapshots = createSnapshots(showing);
      const first = snapshots.drawNext();
      // An unhandled rejection would stop the snap and close every dialog.
      const pending = showing.pending?.()?.catch(() => undefined);
      const id = await interfaces.create(first);
      const answers = new Map<number, Answer>();
      // Updates run one after another, so that the newest drawing stays on screen.
      let last = Promise.resolve();
      const redraw = async (): Promise<void> => {
        const content = snapshots.drawNext();
        const update = last.then(async () => interfaces.update(id, content));
        last = update.catch(() => undefined);
        return update;
      };
      const dialog: OpenDialog = {
        ...showing,
        redraw,
        press: async ({ action, number, page }) => {
          if (action !== 'approve') {
            if (action === 'page') snapshots.turn(number, page);
            else snapshots.acknowledge(number, action);
            return redraw();
          }
          const found = await snapshots.approve(number, async () =>
            whileOpen(interfaces.fetchValues(id)),
          );
          if (!found) return redraw();
          answers.set(number, found);
          return close(id, { approved: number });
        },
      };
      open.set(id, dialog);
      void keepFresh(dialog, () => open.has(id), sleep);
      // If this redraw fails, the next one shows the pending result.
      void pending
        ?.then(async () => (open.has(id) ? redraw() : undefined))
        .catch(() => undefined);
      try {
        const result = await showDialog(id);
        return isObject(result) ? answers.get(Number(result.approved)) : undefined;
      } finally {
        open.delete(id);
      }
    },
    input: async (id, input) => {
      const dialog = open.get(id);
      if (dialog?.onInput?.(input)) await dialog.redraw();
    },
    press: async (id, press) => {
      const dialog = open.get(id);
      // If an earlier worker showed the dialog, no request waits for its answer.
      return dialog ? dialog.press(press) : close(id, REFUSAL);
    },
    refuse: async (id) => close(id, REFUSAL),
  };
}

function createSnapshots(showing: Showing) {
  // Tasks are copied and hashed once. The copy is both drawn and signed.
  const held = new WeakMap<readonly SigningTask[], readonly HeldTask[]>();
  const snapshots = new Map<number, Drawn>();
  const seen = new Set<number>();
  const acknowledged = new Set<string>();
  let newest: Drawn | undefined;
  let wantedPage = 0;
  let changes: Changes | undefined;
  return {
    drawNext: (): JSXElement => {
      const snapshot = showing.takeSnapshot();
      const tasks = held.get(snapshot.tasks) ?? holdTasks(snapshot.tasks);
      held.set(snapshot.tasks, tasks);
      const { pages, dangers, draw } = snapshot.draw(tasks);
      const view = { pages, dangers: [...dangers], draw };
      const frame = {
        number: (newest?.frame.number ?? 0) + 1,
        page: Math.min(wantedPage, view.pages - 1),
        seen: new Set(seen),
        acknowledged: new Set(acknowledged),
        changes,
      };
      newest = { snapshot, tasks, view, frame };
      snapshots.set(frame.number, newest);
      snapshots.delete(frame.number - MAX_SNAPSHOTS);
      // The drawing gets copies, so that it cannot change what counts as seen.
      return draw({
        ...frame,
        seen: new Set(seen),
        acknowledged: new Set(acknowledged),
      });
    },
    /** Turns to a page, and marks the snapshot's own page as seen. */
    turn: (number: number, page: number): void => {
      const pressed = snapshots.get(number);
      if (!pressed) return;
      seen.add(pressed.frame.page);
      wantedPage = page;
    },
    acknowledge: (number: number, action: 'acknowledge' | 'clear'): void => {
      const { dangers = [] } = snapshots.get(number)?.view ?? {};
      for (const each of dangers) {
        if (action === 'clear') acknowledged.delete(each);
        else acknowledged.add(each);
      }
    },
    /** Returns undefined if the user must be asked again. */
    approve: async (
      number: number,
      fetchValues: () => Promise<DialogValues>,
    ): Promise<Answer | undefined> => {
      const pressed = snapshots.get(number);
      if (!pressed || !isReady(pressed.view, pressed.frame)) return undefined;
      seen.add(pressed.frame.page);
      const { snapshot, tasks } = pressed;
      const values = await fetchValues();
      const isShown = snapshot.isShown?.(values) ?? true;
      changes = findChanges(snapshot, (newest ?? pressed).snapshot, isShown);
      return changes ? undefined : { approval: approve(tasks), values };
    },
  };
}

/** Returns undefined if the fields match the pressed snapshot and the newer one is no worse. */
function findChanges(
  { costs: before = [], warnings = [] }: Snapshot,
  newer: Snapshot,
  isShown: boolean,
): Changes | undefined {
  const costs = (newer.costs ?? []).flatMap((after, index) => {
    const known = before[index] ?? 0n;
    return after > known ? [{ index, before: known, after }] : [];
  });
  const isWarned = (newer.warnings ?? []).some((each) => !warnings.includes(each));
  if (isShown && costs.length === 0 && !isWarned) return undefined;
  return { isInputOpen: !isShown, costs, isWarned };
}

async function keepFresh(
  { refresh, redraw }: OpenDialog,
  isOpen: () => boolean,
  sleep: DialogParts['sleep'],
): Promise<void> {
  if (!refresh) return;
  for (;;) {
    await sleep(refresh.everyMs);
    if (!isOpen()) return;
    try {
      await refresh.run();
      if (isOpen()) await redraw();
    } catch {
      // The current drawing stays. The next run tries again.
    }
  }
}

// MetaMask throws if the dialog is already answered or gone, as happens after a second or late
// click.
async function whileOpen<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (cause) {
    throw new NotFoundError('This dialog is closed.', { cause });
  }
}
