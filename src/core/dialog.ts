// The dialogs that are open. Each lives as long as the request that shows it: its state is in memory.
// Each drawing of it is a snapshot. MetaMask shows an update up to 200 ms late, so that a click can be
// meant for an earlier one: what is signed is what the pressed snapshot showed.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { isObject } from '@metamask/utils';
import type { Json } from '@metamask/utils';

import { approve, holdTasks } from './approval';
import type { Approval, HeldTask } from './approval';
import { NotFoundError } from './errors';
import { isReady } from './frame';
import type { Changes, Frame, Press, View } from './frame';
import type { SigningTask } from './payload';

/** What the user filled in, by field name. */
export type DialogValues = Record<string, Json>;

/** A field that the user has changed. */
export type DialogInput = { name: string; value: Json };

export type Snapshot = {
  /** What is signed if it is approved. */
  tasks: readonly SigningTask[];
  /** Draws the tasks as the core holds them. */
  draw: (tasks: readonly HeldTask[]) => View;
  /** Returns whether the fields are right, and as they are shown; by default there are none that the
   * tasks depend on. */
  isShown?: (values: DialogValues) => boolean;
  /** All that is paid, in the same order in every snapshot. */
  costs?: readonly bigint[];
  /** Names of what it warns of, as far as that can change. */
  warnings?: readonly string[];
};

export type Showing = {
  takeSnapshot: () => Snapshot;
  /** Notes an input; returns true if it changes the snapshot. */
  onInput?: (input: DialogInput) => boolean;
  /** Runs again and again while the dialog is open, which is drawn anew afterwards. */
  refresh?: { everyMs: number; run: () => Promise<void> };
  /** Settles when the next snapshot shows more than the last one: the dialog is drawn anew then. */
  pending?: (() => Promise<void> | undefined) | undefined;
};

export type DialogParts = {
  interfaces: {
    create: (content: JSXElement) => Promise<string>;
    update: (id: string, content: JSXElement) => Promise<void>;
    fetchValues: (id: string) => Promise<DialogValues>;
  };
  /** Shows an interface as a dialog; resolves to its answer, null if it was closed. */
  showDialog: (id: string) => Promise<Json>;
  /** Closes an open dialog with an answer. */
  answerDialog: (id: string, value: Json) => Promise<void>;
  sleep: (ms: number) => Promise<void>;
};

/** What the user has approved, and what the fields were then. */
export type Answer = { approval: Approval; values: DialogValues };

export type Dialogs = {
  /** Shows a dialog until it is answered. @returns Undefined if it was refused or closed. */
  show: (showing: Showing) => Promise<Answer | undefined>;
  input: (id: string, input: DialogInput) => Promise<void>;
  /** Takes a press of a button that approves or turns a page, or of the box for dangers. Throws
   * `NotFoundError` if the dialog is not open; so does `refuse`. */
  press: (id: string, press: Press) => Promise<void>;
  refuse: (id: string) => Promise<void>;
};

/** Snapshots of which a click can still arrive: of an older one it is out of date. */
const MAX_PICTURES = 100;

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

/** Creates the service that shows dialogs; one a worker. */
export function createDialogs(services: DialogParts): Dialogs {
  const { showDialog, answerDialog, sleep } = services;
  const interfaces = { ...services.interfaces };
  const open = new Map<string, OpenDialog>();
  // An answer names a snapshot; what was approved by it is known here alone.
  const close = async (id: string, answer: Json): Promise<void> =>
    whileOpen(answerDialog(id, answer));
  return {
    show: async (showing) => {
      const snapshots = createSnapshots(showing);
      const first = snapshots.drawNext();
      // Caught at once: a rejection that nothing handles would stop the snap, and every dialog.
      const pending = showing.pending?.()?.catch(() => undefined);
      const id = await interfaces.create(first);
      const answers = new Map<number, Answer>();
      // One after another, so that the last drawing is shown last.
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
      // What cannot be drawn then is drawn with the next snapshot.
      void pending
        ?.then(async () => (open.has(id) ? redraw() : undefined))
        .catch(() => undefined);
      try {
        const given = await showDialog(id);
        return isObject(given) ? answers.get(Number(given.approved)) : undefined;
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
      // The answer of a dialog that an earlier worker has shown has no reader.
      return dialog ? dialog.press(press) : close(id, REFUSAL);
    },
    refuse: async (id) => close(id, REFUSAL),
  };
}

function createSnapshots(showing: Showing) {
  // The same tasks are hashed once: what is drawn, and signed, is the copy.
  const held = new WeakMap<readonly SigningTask[], readonly HeldTask[]>();
  const snapshots = new Map<number, Drawn>();
  const seen = new Set<number>();
  const acknowledged = new Set<string>();
  let newest: Drawn | undefined;
  let wanted = 0;
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
        page: Math.min(wanted, view.pages - 1),
        seen: new Set(seen),
        acknowledged: new Set(acknowledged),
        changes,
      };
      newest = { snapshot, tasks, view, frame };
      snapshots.set(frame.number, newest);
      snapshots.delete(frame.number - MAX_PICTURES);
      // A drawing gets its own sets: these say what was seen.
      return draw({
        ...frame,
        seen: new Set(seen),
        acknowledged: new Set(acknowledged),
      });
    },
    /** Turns a snapshot to a page, and marks the page that it showed as seen. */
    turn: (number: number, page: number): void => {
      const pressed = snapshots.get(number);
      if (!pressed) return;
      seen.add(pressed.frame.page);
      wanted = page;
    },
    acknowledge: (number: number, action: 'acknowledge' | 'clear'): void => {
      const { dangers = [] } = snapshots.get(number)?.view ?? {};
      for (const each of dangers) {
        if (action === 'clear') acknowledged.delete(each);
        else acknowledged.add(each);
      }
    },
    /** Approves a snapshot; undefined if the user is to be asked again. */
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

/** Finds how a newer snapshot is worse than the pressed one; undefined if it is not. */
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

// When the dialog is answered, it ends at its next turn, or never runs again.
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
      // The shown drawing stays; the next turn tries again.
    }
  }
}

// A second click finds a dialog that is answered already, and one that is late finds none.
async function whileOpen<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (cause) {
    throw new NotFoundError('This dialog is open no more.', { cause });
  }
}
