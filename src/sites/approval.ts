// An approval is used once: whoever signs takes one, and cannot sign something else, or twice.
import { InternalError } from '../errors';

/** What the user has approved, to be signed once. */
export type Approval<Content> = {
  /**
   * Gives what was approved.
   *
   * @throws {InternalError} The second time.
   */
  use: () => Content;
};

/** Creates an approval of what a dialog has shown. */
export function createApproval<Content>(content: Content): Approval<Content> {
  let isUsed = false;
  return {
    use: () => {
      if (isUsed) throw new InternalError('An approval was used twice.');
      isUsed = true;
      return content;
    },
  };
}

/** Adds to an approval what is settled after it. */
export function withSettled<Content>(
  approval: Approval<Content>,
  settle: (content: Content) => Content,
): Approval<Content> {
  return { use: () => settle(approval.use()) };
}

/** Splits the approval of several things into one of each. */
export function splitApproval<Content>(
  approval: Approval<readonly Content[]>,
): Approval<Content>[] {
  return approval.use().map(createApproval);
}
