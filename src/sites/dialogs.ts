// The dialogs that are open. Each lives as long as the request that shows it, so its state
// stays in memory: when the worker is stopped, the request is gone as well.
//
// A dialog's state may change while it is open; each drawing of it is a snapshot.
// MetaMask shows an update up to 200 ms late, so a click can be meant for an earlier snapshot: what
// is signed is what the pressed snapshot showed.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { number, object } from '@metamask/superstruct';
import type { Json } from '@metamask/utils';

import { NotFoundError, UserRejectedError } from '../errors';
import type { Interfaces } from '../platform/shared-edges';
import type { Effect } from '../review/effects';
import { matches } from '../schema/parse';
import { warning } from '../ui/components';
import type { Notice } from '../ui/components';
import { isReady } from '../ui/confirmation';
import type { Frame, PagedView, Press, VerifiedOrigin } from '../ui/confirmation';
import type { TextKey, Translate } from '../ui/i18n';

export type Draw = (translate: Translate) => PagedView;

/** What the user filled in, by field name. */
export type DialogValues = Record<string, Json>;

/** A field that the user has changed. */
export type DialogInput = { name: string; value: Json };

/** Something that is paid. */
export type Cost = {
  label: TextKey;
  amount: bigint;
  /** Writes the amount in its unit. */
  write: (amount: bigint, translate: Translate) => string;
};

export type Snapshot<Approved> = {
  draw: Draw;
  /** Gets the approved content; undefined if the fields differ from what is shown, or are wrong. */
  approve: (values: DialogValues) => Approved | undefined;
  /** All that is paid, in the same order in every snapshot. */
  costs?: readonly Cost[];
  /** What happens if it is approved, for those who read it as data: `tollkeeper-snap/testing`. */
  effects?: readonly Effect[];
  /** Names of what it warns of, as far as that can change. */
  warnings?: readonly string[];
};

export type Confirmation<Approved> = {
  takeSnapshot: () => Snapshot<Approved>;
  /** Notes an input; returns true if it changes the snapshot. */
  onInput?: (input: DialogInput) => boolean;
  /** Runs again and again while the dialog is open, which is drawn anew afterwards. */
  refresh?: { everyMs: number; run: () => Promise<void> };
  /** Settles when the next snapshot shows more than the last one: the dialog is drawn anew then. */
  pending?: (() => Promise<void> | undefined) | undefined;
  /** MetaMask's information about the request, if it comes from there. */
  verified?: VerifiedOrigin | undefined;
};

/** A dialog, or what one shows that never changes: the values of its fields are approved. */
export type Asking<Approved = DialogValues> = Draw | Confirmation<Approved>;

/** Makes a dialog that never changes, by which something is approved. */
export function showing<Content>(
  content: Content,
  draw: Draw,
  effects: readonly Effect[] = [],
): Confirmation<Content> {
  return { takeSnapshot: () => ({ draw, effects, approve: () => content }) };
}

function toConfirmation<Approved>(asking: Asking<Approved>): Confirmation<Approved> {
  if (typeof asking !== 'function') return asking;
  const approve = (values: DialogValues): Approved => values as Approved;
  return { takeSnapshot: () => ({ draw: asking, approve }) };
}

/** Approves a dialog unseen, where the user is not asked; throws `UserRejectedError` if it cannot. */
export function approveUnseen<Approved>(
  confirmation: Confirmation<Approved>,
): Approved {
  const approved = confirmation.takeSnapshot().approve({});
  if (approved === undefined) throw new UserRejectedError();
  return approved;
}

type DialogParts = {
  interfaces: Interfaces;
  /** Shows an interface as a dialog; resolves to its answer, null if it was closed. */
  showDialog: (id: string) => Promise<Json>;
  /** Closes an open dialog with an answer. */
  answerDialog: (id: string, value: Json) => Promise<void>;
  sleep: (ms: number) => Promise<void>;
};

export type LiveDialogs = {
  /** Shows a dialog until it is answered. @returns Undefined if it was refused or closed. */
  show: <Approved>(
    asking: Asking<Approved>,
    translate: Translate,
  ) => Promise<{ approved: Approved } | undefined>;
  input: (id: string, input: DialogInput) => Promise<void>;
  /** Takes a press of a button that approves, acknowledges dangers, or turns a page. Throws
   * `NotFoundError` if the dialog is not open; so does `refuse`. */
  press: (id: string, press: Press) => Promise<void>;
  refuse: (id: string) => Promise<void>;
};

/** Snapshots of which a click can still arrive: of an older one it is out of date. */
const MAX_PICTURES = 100;

/** Changes of costs that a notice names. */
const MAX_COSTS = 3;

const REFUSAL = { approved: null };

const ApprovalStruct = object({ approved: number() });

type Drawn<Approved> = { snapshot: Snapshot<Approved>; view: PagedView; frame: Frame };

type OpenDialog = Pick<Confirmation<unknown>, 'onInput' | 'refresh'> & {
  redraw: () => Promise<void>;
  press: (press: Press) => Promise<void>;
};

