// Rules for what a dialog shows at a time, and when it can be approved: pure functions, which
// drawings use too.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

/** A pressed button, or a ticked or cleared checkbox, with the number of its snapshot. */
export type Press = {
  action: 'approve' | 'acknowledge' | 'clear' | 'page';
  number: number;
  page: number;
};

/** Changes from the pressed snapshot to the newest one. */
export type Changes = {
  /** Whether the fields are invalid, or differ from what the snapshot showed. */
  isInputOpen: boolean;
  /** Costs that went up, by their position. */
  costs: readonly { index: number; before: bigint; after: bigint }[];
  /** Whether there are new warnings. */
  isWarned: boolean;
};

/** The state in which a snapshot is drawn. */
export type Frame = {
  /** The snapshot's number. Buttons carry it, so that a click names the snapshot that the user
   * saw. */
  number: number;
  /** The page to draw, counted from 0. */
  page: number;
  /** Pages that the user saw before this snapshot. */
  seen: ReadonlySet<number>;
  acknowledged: ReadonlySet<string>;
  /** The changes for which the last press of the approve button was not accepted. */
  changes: Changes | undefined;
};

export type View = {
  pages: number;
  /** Dangers to acknowledge before approval. */
  dangers: readonly string[];
  draw: (frame: Frame) => JSXElement;
};

/** Returns whether the user has seen all pages. The current one counts as seen. */
export function isSeenWhole(
  pages: number,
  { seen, page }: Pick<Frame, 'seen' | 'page'>,
): boolean {
  const isSeen = (_: unknown, index: number): boolean =>
    index === page || seen.has(index);
  return Array.from({ length: pages }, isSeen).every(Boolean);
}

export function isAcknowledged(
  dangers: readonly string[],
  { acknowledged }: Pick<Frame, 'acknowledged'>,
): boolean {
  return dangers.every((each) => acknowledged.has(each));
}

export function isReady(
  { pages, dangers }: { pages: number; dangers: readonly string[] },
  frame: Omit<Frame, 'changes'>,
): boolean {
  return isSeenWhole(pages, frame) && isAcknowledged(dangers, frame);
}
