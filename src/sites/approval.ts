// An approval is used once: a signing function takes one, and cannot sign something else, or twice.
import { InternalError } from '../errors';

/** What the user has approved, to be signed once. */
export type Approval<Content> = {
  /** Returns the approved content; throws `InternalError` the second time. */
  use: () => Content;
};

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

/** Derives an approval with other content. Only one of the two can be used. */
export function mapApproval<Content, Result>(
  approval: Approval<Content>,
  map: (content: Content) => Result,
): Approval<Result> {
  return { use: () => map(approval.use()) };
}

/** Splits the approval of several things into one of each. */
export function splitApproval<Content>(
  approval: Approval<readonly Content[]>,
): Approval<Content>[] {
  return approval.use().map(createApproval);
}
