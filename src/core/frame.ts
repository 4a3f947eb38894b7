// What a dialog shows at a time, and when it can be approved: pure rules, which drawings follow, too.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

/** A pressed button of a dialog, or a ticked or cleared box, and the number of its snapshot. */
export type Press = {
  action: 'approve' | 'acknowledge' | 'clear' | 'page';
  number: number;
  page: number;
};

/** What has changed between the snapshot that was pressed and the newest. */
export type Changes = {
  /** Whether the fields were not those that it showed. */
  isInputOpen: boolean;
  /** What costs more, by the place among the costs. */
  costs: readonly { index: number; before: bigint; after: bigint }[];
  /** Whether there are more warnings. */
  isWarned: boolean;
};

/** The frame that a snapshot is drawn in. */
export type Frame = {
  /** Number of the snapshot. Its buttons carry it, so that a click names the snapshot that was seen. */
  number: number;
  /** The page to draw, from 0 on. */
  page: number;
  /** The pages that were seen before this snapshot. */
  seen: ReadonlySet<number>;
  /** The dangers that the user has acknowledged. */
  acknowledged: ReadonlySet<string>;
  /** What has changed since the snapshot that was approved last. */
  changes: Changes | undefined;
};

/** A drawing of a snapshot. */
export type View = {
  pages: number;
  /** What the user has to acknowledge before it can be approved. */
  dangers: readonly string[];
  draw: (frame: Frame) => JSXElement;
};

/** Returns whether every page but the one in the frame was seen before. */
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

/** Returns whether the snapshot in a frame can be approved: every page was seen, and every danger
 * acknowledged. */
export function isReady(
  { pages, dangers }: { pages: number; dangers: readonly string[] },
  frame: Omit<Frame, 'changes'>,
): boolean {
  return isSeenWhole(pages, frame) && isAcknowledged(dangers, frame);
}