/** Creates the service that shows dialogs; one a worker. */
export function createLiveDialogs(services: DialogParts): LiveDialogs {
  const { interfaces, showDialog } = services;
  const open = new Map<string, OpenDialog>();
  const answer = async (id: string, value: Json): Promise<void> =>
    whileOpen(services.answerDialog(id, value));
  return {
    show: async <Approved>(asking: Asking<Approved>, translate: Translate) => {
      const confirmation = toConfirmation(asking);
      const snapshots = createSnapshots(confirmation, translate);
      const first = snapshots.drawNext();
      // Caught at once: a rejection that nothing handles would stop the snap, and every dialog.
      const pending = confirmation.pending?.()?.catch(() => undefined);
      const id = await interfaces.create(first);
      const approved = new Map<number, Approved>();
      // One after another, so that the last drawing is shown last.
      let last = Promise.resolve();
      const redraw = async (): Promise<void> => {
        const content = snapshots.drawNext();
        const update = last.then(async () => interfaces.update(id, content));
        last = update.catch(() => undefined);
        return update;
      };
      const dialog: OpenDialog = {
        ...confirmation,
        redraw,
        press: async (press) => {
          const { action, number: pressed, page } = press;
          if (action !== 'approve') {
            if (action === 'page') snapshots.turn(pressed, page);
            else snapshots.acknowledge(pressed);
            return redraw();
          }
          const found = await snapshots.approve(pressed, async () =>
            whileOpen(interfaces.fetchValues(id)),
          );
          if (!found) return redraw();
          approved.set(pressed, found.approved);
          return answer(id, { approved: pressed });
        },
      };
      open.set(id, dialog);
      void keepFresh(dialog, () => open.has(id), services);
      // What cannot be drawn then is drawn with the next snapshot.
      void pending
        ?.then(async () => (open.has(id) ? redraw() : undefined))
        .catch(() => undefined);
      try {
        const answered = await showDialog(id);
        return matches(answered, ApprovalStruct) && approved.has(answered.approved)
          ? { approved: approved.get(answered.approved) as Approved }
          : undefined;
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
      return dialog ? dialog.press(press) : answer(id, REFUSAL);
    },
    refuse: async (id) => answer(id, REFUSAL),
  };
}

function createSnapshots<Approved>(
  confirmation: Confirmation<Approved>,
  translate: Translate,
) {
  const snapshots = new Map<number, Drawn<Approved>>();
  const seen = new Set<number>();
  const acknowledged = new Set<string>();
  let newest: Drawn<Approved> | undefined;
  let wanted = 0;
  let changes: Notice[] = [];
  return {
    drawNext: (): JSXElement => {
      const snapshot = confirmation.takeSnapshot();
      const view = snapshot.draw(translate);
      const frame = {
        number: (newest?.frame.number ?? 0) + 1,
        page: Math.min(wanted, view.pages - 1),
        seen: new Set(seen),
        acknowledged: new Set(acknowledged),
        changes,
        verified: confirmation.verified,
      };
      newest = { snapshot, view, frame };
      snapshots.set(frame.number, newest);
      snapshots.delete(frame.number - MAX_PICTURES);
      return view.draw(frame);
    },
    /** Turns a snapshot to a page, and marks the page that it showed as seen. */
    turn: (number: number, page: number): void => {
      const pressed = snapshots.get(number);
      if (!pressed) return;
      seen.add(pressed.frame.page);
      wanted = page;
    },
    acknowledge: (number: number): void => {
      const { dangers = [] } = snapshots.get(number)?.view ?? {};
      for (const each of dangers) acknowledged.add(each);
    },
    /** Approves a snapshot; undefined if the user is to be asked again. */
    approve: async (
      number: number,
      fetchValues: () => Promise<DialogValues>,
    ): Promise<{ approved: Approved } | undefined> => {
      const pressed = snapshots.get(number);
      if (!pressed || !isReady(pressed.view, pressed.frame)) return undefined;
      seen.add(pressed.frame.page);
      const approved = pressed.snapshot.approve(await fetchValues());
      changes = [
        ...(approved === undefined ? [warning(translate('changed.input'))] : []),
        ...findChanges(pressed.snapshot, (newest ?? pressed).snapshot, translate),
      ];
      return approved === undefined || changes.length > 0 ? undefined : { approved };
    },
  };
}

/** Finds how a newer snapshot is worse than the pressed one. */
function findChanges(
  { costs = [], warnings = [] }: Snapshot<unknown>,
  newer: Snapshot<unknown>,
  translate: Translate,
): Notice[] {
  const dearer = (newer.costs ?? []).flatMap(({ label, amount, write }, index) => {
    const before = costs[index]?.amount ?? 0n;
    if (amount <= before) return [];
    const [from, to] = [before, amount].map((each) => write(each, translate));
    return [`${translate(label)}: ${from} → ${to}`];
  });
  const named = [...new Set(dearer)].slice(0, MAX_COSTS).join('; ');
  const isWarned = (newer.warnings ?? []).some((each) => !warnings.includes(each));
  return [
    ...(named === '' ? [] : [warning(translate('changed.cost', { changes: named }))]),
    ...(isWarned ? [warning(translate('changed.warning'))] : []),
  ];
}

// When the dialog is answered, it ends at its next turn, or never runs again.
async function keepFresh(
  { refresh, redraw }: OpenDialog,
  isOpen: () => boolean,
  { sleep }: DialogParts,
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
